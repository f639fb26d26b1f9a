// Measures versions of lab 01's global_ids on the GPU that is there, and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu
//   ./measure > store_bandwidth.csv
//
// Each time is the median of 15 launches between two events, after one to warm up; L2 is flushed
// before each. Bandwidth counts the 4 bytes that are written for each element.

#include <cstdio>
#include <string>

#include "../../figures/measure.h"

__global__ void plain_kernel(int* ids, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ids[i] = i;
}

__global__ void stride_kernel(int* ids, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) ids[i] = i;
}

__global__ void consecutive_kernel(int* ids, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    for (int i = first; i < first + 16 && i < n; ++i) ids[i] = i;
}

__global__ void int4_kernel(int* ids, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first + 3 < n) {
        *reinterpret_cast<int4*>(ids + first) = make_int4(first, first + 1, first + 2, first + 3);
    } else {
        for (int i = first; i < n; ++i) ids[i] = i;
    }
}

static void versions() {
    const int n = 100'000'007;  // 400 MB
    int* ids;
    CUDA_CALL(cudaMalloc(&ids, n * sizeof(int)));
    measure::Stopwatch stopwatch;
    const auto row = [&](const std::string& name, const measure::Action& launch, int rounds = 15) {
        const float time_ms = stopwatch.median_ms(launch, rounds);
        std::printf("%s,%.4f,%.1f\n", name.c_str(), time_ms, 4e-6 * n / time_ms);
    };
    std::printf("version,time_ms,bandwidth_gb_per_s\n");
    for (const int block : {1, 32, 64, 128, 256, 512, 1024}) {
        row("block " + std::to_string(block),
            [&] { plain_kernel<<<(n + block - 1) / block, block>>>(ids, n); });
    }
    row("int4", [&] { int4_kernel<<<(n + 1023) / 1024, 256>>>(ids, n); });
    row("grid-stride", [&] { stride_kernel<<<132 * 32, 256>>>(ids, n); });
    row("16 consecutive", [&] { consecutive_kernel<<<(n + 4095) / 4096, 256>>>(ids, n); });
    row(
        "one block", [&] { stride_kernel<<<1, 256>>>(ids, n); }, 3);
    row(
        "one thread", [&] { stride_kernel<<<1, 1>>>(ids, n); }, 1);
}

int main() {
    measure::print_machine();
    versions();
}
