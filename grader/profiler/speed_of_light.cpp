#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/parts.h"
#include "profiler/sections.h"

namespace lab {

using profiles::real;

const char* to_string(Origin origin) {
    switch (origin) {
        // clang-format off
        case Origin::set: return "set";
        case Origin::counted: return "counted";
        case Origin::modelled: return "modelled";
            // clang-format on
    }
    return "";
}

namespace {

ProfileRow throughput(std::string name, double share) {
    return {std::move(name), percent_text(share), Origin::modelled, std::min(share, 1.0)};
}

}  // namespace

ProfileSection speed_of_light(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const vgpu::model::KernelCost& cost = profile.cost;
    const double all_s = cost.seconds();
    const auto share = [&](double part_s) { return profiles::ratio(part_s, all_s); };
    ProfileSection section{"GPU Speed Of Light Throughput", {}, {}, {}};
    section.rows.push_back({"Duration", time_text(all_s), Origin::modelled});
    section.rows.push_back(throughput("Compute (SM) Throughput", share(cost.issue_s)));
    section.rows.push_back(
        throughput("Memory Throughput", share(std::max({cost.l1_s, cost.l2_s, cost.memory_s}))));
    section.rows.push_back(throughput("  L1/TEX Cache Throughput", share(cost.l1_s)));
    section.rows.push_back(throughput("  L2 Cache Throughput", share(cost.l2_s)));
    section.rows.push_back(throughput("  DRAM Throughput", share(cost.memory_s)));
    const profiles::Part& longest = profiles::longest_part(cost);
    section.notes.push_back(fmt::format("What takes longest: {}, {} of the time.", longest.limit,
                                        percent_text(share(cost.*longest.time_s))));
    const double used = real(std::min<std::uint64_t>(profile.work.blocks, gpu.multiprocessors));
    if (used < gpu.multiprocessors)
        section.notes.push_back(
            fmt::format("Only {:.0f} of {} multiprocessors have a block; shares are of those.",
                        used, gpu.multiprocessors));
    return section;
}

std::string gpu_name(const vgpu::model::Gpu& gpu) {
    constexpr std::string_view kBefore = "modelled on ";
    const std::string_view name = gpu.name;
    const std::size_t at = name.find(kBefore);
    return "an " + std::string(at == name.npos ? name : name.substr(at + kBefore.size()));
}

std::vector<ProfileSection> sections_of(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    return {speed_of_light(profile, gpu),    compute_workload(profile, gpu),
            memory_workload(profile, gpu),   warp_states(profile, gpu),
            launch_statistics(profile, gpu), occupancy(profile, gpu),
            source_counters(profile)};
}

std::vector<std::string> not_known(const KernelProfile& profile) {
    std::vector<std::string> list = {
        "Instructions are those of the PTX; the GPU's own, which ptxas makes of them, are up to a "
        "third "
        "more or fewer.",
        "A duration is that of the kernel's work, without the launch.",
        "Not modelled: clock changes, instruction cache, other work on the GPU, and how long warps "
        "wait at barriers for each other."};
    if (!profile.registers_are_measured)
        list.emplace_back(
            "Registers are estimated from the PTX, and so is what follows from them.");
    return list;
}

}  // namespace lab
