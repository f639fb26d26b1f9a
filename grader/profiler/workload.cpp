// Compute Workload Analysis and Memory Workload Analysis.
#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/sections.h"

namespace lab {

using profiles::kLanes;
using profiles::ratio;
using profiles::real;

namespace {

constexpr double kIssueSlots = 4;

std::string decimal(double value) {
    return fmt::format("{:.{}f}", value, value < 9.95 ? 2 : 1);
}

/// Of what passes in sectors, what the bytes need.
std::string needed(double bytes, double sectors) {
    return sectors > 0 ? percent_text(std::min(1.0, bytes / (vgpu::model::kSectorBytes * sectors)))
                       : "-";
}

ProfileTable pipes_of(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const vgpu::Counts& c = profile.counts();
    const double cycles = multiprocessor_cycles(profile, gpu);
    ProfileTable table{Origin::counted, {"Pipe", "Warp instructions", "Utilization", "does"}, {}};
    const auto add = [&](const char* name, std::uint64_t count, double a_cycle, const char* does) {
        if (count == 0) return;
        table.rows.push_back(
            {name, count_text(real(count)),
             a_cycle > 0 ? percent_text(ratio(real(count) / a_cycle, cycles)) : "-", does});
    };
    add("FMA", c.fma, gpu.fma_a_cycle, "floats; integer multiplication");
    add("ALU", c.alu - c.folded_alu, gpu.alu_a_cycle, "integers, comparisons");
    add("FP64", c.fp64, gpu.fp64_a_cycle, "doubles");
    add("FP16", c.fp16, 0, "halves");
    add("XU", c.xu, gpu.xu_a_cycle, "functions, conversions");
    add("Tensor", c.tensor, 0, "matrix products");
    add("LSU", c.lsu, 0, "memory, shuffles");
    add("ADU", c.adu, 0, "constants, barriers");
    add("CBU", c.cbu, 0, "branches");
    return table;
}

/// Requests to global and local memory.
ProfileTable l1_table(const vgpu::Counts& c) {
    ProfileTable table{
        Origin::counted, {"L1/TEX Cache", "Requests", "Sectors", "Sectors/Req", "needed"}, {}};
    const auto add = [&](const char* name, std::uint64_t requests, std::uint64_t sectors,
                         const std::string& of_them) {
        if (requests == 0) return;
        table.rows.push_back({name, count_text(real(requests)), count_text(real(sectors)),
                              decimal(ratio(real(sectors), real(requests))), of_them});
    };
    add("Global Load", c.global_load_requests, c.global_load_sectors,
        needed(real(c.global_load_bytes), real(c.global_load_sectors)));
    add("Global Store", c.global_store_requests, c.global_store_sectors,
        needed(real(c.global_store_bytes), real(c.global_store_sectors)));
    add("Global Atomic", c.global_atomic_requests, c.global_atomic_sectors, "-");
    add("Global Reduction", c.global_reduction_requests, c.global_reduction_sectors, "-");
    add("Local Load", c.local_load_requests, c.local_load_sectors, "-");
    add("Local Store", c.local_store_requests, c.local_store_sectors, "-");
    return table;
}

ProfileTable shared_table(const vgpu::Counts& c) {
    ProfileTable table{
        Origin::counted,
        {"Shared Memory", "Requests", "Wavefronts", "Wavefronts/Req", "Bank Conflicts"},
        {}};
    const auto add = [&](const char* name, std::uint64_t requests, std::uint64_t wavefronts,
                         std::uint64_t conflicts) {
        if (requests == 0) return;
        table.rows.push_back({name, count_text(real(requests)), count_text(real(wavefronts)),
                              decimal(ratio(real(wavefronts), real(requests))),
                              count_text(real(conflicts))});
    };
    add("Shared Load", c.shared_load_requests, c.shared_load_wavefronts, c.shared_load_conflicts);
    add("Shared Store", c.shared_store_requests, c.shared_store_wavefronts,
        c.shared_store_conflicts);
    add("Shared Atomic", c.shared_atomic_requests, c.shared_atomic_wavefronts,
        c.shared_atomic_conflicts);
    return table;
}

}  // namespace

ProfileSection compute_workload(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const vgpu::Counts& c = profile.counts();
    const double cycles = multiprocessor_cycles(profile, gpu);
    const double ipc = ratio(real(c.warp_instructions - c.folded), cycles);
    ProfileSection section{"Compute Workload Analysis", {}, {}, {}};
    section.rows = {
        {"Executed Instructions", count_text(real(c.warp_instructions)), Origin::counted},
        {"Executed IPC Elapsed", fmt::format("{:.2f} of {:.0f}", ipc, kIssueSlots),
         Origin::modelled, ipc / kIssueSlots},
        {"Avg. Active Threads Per Warp",
         fmt::format("{:.1f} of {:.0f}",
                     ratio(real(c.thread_instructions), real(c.warp_instructions)), kLanes),
         Origin::counted, ratio(real(c.thread_instructions), kLanes * real(c.warp_instructions))}};
    section.tables.push_back(pipes_of(profile, gpu));
    return section;
}

ProfileSection memory_workload(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const vgpu::Counts& c = profile.counts();
    const vgpu::model::Traffic traffic = traffic_of(gpu, profile.work);
    const double seconds = profile.cost.seconds();
    ProfileSection section{"Memory Workload Analysis", {}, {}, {}};
    section.rows = {{"Memory Throughput", bytes_text(ratio(traffic.memory_bytes, seconds)) + "/s",
                     Origin::modelled, ratio(profile.cost.memory_s, seconds)},
                    {"Device Memory", bytes_text(traffic.memory_bytes), Origin::modelled}};
    if (c.global_load_requests > 0)
        section.rows.push_back({"L1/TEX Hit Rate of loads",
                                percent_text(1 - traffic.l1_missed_share), Origin::modelled});
    for (ProfileTable table : {l1_table(c), shared_table(c)})
        if (!table.rows.empty()) section.tables.push_back(std::move(table));
    if (profile.work.hottest_visits > 0 && !profile.hottest_allocation.empty())
        section.notes.push_back(fmt::format("{} atomics queue up at one place, in {}.",
                                            count_text(real(profile.work.hottest_visits)),
                                            profile.hottest_allocation));
    return section;
}

}  // namespace lab
