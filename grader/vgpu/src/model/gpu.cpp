#include "vgpu/gpu.h"

#include <array>

namespace vgpu::model {
namespace {

constexpr Gpu kH200{
    .key = "h200",
    .name = "Virtual GPU, modelled on NVIDIA H200",
    .is_measured = true,
    .compute_major = 9,
    .compute_minor = 0,
    .max_threads_per_block = 1024,
    .max_block = {1024, 1024, 64},
    .max_grid = {2147483647, 65535, 65535},
    .shared_bytes_per_block = 49152,
    .shared_bytes_per_block_opt_in = 232448,
    .registers_per_block = 65536,
    .multiprocessors = 132,
    .threads_per_multiprocessor = 2048,
    .blocks_per_multiprocessor = 32,
    .registers_per_multiprocessor = 65536,
    .shared_bytes_per_multiprocessor = 233472,
    .reserved_shared_bytes_per_block = 1024,
    .fma_a_cycle = 4,
    .alu_a_cycle = 2,
    .fp64_a_cycle = 2,
    .xu_a_cycle = 0.5,
    .constant_bytes = 65536,
    .l2_bytes = 62914560,
    .memory_bus_bits = 6016,
    .memory_clock_khz = 3201000,
    .clock_khz = 1980000,
    .pitch_alignment_bytes = 512,
    .launch_s = 4.9e-6,
    .blocks_per_s = 1.65e9,
    .l2_bytes_per_s = 5.5e12,
    .float_atomic_s = 1.76e-9,
    .integer_atomic_s = 0.77e-9,
    .device_bytes_per_s = 4.2e12,
    .device_copy_s = 6.0e-6,
    .fill_s = 2.6e-6,
    .pinned_bytes_per_s = 55.5e9,
    .pinned_copy_s = 3.5e-6,
    .pageable_bytes_per_s = 23.2e9,
    .pageable_copy_s = 8.0e-6,
    .host_call_s = 1.0e-6,
};

// GPUs that students own, from what NVIDIA publishes about them: data sheets, architecture white
// papers, and the tables by compute capability in the CUDA programming guide. Clocks are boost
// clocks. Nothing was measured on one: each rate is the share of the published figures that an H200
// reaches.

constexpr double bytes_per_s(const Gpu& gpu) {
    constexpr double kDoubleDataRate = 2;
    return kDoubleDataRate * gpu.memory_clock_khz * 1e3 * gpu.memory_bus_bits / 8;
}

/// What an H200 makes of its own figures, made of this one's.
constexpr Gpu with_rates(Gpu gpu, double pcie_bytes_per_s) {
    const Gpu& known = kH200;
    constexpr double kPcieOfH200 = 63e9;  // generation 5, 16 lanes
    const double clocks = static_cast<double>(gpu.clock_khz) / known.clock_khz;
    const double multiprocessors = static_cast<double>(gpu.multiprocessors) / known.multiprocessors;
    gpu.launch_s = known.launch_s;
    gpu.blocks_per_s = known.blocks_per_s * clocks;
    gpu.l2_bytes_per_s = known.l2_bytes_per_s * clocks * multiprocessors;
    gpu.float_atomic_s = known.float_atomic_s / clocks;
    gpu.integer_atomic_s = known.integer_atomic_s / clocks;
    gpu.device_bytes_per_s = known.device_bytes_per_s * bytes_per_s(gpu) / bytes_per_s(known);
    gpu.device_copy_s = known.device_copy_s;
    gpu.fill_s = known.fill_s;
    gpu.pinned_bytes_per_s = known.pinned_bytes_per_s * pcie_bytes_per_s / kPcieOfH200;
    gpu.pinned_copy_s = known.pinned_copy_s;
    gpu.pageable_bytes_per_s = known.pageable_bytes_per_s * pcie_bytes_per_s / kPcieOfH200;
    gpu.pageable_copy_s = known.pageable_copy_s;
    gpu.host_call_s = known.host_call_s;
    return gpu;
}

/// What is common to all GPUs of a compute capability.
constexpr Gpu turing() {
    Gpu gpu = kH200;
    gpu.is_measured = false;
    gpu.compute_major = 7;
    gpu.compute_minor = 5;
    gpu.shared_bytes_per_block_opt_in = 65536;
    gpu.threads_per_multiprocessor = 1024;
    gpu.blocks_per_multiprocessor = 16;
    gpu.shared_bytes_per_multiprocessor = 65536;
    gpu.reserved_shared_bytes_per_block = 0;
    gpu.fma_a_cycle = 2;
    gpu.fp64_a_cycle = 2. / 32;
    return gpu;
}

constexpr Gpu ampere_of_consumers() {
    Gpu gpu = kH200;
    gpu.is_measured = false;
    gpu.compute_major = 8;
    gpu.compute_minor = 6;
    gpu.shared_bytes_per_block_opt_in = 101376;
    gpu.threads_per_multiprocessor = 1536;
    gpu.blocks_per_multiprocessor = 16;
    gpu.shared_bytes_per_multiprocessor = 102400;
    gpu.fp64_a_cycle = 2. / 32;
    return gpu;
}

constexpr Gpu ada() {
    Gpu gpu = ampere_of_consumers();
    gpu.compute_minor = 9;
    gpu.blocks_per_multiprocessor = 24;
    return gpu;
}

constexpr Gpu gtx_1650() {
    Gpu gpu = turing();
    gpu.key = "gtx-1650";
    gpu.name = "Virtual GPU, modelled on NVIDIA GeForce GTX 1650";
    gpu.multiprocessors = 14;
    gpu.clock_khz = 1665000;
    gpu.l2_bytes = 1 << 20;
    gpu.memory_bus_bits = 128;
    gpu.memory_clock_khz = 4001000;
    return with_rates(gpu, 15.75e9);  // generation 3, 16 lanes
}

constexpr Gpu t4() {
    Gpu gpu = turing();
    gpu.key = "t4";
    gpu.name = "Virtual GPU, modelled on NVIDIA T4";
    gpu.multiprocessors = 40;
    gpu.clock_khz = 1590000;
    gpu.l2_bytes = 4 << 20;
    gpu.memory_bus_bits = 256;
    gpu.memory_clock_khz = 5001000;
    return with_rates(gpu, 15.75e9);
}

constexpr Gpu rtx_3060() {
    Gpu gpu = ampere_of_consumers();
    gpu.key = "rtx-3060";
    gpu.name = "Virtual GPU, modelled on NVIDIA GeForce RTX 3060";
    gpu.multiprocessors = 28;
    gpu.clock_khz = 1777000;
    gpu.l2_bytes = 3 << 20;
    gpu.memory_bus_bits = 192;
    gpu.memory_clock_khz = 7501000;
    return with_rates(gpu, 31.5e9);  // generation 4, 16 lanes
}

constexpr Gpu rtx_4060() {
    Gpu gpu = ada();
    gpu.key = "rtx-4060";
    gpu.name = "Virtual GPU, modelled on NVIDIA GeForce RTX 4060";
    gpu.multiprocessors = 24;
    gpu.clock_khz = 2460000;
    gpu.l2_bytes = 24 << 20;
    gpu.memory_bus_bits = 128;
    gpu.memory_clock_khz = 8501000;
    return with_rates(gpu, 15.75e9);  // generation 4, 8 lanes
}

constexpr std::array kProfiles{kH200, gtx_1650(), rtx_3060(), rtx_4060(), t4()};

const Gpu* chosen = kProfiles.data();

}  // namespace

const Gpu& h200() {
    return kProfiles[0];
}

std::span<const Gpu> profiles() {
    return kProfiles;
}

const Gpu* profile(std::string_view key) {
    for (const Gpu& gpu : kProfiles) {
        if (gpu.key == key) return &gpu;
    }
    return nullptr;
}

const Gpu& modelled_gpu() {
    return *chosen;
}

void choose(const Gpu& gpu) {
    chosen = &gpu;
}

}  // namespace vgpu::model
