// The pages that one run of a launch touches: made ready at their first access, saved at their
// first write.
#pragma once

#include <cstdint>

#include "memory/device_memory.h"
#include "memory/pages.h"
#include "memory/region.h"

namespace vgpu {

class Undo;

struct LaunchPages {
    std::uint32_t run = 0;        ///< the number of this run of the launch
    DeviceMemory::Owners owners;  ///< of its blocks, in shadow words
    Undo* undo = nullptr;
    bool is_parallel = false;  ///< other workers run blocks of the same launch now

    /// Whether all pages of a region are ready, for writing if `writes`.
    bool is_open(const Region& region, bool writes) const {
        return region.open.run == run &&
               (writes ? region.open.saved : region.open.touched) == pages_of(region);
    }
    /// Whether all of them were found written, every byte.
    bool is_whole(const Region& region) const {
        return region.open.run == run && region.open.whole == pages_of(region);
    }
    /// Makes a page ready for the launch's first access, or first write.
    void open(Region&, std::uint64_t page, bool writes) const;
};

}  // namespace vgpu
