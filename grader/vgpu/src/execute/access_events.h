// What an access shows to the rooms below: pages are opened, the race check gets an event.
#pragma once

#include <cstdint>

#include "execute/block.h"
#include "execute/execution.h"
#include "memory/page_lock.h"
#include "profile/l2_reuse.h"
#include "race/access_event.h"

namespace vgpu {

/// Not inlined: its six numbers would take the registers of all that is inlined around it.
AccessEpoch epoch_of(const Warp&, const Region&);

VGPU_INLINE AccessEvent event_of(const Warp& warp, const Insn& insn, const Region& region) {
    return {epoch_of(warp, region),       region,
            warp.block->number,           insn.access,
            warp.block->read_shared_rows, warp.execution->suspects};
}

/// Whether [offset, offset + bytes) is a row of shared memory whose words were all found
/// read-shared at this very time: nothing about reading it is new.
VGPU_INLINE bool is_read_shared_row(const Warp& warp, const Region& region, std::uint64_t offset,
                                    std::uint32_t bytes) {
    return region.space == Space::shared && bytes == kRowBytes && offset % kRowBytes == 0 &&
           warp.block->read_shared_rows.at(offset / kRowBytes) ==
               read_shared_at(ShadowWord{warp.block->owner} << kOwnerAt, warp.now & kShadowTime);
}

/// Makes the pages of [offset, offset + bytes) ready, and notes the visit if all of it is accessed.
template <bool notes = true>
VGPU_INLINE void open_pages(Warp& warp, Region& region, std::uint64_t offset, std::uint64_t bytes,
                            bool writes) {
    const LaunchPages& launch = warp.execution->pages;
    if (region.pages == nullptr) {
        if (writes && region.space == Space::shared)
            warp.block->read_shared_rows.forget(offset, bytes);
        return;
    }
    for (std::uint64_t page = offset >> kPageShift; page <= (offset + bytes - 1) >> kPageShift;
         ++page) {
        const Page& p = region.pages[page];
        if (p.touched != launch.run || (writes && p.saved != launch.run)) [[unlikely]]
            launch.open(region, page, writes);
        if (notes && is_sampled(page)) [[unlikely]]
            note_visit(region.visits, page, offset, bytes, writes, warp.block->visit_bit);
    }
}

}  // namespace vgpu
