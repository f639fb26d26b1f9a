#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/sections.h"

namespace lab {

using profiles::ratio;
using profiles::real;

namespace {

constexpr std::size_t kLines = 6;

std::string each(double part, double whole) {
    return whole > 0 ? fmt::format("{:.1f}", part / whole) : "-";
}

}  // namespace

double line_cost(const vgpu::LineCounts& line) {
    return real(line.warp_instructions) / 4 + real(line.global_sectors) / 4 +
           real(line.shared_wavefronts) + real(line.local_sectors) / 4;
}

ProfileSection source_counters(const KernelProfile& profile) {
    const vgpu::Counts& c = profile.counts();
    ProfileSection section{"Source Counters", {}, {}, {}};
    section.rows = {
        {"Branch Instructions", count_text(real(c.branches)), Origin::counted},
        {"Branch Efficiency", percent_text(1 - ratio(real(c.divergent_branches), real(c.branches))),
         Origin::counted},
        {"Divergent Branches", count_text(real(c.divergent_branches)), Origin::counted}};
    std::vector<const vgpu::LineCounts*> lines;
    double all = 0, instructions = 0;
    for (const vgpu::LineCounts& line : profile.all.lines) {
        all += line_cost(line);
        instructions += real(line.warp_instructions);
        if (line.where.line > 0) lines.push_back(&line);
    }
    std::ranges::stable_sort(
        lines, [](const auto* a, const auto* b) { return line_cost(*a) > line_cost(*b); });
    lines.resize(std::min(lines.size(), kLines));
    ProfileTable table{Origin::counted,
                       {"Line", "Cost", "Instructions", "Lanes", "Sectors/Req", "Wavefronts/Req"},
                       {}};
    for (const vgpu::LineCounts* line : lines)
        table.rows.push_back(
            {fmt::format("{}:{}", std::filesystem::path(line->where.file).filename().string(),
                         line->where.line),
             percent_text(ratio(line_cost(*line), all)),
             percent_text(ratio(real(line->warp_instructions), instructions)),
             each(real(line->thread_instructions), real(line->warp_instructions)),
             each(real(line->global_sectors), real(line->global_requests)),
             each(real(line->shared_wavefronts), real(line->shared_requests))});
    if (!table.rows.empty()) section.tables.push_back(std::move(table));
    return section;
}

}  // namespace lab
