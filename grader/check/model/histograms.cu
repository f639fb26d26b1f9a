// Histograms: few bins, many bins, and nearly all keys in one.

#include "check/model/bench.h"

namespace {

constexpr int kThreads = 256;

__global__ void global_kernel(const int* keys, int* counts, int n, int) {
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        atomicAdd(&counts[keys[i]], 1);
}

/// The block's own counts, in dynamic shared memory.
__global__ void shared_kernel(const int* keys, int* counts, int n, int bins) {
    extern __shared__ int own[];
    for (int bin = threadIdx.x; bin < bins; bin += kThreads) own[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += kThreads)
        if (own[bin] > 0) atomicAdd(&counts[bin], own[bin]);
}

/// Counts for each warp.
__global__ void warps_kernel(const int* keys, int* counts, int n, int bins) {
    extern __shared__ int own[];
    constexpr int kWarps = kThreads / 32;
    for (int bin = threadIdx.x; bin < kWarps * bins; bin += kThreads) own[bin] = 0;
    __syncthreads();
    int* mine = own + threadIdx.x / 32 * bins;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        atomicAdd(&mine[keys[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += kThreads) {
        int sum = 0;
        for (int warp = 0; warp < kWarps; ++warp) sum += own[warp * bins + bin];
        if (sum > 0) atomicAdd(&counts[bin], sum);
    }
}

void histogram(Bench& bench, const char* name, const std::vector<int>& values, int bins) {
    const int n = static_cast<int>(values.size());
    std::vector<int> expected(bins, 0);
    for (const int key : values) ++expected[key];
    const Array<int> keys(values), counts(bins);
    bench.family<int>(name, counts, 0, [&](const auto& got) { return same(got, expected); });
    using Kernel = void (*)(const int*, int*, int, int);
    const auto run = [&](const char* variant, Kernel kernel, unsigned blocks, int copies) {
        const std::size_t bytes = sizeof(int) * bins * copies;
        bench.run(variant, [&, kernel, blocks, bytes] {
            kernel<<<blocks, kThreads, bytes>>>(keys, counts, n, bins);
        });
    };
    run("shared grid-stride", shared_kernel, 1056, 1);
    run("shared", shared_kernel, ceil_of(n, 4 * kThreads), 1);
    run("global", global_kernel, ceil_of(n, kThreads), 0);
    run("global grid-stride", global_kernel, 1056, 0);
    if (bins <= 256) run("a copy a warp", warps_kernel, 1056, kThreads / 32);
}

}  // namespace

void histogram_families(Bench& bench) {
    const std::size_t n = (std::size_t{1} << 21) * bench.scale();
    histogram(bench, "histogram of 16", integers<int>(n, 0, 15, 1), 16);
    histogram(bench, "histogram of 256", integers<int>(n, 0, 255, 2), 256);
    histogram(bench, "histogram of 4096", integers<int>(n, 0, 4095, 3), 4096);
    auto skewed = integers<int>(n, 0, 1023, 4);
    for (int& key : skewed) key = key < 64 ? key : 0;
    histogram(bench, "skewed histogram of 64", skewed, 64);
}
