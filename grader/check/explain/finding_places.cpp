#include "check/explain/finding_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace lab {
namespace {

using nlohmann::json;
using vgpu::Check;
using vgpu::Dim3;
using vgpu::Finding;

/// How many of x, y and z are needed to tell indices from (0,0,0).
std::size_t axes_of(const Dim3& index) {
    return index.z != 0 ? 3 : index.y != 0 ? 2 : 1;
}

std::string text_of(const Dim3& index, std::size_t axes) {
    if (axes == 1) return std::to_string(index.x);
    if (axes == 2) return fmt::format("({},{})", index.x, index.y);
    return fmt::format("({},{},{})", index.x, index.y, index.z);
}

/// A thread of a finding, or of the other access of a race.
struct Side {
    vgpu::SourceLine where;
    Dim3 thread, block;
    bool writes = false;

    std::string text(std::size_t thread_axes, std::size_t block_axes) const {
        return fmt::format("thread {} of block {}", text_of(thread, thread_axes),
                           text_of(block, block_axes));
    }
};

Side side_of(const Finding& finding) {
    return {finding.where, finding.thread, finding.block, finding.is_write};
}

/// "just past the end of a"
std::string relation(const Finding& finding, const vgpu::Names& names) {
    if (!finding.nearest) return "outside every allocation";
    const std::string name = names.allocation(finding.nearest->allocation);
    const std::int64_t by = finding.nearest->distance_bytes;
    if (by == 0) return "just past the end of " + name;
    if (by > 0) return fmt::format("{} bytes past the end of {}", by, name);
    return fmt::format("{} bytes before the start of {}", -by, name);
}

/// What the thread does in the finding's line, by the kind of finding.
std::string deed(const Finding& finding, const vgpu::Names& names) {
    const std::string verb = finding.is_write ? "writes" : "reads";
    const std::string name =
        finding.nearest ? names.allocation(finding.nearest->allocation) : std::string();
    switch (finding.check) {
        case Check::out_of_bounds:
            return fmt::format("{} {}", verb, relation(finding, names));
        case Check::use_after_free:
            return fmt::format("{} {}, which was freed", verb, name);
        case Check::host_pointer:
            return verb + " through a pointer that does not point to device memory";
        case Check::misaligned:
            return fmt::format("{} {} bytes at an address that is no multiple of {}", verb,
                               finding.access_bytes, finding.access_bytes);
        case Check::uninitialized_read:
            if (finding.space == vgpu::Space::shared)
                return "reads shared memory that was never written";
            return name.empty() ? "reads memory that was never written"
                                : fmt::format("reads {} where nothing was written", name);
        case Check::barrier_divergence:
            return "waits here, and others of its block never come";
        case Check::deadlock:
            return "waits here for ever";
        case Check::instruction_limit:
            return "was still running here";
        case Check::trap:
            return "stopped here";
        default:
            return "";
    }
}

json marked_line(const vgpu::SourceLine& where, const std::string& label, const std::string& name,
                 const vgpu::Names& names) {
    return {
        {"file", names.file(where.file)}, {"line", where.line}, {"label", label}, {"name", name}};
}

/// Both accesses of a race, with blocks named only where they differ.
json race_places(const Side& one, const Side& two, const std::string& name,
                 const vgpu::Names& names) {
    const std::size_t thread_axes = std::max(axes_of(one.thread), axes_of(two.thread));
    const std::size_t block_axes = std::max(axes_of(one.block), axes_of(two.block));
    const auto who = [&](const Side& side) {
        return one.block == two.block ? "thread " + text_of(side.thread, thread_axes)
                                      : side.text(thread_axes, block_axes);
    };
    // The excerpt goes down the file, so what links the two stands at the line further down.
    const auto label = [&](const Side& side, bool is_last) {
        return fmt::format("{} {}{}", who(side), side.writes ? "writes" : "reads",
                           is_last ? " the same place, maybe earlier" : "");
    };
    const bool is_one_last = one.where.line > two.where.line;
    return json::array({marked_line(one.where, label(one, is_one_last), name, names),
                        marked_line(two.where, label(two, !is_one_last), name, names)});
}

}  // namespace

json place_to_show(const Place& place) {
    return {{"file", place.file}, {"line", place.line}, {"label", ""}, {"name", ""}};
}

json finding_places(const Finding& finding, const vgpu::Names& names) {
    if (finding.where.line == 0) return json::array();
    const std::string name =
        finding.nearest ? names.variable(finding.nearest->allocation) : std::string();
    const Side side = side_of(finding);
    if (finding.check == Check::race && finding.other && finding.other->where.line != 0) {
        const vgpu::Other& other = *finding.other;
        return race_places(side, {other.where, other.thread, other.block, other.is_write}, name,
                           names);
    }
    const std::string what = deed(finding, names);
    const std::string label =
        what.empty() ? "" : side.text(axes_of(side.thread), axes_of(side.block)) + " " + what;
    return json::array({marked_line(finding.where, label, name, names)});
}

}  // namespace lab
