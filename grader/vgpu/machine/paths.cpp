// How a warp's paths split, wait and end. The picture is in warp.h.
#include <algorithm>

#include "vgpu/machine/warp.h"

namespace vgpu {

bool run_another(std::vector<Path>& paths) {
    for (auto i = paths.begin(); i != paths.end(); ++i) {
        const bool leaf = std::none_of(
            i + 1, paths.end(), [&](const Path& later) { return (later.mask & i->mask) != 0; });
        if (!leaf || i->waits()) continue;
        std::rotate(i, i + 1, paths.end());
        return true;
    }
    return false;
}

void remove_lanes(std::vector<Path>& paths, Mask lanes, std::uint32_t first_depth) {
    for (auto& path : paths)
        if (path.depth >= first_depth) path.mask &= ~lanes;
    std::erase_if(paths, [](const Path& path) { return path.mask == 0; });
}

void split(Warp& warp, std::span<const Part> parts, std::uint32_t reconvergence) {
    const std::uint32_t depth = warp.paths.back().depth;
    // The path itself becomes the meeting point, unless it meets at the same place already: then
    // its own meeting point, further down, serves. Loops would add one path an iteration otherwise.
    if (reconvergence == warp.paths.back().reconvergence)
        warp.paths.pop_back();
    else
        warp.paths.back().pc = reconvergence;
    for (const Part& part : parts)
        if (part.pc != reconvergence)
            warp.paths.push_back({part.pc, reconvergence, part.lanes, depth});
}

}  // namespace vgpu
