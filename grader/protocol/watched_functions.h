// Lists the CUDA runtime functions that a submission on a GPU reaches through ours, so that we know
// each of its allocations: the driver reports none. core/build/build.cpp renames them in its object
// file; runner/allocations_gpu.cpp defines the new names.
#pragma once

namespace lab {

inline constexpr const char* kWatchedPrefix = "lab_";

/// With --default-stream=per-thread nvcc calls those that end in _ptsz.
inline constexpr const char* kWatchedFunctions[] = {
    "cudaMalloc",
    "cudaMallocManaged",
    "cudaMallocPitch",
    "cudaMalloc3D",
    "cudaFree",
    "cudaMallocAsync",
    "cudaMallocAsync_ptsz",
    "cudaMallocFromPoolAsync",
    "cudaMallocFromPoolAsync_ptsz",
    "cudaFreeAsync",
    "cudaFreeAsync_ptsz",
    "cudaDeviceReset",
};

}  // namespace lab
