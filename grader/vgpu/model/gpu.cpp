#include "vgpu/model/gpu.h"

namespace vgpu::model {

const Gpu& h200() {
    static constexpr Gpu gpu{
        .name = "Virtual GPU, modelled on NVIDIA H200",
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
    return gpu;
}

}  // namespace vgpu::model
