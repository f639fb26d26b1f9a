#include "profiler/kernel_profile.h"

#include <algorithm>
#include <string_view>

#include "profiler/numbers.h"
#include "vgpu/work.h"

namespace lab {
namespace {

using nlohmann::json;

KernelProfile profile_of(const json& record, const vgpu::model::Gpu& gpu) {
    KernelProfile profile;
    profile.kernel = record.at("kernel");
    record.at("grid").get_to(profile.grid);
    record.at("block").get_to(profile.block);
    record.at("dynamic_shared_bytes").get_to(profile.dynamic_shared_bytes);
    const json& occupancy = record.at("occupancy");
    profile.theoretical_occupancy_pct = occupancy.at("sm__maximum_warps_per_active_cycle_pct");
    profile.achieved_occupancy_pct =
        occupancy.at("sm__warps_active.avg.pct_of_peak_sustained_active");
    const json& more = record.at("profile");
    more.at("registers").get_to(profile.registers);
    more.at("registers_are_measured").get_to(profile.registers_are_measured);
    more.at("static_shared_bytes").get_to(profile.static_shared_bytes);
    profile.states = vgpu::warp_states_of(more.at("states"));
    for (const json& line : more.at("lines"))
        profile.all.lines.push_back(vgpu::line_counts_of(line));
    profile.work = vgpu::work_of(record);
    // Of a launch with more data than ran, the grid is that of the data that ran.
    if (record.contains("blocks")) record.at("blocks").get_to(profile.work.blocks);
    if (record.contains("hottest_atomic"))
        profile.hottest_allocation = record.at("hottest_atomic").value("allocation", "");
    profile.cost = cost_of(gpu, profile.work);
    profile.all.blocks = profile.work.blocks;
    profile.all.counts = profile.work.counts;
    profile.all.cost = profile.cost;
    profile.all.seconds = profile.cost.seconds();
    return profile;
}

}  // namespace

KernelProfile::Sum& KernelProfile::Sum::operator+=(const Sum& other) {
    launches += other.launches;
    blocks += other.blocks;
    counts += other.counts;
    cost += other.cost;
    seconds += other.seconds;
    for (std::size_t i = 0; i < other.lines.size(); ++i) {
        const vgpu::LineCounts& line = other.lines[i];
        // Launches of a kernel have the same lines, but for those that one did not come to.
        const bool is_here = i < lines.size() && lines[i].where == line.where;
        const auto same = is_here ? lines.begin() + static_cast<std::ptrdiff_t>(i)
                                  : std::ranges::find(lines, line.where, &vgpu::LineCounts::where);
        if (same == lines.end())
            lines.push_back(line);
        else
            *same += line;
    }
    return *this;
}

double multiprocessor_cycles(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const auto used =
        static_cast<double>(std::min<std::uint64_t>(profile.work.blocks, gpu.multiprocessors));
    return profile.cost.seconds() * gpu.clock_khz * 1e3 * used;
}

double warp_cycles_per_instruction(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const double warps = profile.achieved_occupancy_pct / 100 * gpu.threads_per_multiprocessor /
                         vgpu::model::kWarpSize;
    return profiles::ratio(multiprocessor_cycles(profile, gpu) * warps,
                           profiles::real(profile.counts().warp_instructions));
}

std::string KernelProfile::short_name() const {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::", kVoid = "void ";
    std::string name = kernel;
    for (std::size_t at; (at = name.find(kAnonymous)) != std::string::npos;)
        name.erase(at, kAnonymous.size());
    if (name.starts_with(kVoid)) name.erase(0, kVoid.size());
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>') --depth;
        if (name[i] == '(' && depth == 0) return name.substr(0, i);
    }
    return name;
}

std::optional<KernelProfile> kernel_profile(const json& record, const vgpu::model::Gpu& gpu) {
    if (!record.is_object() || record.value("record", "") != "launch" ||
        !record.contains("profile"))
        return std::nullopt;
    try {
        return profile_of(record, gpu);
    } catch (const json::exception&) {  // several launches in one record
        return std::nullopt;
    }
}

std::uint64_t unprofiled_launches(const json& record) {
    if (!record.is_object() || record.value("record", "") != "launch") return 0;
    const auto merged = record.find("merged");
    return merged != record.end() && merged->is_number_unsigned() ? merged->get<std::uint64_t>()
                                                                  : 0;
}

void add_launch(std::vector<KernelProfile>& kernels, KernelProfile launch) {
    const auto known = std::ranges::find(kernels, launch.kernel, &KernelProfile::kernel);
    if (known == kernels.end()) {
        kernels.push_back(std::move(launch));
        return;
    }
    KernelProfile::Sum all = std::move(known->all);
    all += launch.all;
    if (launch.cost.seconds() > known->cost.seconds()) *known = std::move(launch);
    known->all = std::move(all);
}

void sort_by_time(std::vector<KernelProfile>& kernels) {
    std::ranges::stable_sort(kernels, std::ranges::greater(),
                             [](const KernelProfile& kernel) { return kernel.all.seconds; });
}

}  // namespace lab
