// Launch Statistics, Occupancy.
#include "vgpu/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "profiler/numbers.h"
#include "profiler/sections.h"

namespace lab {

using profiles::real;
using vgpu::model::KernelResources;

namespace {

/// What of a multiprocessor limits its blocks.
enum class Limit { registers, shared_memory, warps };

/// Blocks that a multiprocessor would hold if nothing else limited them.
std::uint32_t blocks_by(Limit limit, vgpu::model::Gpu gpu, const KernelProfile& profile) {
    constexpr std::uint32_t kEnough = 1 << 20;
    if (limit != Limit::shared_memory) gpu.blocks_per_multiprocessor = kEnough;
    if (limit != Limit::warps) gpu.threads_per_multiprocessor = kEnough;
    KernelResources resources;
    resources.registers = limit == Limit::registers ? profile.registers : 0;
    resources.max_dynamic_shared_bytes = gpu.shared_bytes_per_block_opt_in;
    if (limit == Limit::shared_memory)
        resources.static_shared_bytes = profile.static_shared_bytes;
    else
        gpu.reserved_shared_bytes_per_block = 0;
    return blocks_per_multiprocessor(
        gpu, resources, static_cast<std::uint32_t>(profile.threads_per_block()),
        limit == Limit::shared_memory ? profile.dynamic_shared_bytes : 0);
}

}  // namespace

ProfileSection launch_statistics(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const double blocks = real(profile.work.blocks);
    const double at_once = real(std::max<std::uint64_t>(1, profile.work.blocks_at_once));
    ProfileSection section{"Launch Statistics", {}, {}, {}};
    section.rows = {
        {"Grid Size", count_text(blocks), Origin::set},
        {"Block Size", count_text(real(profile.threads_per_block())), Origin::set},
        {"Registers Per Thread",
         fmt::format("{}{}", profile.registers,
                     profile.registers_are_measured ? "" : " (estimated)"),
         Origin::set},
        {"Static Shared Memory Per Block", bytes_text(profile.static_shared_bytes), Origin::set},
        {"Dynamic Shared Memory Per Block", bytes_text(real(profile.dynamic_shared_bytes)),
         Origin::set},
        {"Waves Per SM", fmt::format("{:.2f}", blocks / at_once), Origin::modelled}};
    const double threads = real(profile.threads_per_block());
    if (const double odd = threads - 32 * static_cast<double>(profile.threads_per_block() / 32);
        odd > 0)
        section.notes.push_back(fmt::format(
            "A block of {:.0f} threads leaves {:.0f} lanes of its last warp without work.", threads,
            32 - odd));
    if (blocks < gpu.multiprocessors)
        section.notes.push_back(fmt::format(
            "{} for {} multiprocessors: some have nothing to do.",
            blocks == 1 ? "1 block" : count_text(blocks) + " blocks", gpu.multiprocessors));
    return section;
}

ProfileSection occupancy(const KernelProfile& profile, const vgpu::model::Gpu& gpu) {
    const std::uint32_t by_registers = blocks_by(Limit::registers, gpu, profile),
                        by_shared = blocks_by(Limit::shared_memory, gpu, profile),
                        by_warps = blocks_by(Limit::warps, gpu, profile);
    const Origin from_registers =
        profile.registers_are_measured ? Origin::counted : Origin::modelled;
    ProfileSection section{"Occupancy", {}, {}, {}};
    const auto share = [](double pct) { return pct / 100; };
    section.rows = {
        {"Theoretical Occupancy", percent_text(share(profile.theoretical_occupancy_pct)),
         from_registers, share(profile.theoretical_occupancy_pct)},
        {"Achieved Occupancy", percent_text(share(profile.achieved_occupancy_pct)),
         Origin::modelled, share(profile.achieved_occupancy_pct)},
        {"Block Limit SM", std::to_string(gpu.blocks_per_multiprocessor), Origin::set},
        {"Block Limit Registers", std::to_string(by_registers), from_registers},
        {"Block Limit Shared Mem", std::to_string(by_shared), Origin::counted},
        {"Block Limit Warps", std::to_string(by_warps), Origin::counted}};
    return section;
}

}  // namespace lab
