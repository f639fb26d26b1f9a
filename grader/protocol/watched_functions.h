// Functions of the CUDA runtime that a submission reaches through ours on a GPU: its allocations
// are known one by one, which the driver tells nobody. In its object file the names are changed
// (core/build.cpp); who defines the new ones is runner/allocations_gpu.cpp.
//
// Interface: kWatchedFunctions, kWatchedPrefix.
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
