// Puts an access's shadow words into the shadow of a region, and locks the region's pages
// meanwhile. All of it is inlined, for access.cpp and for the instructions' fast paths, which are
// compiled for several instruction sets.
#pragma once

#include "execute/execution.h"
#include "profile/l2_reuse.h"
#include "race/shadow_word.h"
#include "state/warp.h"

namespace vgpu {

enum class Shading : std::uint8_t { read, write, strong, strong_in_block, strong_read };

VGPU_INLINE bool is_shaded(const Region& region) {
    return region.shadow != nullptr && region.space != Space::constant;
}

/// Whether no other worker can access the region meanwhile.
VGPU_INLINE bool is_alone(const Warp& warp, const Region& region) {
    return !warp.execution->is_parallel || region.pages == nullptr;
}

/// Keeps other workers out of the pages of [offset, offset + bytes) while it lives. Whoever holds
/// several takes them in order, and at most one Hold at a time.
class Hold {
public:
    VGPU_INLINE Hold(const Execution& execution, const Region& region, std::uint64_t offset,
                     std::uint64_t bytes) {
        if (!execution.is_parallel || region.pages == nullptr) [[likely]]
            return;
        take(&region.pages[offset >> kPageShift],
             &region.pages[(offset + bytes - 1) >> kPageShift]);
    }
    VGPU_INLINE Hold(const Execution& execution, Page* page) {
        if (execution.is_parallel && page != nullptr) take(page, page);
    }
    VGPU_INLINE ~Hold() {
        if (first_ == nullptr) [[likely]]
            return;
        for (Page* page = first_; page <= last_; ++page)
            __atomic_store_n(&page->lock, 0u, __ATOMIC_RELEASE);
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

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
VGPU_INLINE void unsettle(Block& block, std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t row = offset / kRowBytes; row <= (offset + bytes - 1) / kRowBytes; ++row)
        block.settled_rows[row] = 0;
}

/// What a row's entry is when its words are settled for this warp now.
VGPU_INLINE Shade settled_now(const Warp& warp) {
    return Shade{warp.block->owner} << kOwnerAt | (warp.now & kShadeTime) << 1 | 1;
}

/// Makes the pages of [offset, offset + bytes) ready, and notes the visit if all of it is accessed.
template <bool notes = true>
VGPU_INLINE void open_pages(Warp& warp, Region& region, std::uint64_t offset, std::uint64_t bytes,
                            bool writes) {
    Execution& execution = *warp.execution;
    if (region.pages == nullptr) {
        if (writes && region.space == Space::shared) unsettle(*warp.block, offset, bytes);
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

template <Shading shading>
VGPU_INLINE Shaded shade_word(Shade e, const Viewpoint& v, Shade thread, unsigned own) {
    switch (shading) {
        case Shading::read:
            return after_read(e, v, thread, own);
        case Shading::write:
            return after_write(e, v, thread, own);
        case Shading::strong:
            return after_strong(e, v, thread);
        case Shading::strong_in_block:
            return after_strong_in_block(e, v, thread);
        case Shading::strong_read:
            break;
    }
    return after_strong_read(e, v, thread);
}

/// One lane's access. `is_silent()` says whether it writes what is there already: that harms
/// nobody.
template <Shading shading, class Silent>
VGPU_INLINE void shade_lane(Warp& warp, const Insn& insn, Region& region, const Viewpoint& v,
                            unsigned lane, std::uint64_t offset, std::uint32_t bytes,
                            Silent is_silent) {
    open_pages(warp, region, offset, bytes,
               shading == Shading::write || shading == Shading::strong ||
                   shading == Shading::strong_in_block);
    const Shade thread = std::uint64_t{warp.index} * kWarpSize + lane;
    Shade bad = 0;
    for (std::uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const Shaded shaded =
            shade_word<shading>(current(region.shadow[word], v), v, thread, bytes < 4 ? 5 : 0);
        region.shadow[word] = shaded.next;
        bad |= shaded.bad;
    }
    if (bad != 0 && !is_silent()) [[unlikely]]
        suspect(warp, insn, region, offset);
}

}  // namespace vgpu
