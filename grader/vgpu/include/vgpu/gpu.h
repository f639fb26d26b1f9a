// The GPU that the virtual one stands for: an NVIDIA H200, unless another profile is chosen.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// It holds limits that a launch must respect, properties that a program may ask for, and rates of
// the modelled clock. Those marked "device" are what cudaGetDeviceProperties and
// cudaDeviceGetAttribute return on an H200 (driver 580, CUDA 13.0); those marked "measured" are
// event-timed medians there. Another GPU is another `Gpu` value (gpu.cpp): its device figures are
// NVIDIA's published ones, and nothing was measured on it.

namespace vgpu::model {

struct Gpu {
    const char* key;   ///< what `./lab vgpu run --gpu` calls it
    const char* name;  ///< as programs see it
    bool is_measured;
    int compute_major, compute_minor;  // device

    // Limits of a launch (device).
    std::uint32_t max_threads_per_block;
    std::uint32_t max_block[3], max_grid[3];
    std::uint32_t shared_bytes_per_block;         ///< without asking for more
    std::uint32_t shared_bytes_per_block_opt_in;  ///< after cudaFuncSetAttribute
    std::uint32_t registers_per_block;

    // A streaming multiprocessor (device).
    std::uint32_t multiprocessors;
    std::uint32_t threads_per_multiprocessor, blocks_per_multiprocessor;
    std::uint32_t registers_per_multiprocessor;
    std::uint32_t shared_bytes_per_multiprocessor;
    std::uint32_t reserved_shared_bytes_per_block;

    // Warp instructions that a multiprocessor can start in a cycle, by pipe (NVIDIA's tables of
    // throughput by compute capability). All of these GPUs start 4 in all.
    double fma_a_cycle, alu_a_cycle, fp64_a_cycle, xu_a_cycle;

    // Memory (device).
    std::uint32_t constant_bytes, l2_bytes;
    std::uint32_t memory_bus_bits, memory_clock_khz, clock_khz;
    std::uint32_t pitch_alignment_bytes;  ///< also where a texture may begin

    // Rates of the modelled clock (measured).
    double launch_s;        ///< an empty kernel
    double blocks_per_s;    ///< how fast blocks are handed to multiprocessors
    double l2_bytes_per_s;  ///< stores and atomics (from a kernel that stores again and again)
    double float_atomic_s, integer_atomic_s;  ///< at one address, one after the other
    double device_bytes_per_s;                ///< read + written, kernel or device-to-device copy
    double device_copy_s, fill_s;             ///< start of a device-to-device copy, of a memset
    double pinned_bytes_per_s, pinned_copy_s;
    double pageable_bytes_per_s, pageable_copy_s;
    double host_call_s;  ///< what a call costs the host (chosen: a round number of that size)
};

inline constexpr std::uint32_t kWarpSize = 32;
inline constexpr std::uint32_t kSectorBytes = 32;
inline constexpr std::uint32_t kTexturePitchAlignment = 32;  ///< bytes (device)

const Gpu& h200();

/// The H200 first.
std::span<const Gpu> profiles();
/// By its key; null when there is none.
const Gpu* profile(std::string_view key);

/// The one that this process models: the H200, or what was chosen, once, at the start.
const Gpu& modelled_gpu();
void choose(const Gpu&);

}  // namespace vgpu::model
