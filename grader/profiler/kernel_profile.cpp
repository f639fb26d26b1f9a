#include "profiler/kernel_profile.h"

#include <algorithm>
#include <string_view>

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
    for (const json& line : more.at("lines")) profile.lines.push_back(vgpu::line_counts_of(line));
    profile.work = vgpu::work_of(record);
    // Of a launch with more data than ran, the grid is that of the data that ran.
    if (record.contains("blocks")) record.at("blocks").get_to(profile.work.blocks);
    if (record.contains("hottest_atomic"))
        profile.hottest_allocation = record.at("hottest_atomic").value("allocation", "");
    profile.cost = cost_of(gpu, profile.work);
    profile.all_launches_s = profile.cost.seconds();
    return profile;
}

}  // namespace

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
    const double all_s = known->all_launches_s + launch.all_launches_s;
    const std::uint64_t launches = known->launches + launch.launches;
    if (launch.cost.seconds() > known->cost.seconds()) *known = std::move(launch);
    known->all_launches_s = all_s;
    known->launches = launches;
}

void sort_by_time(std::vector<KernelProfile>& kernels) {
    std::ranges::stable_sort(kernels, std::ranges::greater(), &KernelProfile::all_launches_s);
}

}  // namespace lab
