// Who accesses, and what is ordered before that. See access_events.h.
#include "execute/access_events.h"

namespace vgpu {

AccessEpoch epoch_of(const Warp& warp, const Region& region) {
    // Shared memory is a block's own.
    const ShadowWord owner = ShadowWord{warp.block->owner} << kOwnerAt;
    const ShadowWord oldest =
        region.pages ? ShadowWord{warp.execution->pages.owners.first} << kOwnerAt : owner;
    return {oldest,
            owner,
            warp.now & kShadowTime,
            warp.block->ordered & kShadowTime,
            warp.met & kShadowTime,
            warp.index};
}

}  // namespace vgpu
