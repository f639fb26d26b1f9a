// Splits, holds and ends a warp's paths. The picture is in warp.h.
#include <algorithm>
#include <cstddef>

#include "state/warp.h"

namespace vgpu {

namespace {

/// Lanes of a path that later ones have: it waits for those.
Mask lanes_elsewhere(const std::vector<Path>& paths, std::size_t index) {
    Mask lanes = 0;
    for (std::size_t later = index + 1; later < paths.size(); ++later) lanes |= paths[later].mask;
    return lanes & paths[index].mask;
}

/// The path that `path` returns to: the same for all its lanes.
const Path* caller_of(const std::vector<Path>& paths, const Path& path) {
    for (const Path& other : paths)
        if (other.depth + 1 == path.depth && (other.mask & path.mask) != 0) return &other;
    return nullptr;
}

}  // namespace

bool release_early(std::vector<Path>& paths, Mask lanes) {
    bool released = false;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const Mask away = lanes_elsewhere(paths, i), here = paths[i].mask & ~away;
        if (away == 0 || (here & lanes) == 0) continue;
        released = true;
        Path early{paths[i].pc, paths[i].reconvergence, here, paths[i].depth};
        paths[i].mask = away;
        paths.insert(paths.begin() + static_cast<std::ptrdiff_t>(++i), std::move(early));
    }
    return released;
}

bool all_wait(const std::vector<Path>& paths) {
    for (std::size_t i = 0; i < paths.size(); ++i)
        if (!paths[i].waits() && lanes_elsewhere(paths, i) == 0) return false;
    return true;
}

void merge_equal(std::vector<Path>& paths) {
    const auto runs_at = [&](std::size_t i) {
        return !paths[i].waits() && lanes_elsewhere(paths, i) == 0;
    };
    for (std::size_t i = 0; i + 1 < paths.size(); ++i)
        for (std::size_t later = i + 1; later < paths.size(); ++later) {
            const Path &a = paths[i], &b = paths[later];
            if (a.pc != b.pc || a.reconvergence != b.reconvergence || a.depth != b.depth) continue;
            if (!runs_at(i) || !runs_at(later) || caller_of(paths, a) != caller_of(paths, b))
                continue;
            paths[later].mask |= paths[i].mask;
            paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(i--));
            break;
        }
}

bool run_another(std::vector<Path>& paths) {
    for (auto i = paths.begin(); i != paths.end(); ++i) {
        const auto index = static_cast<std::size_t>(i - paths.begin());
        if (i->waits() || lanes_elsewhere(paths, index) != 0) continue;
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
