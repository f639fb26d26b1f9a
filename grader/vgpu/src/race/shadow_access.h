// Puts an access's shadow words into the shadow of a region, and locks the region's pages
// meanwhile. All of it is inlined, for access.cpp and for the instructions' fast paths, which are
// compiled for several instruction sets.
#pragma once

#include "execute/execution.h"
#include "profile/l2_reuse.h"
#include "race/shadow_word.h"
#include "state/warp.h"

namespace vgpu {

enum class Shadowing : std::uint8_t { read, write, strong, strong_in_block, strong_read };

VGPU_INLINE bool has_shadow(const Region& region) {
    return region.shadow != nullptr && region.space != Space::constant;
}

/// Whether no other worker can access the region meanwhile.
VGPU_INLINE bool is_alone(const Warp& warp, const Region& region) {
    return !warp.execution->is_parallel || region.pages == nullptr;
}

/// Keeps other workers out of the pages of [offset, offset + bytes) while it lives. Whoever holds
/// several takes them in order, and at most one PageLock at a time.
class PageLock {
public:
    VGPU_INLINE PageLock(const Execution& execution, const Region& region, std::uint64_t offset,
                         std::uint64_t bytes) {
        if (!execution.is_parallel || region.pages == nullptr) [[likely]]
            return;
        take(&region.pages[offset >> kPageShift],
             &region.pages[(offset + bytes - 1) >> kPageShift]);
    }
    VGPU_INLINE PageLock(const Execution& execution, Page* page) {
        if (execution.is_parallel && page != nullptr) take(page, page);
    }
    VGPU_INLINE ~PageLock() {
        if (first_ == nullptr) [[likely]]
            return;
        for (Page* page = first_; page <= last_; ++page)
            __atomic_store_n(&page->lock, 0u, __ATOMIC_RELEASE);
    }
    PageLock(const PageLock&) = delete;
    PageLock& operator=(const PageLock&) = delete;

private:
    VGPU_INLINE void take(Page* first, Page* last) {
        first_ = first;
        last_ = last;
        for (Page* page = first_; page <= last_; ++page)
            while (__atomic_exchange_n(&page->lock, 1u, __ATOMIC_ACQUIRE) != 0)
                __builtin_ia32_pause();
    }

    Page *first_ = nullptr, *last_ = nullptr;
};

/// For shared memory: its rows are not settled any more.
VGPU_INLINE void forget_read_shared(Block& block, std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t row = offset / kRowBytes; row <= (offset + bytes - 1) / kRowBytes; ++row)
        block.read_shared_rows[row] = 0;
}

/// What a row's entry is when its words are settled for this warp now.
VGPU_INLINE ShadowWord read_shared_now(const Warp& warp) {
    return ShadowWord{warp.block->owner} << kOwnerAt | (warp.now & kShadowTime) << 1 | 1;
}

/// Makes the pages of [offset, offset + bytes) ready, and notes the visit if all of it is accessed.
template <bool notes = true>
VGPU_INLINE void open_pages(Warp& warp, Region& region, std::uint64_t offset, std::uint64_t bytes,
                            bool writes) {
    Execution& execution = *warp.execution;
    if (region.pages == nullptr) {
        if (writes && region.space == Space::shared) forget_read_shared(*warp.block, offset, bytes);
        return;
    }
    for (std::uint64_t page = offset >> kPageShift; page <= (offset + bytes - 1) >> kPageShift;
         ++page) {
        const Page& p = region.pages[page];
        if (p.touched != execution.run || (writes && p.saved != execution.run)) [[unlikely]]
            open_page(execution, region, page, writes);
        if (notes && is_sampled(page)) [[unlikely]]
            note_visit(region.visits, page, offset, bytes, writes, warp.block->visit_bit);
    }
}

template <Shadowing shadowing>
VGPU_INLINE ShadowUpdate next_shadow(ShadowWord e, const AccessEpoch& v, ShadowWord thread,
                                     unsigned own) {
    switch (shadowing) {
        case Shadowing::read:
            return after_read(e, v, thread, own);
        case Shadowing::write:
            return after_write(e, v, thread, own);
        case Shadowing::strong:
            return after_strong(e, v, thread);
        case Shadowing::strong_in_block:
            return after_strong_in_block(e, v, thread);
        case Shadowing::strong_read:
            break;
    }
    return after_strong_read(e, v, thread);
}

/// One lane's access. `is_silent()` says whether it writes what is there already: that harms
/// nobody.
template <Shadowing shadowing, class Silent>
VGPU_INLINE void shadow_lane(Warp& warp, const Insn& insn, Region& region, const AccessEpoch& v,
                             unsigned lane, std::uint64_t offset, std::uint32_t bytes,
                             Silent is_silent) {
    open_pages(warp, region, offset, bytes,
               shadowing == Shadowing::write || shadowing == Shadowing::strong ||
                   shadowing == Shadowing::strong_in_block);
    const ShadowWord thread = std::uint64_t{warp.index} * kWarpSize + lane;
    ShadowWord bad = 0;
    for (std::uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const ShadowUpdate update =
            next_shadow<shadowing>(current(region.shadow[word], v), v, thread, bytes < 4 ? 5 : 0);
        region.shadow[word] = update.next;
        bad |= update.bad;
    }
    if (bad != 0 && !is_silent()) [[unlikely]]
        suspect(warp, insn, region, offset);
}

}  // namespace vgpu
