// Puts an access's shadow words into the shadow of a region. All of it is inlined, for
// checked_access.cpp and for the instructions' fast paths, which are compiled for several
// instruction sets. The caller has opened the region's pages, and holds them.
#pragma once

#include "race/access_event.h"
#include "state/inline.h"

namespace vgpu {

enum class Shadowing : std::uint8_t { read, write, strong, strong_in_block, strong_read };

VGPU_INLINE bool has_shadow(const Region& region) {
    return region.shadow != nullptr && region.space != Space::constant;
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
VGPU_INLINE void shadow_lane(const AccessEvent& event, unsigned lane, std::uint64_t offset,
                             std::uint32_t bytes, Silent is_silent) {
    ShadowWord bad = 0;
    for (std::uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        ShadowWord& e = event.region.shadow[word];
        const ShadowUpdate update = next_shadow<shadowing>(current(e, event.epoch), event.epoch,
                                                           event.thread(lane), bytes < 4 ? 5 : 0);
        e = update.next;
        bad |= update.bad;
    }
    if (bad != 0 && !is_silent()) [[unlikely]]
        event.suspect(offset);
}

}  // namespace vgpu
