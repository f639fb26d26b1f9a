// Measures lab 07's versions on the GPU that is there, and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu
//   ./measure versions  > bandwidth_by_version.csv   sums of 2^24 numbers
//   ./measure addresses > time_by_addresses.csv      2^24 atomic additions on 1, 2, 4, ... places
//   ./measure sizes     > time_by_size.csv           sums of few numbers: atomics against a tree
//   ./measure cpu                                    2^24 floats by one core of this machine's CPU
//
// Each time is the median of 15 calls between two events, after one to warm up; L2 is flushed
// before each, but for the small sizes. Bandwidth counts the 4 bytes of each element once.

#include <ctime>
#include <string>
#include <vector>

#include "../../figures/measure.h"

template <class T>
__global__ void fill_kernel(T* a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        a[i] = 1;
    }
}

/// Keys in no order, each equally often, or half of them 0.
__global__ void keys_kernel(int* keys, int n, int bins, bool skewed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned x = i * 2654435761u;
        x ^= x >> 16;
        x *= 2246822519u;
        x ^= x >> 13;
        keys[i] = skewed && x % 2 == 0 ? 0 : x / 2 % bins;
    }
}

template <class T>
__global__ void each_kernel(const T* a, T* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, a[i]);
}

template <class T>
__global__ void block_first_kernel(const T* a, T* total, int n) {
    __shared__ T block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&block_total, a[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, block_total);
}

__global__ void register_first_kernel(const float* a, float* total, int n) {
    __shared__ float block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += a[i];
    }
    atomicAdd(&block_total, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, block_total);
}

/// The tree of lab 06; the block's sum is added to *sums, or stored in sums[block].
template <bool kAtomic>
__global__ void tree_kernel(const float* a, float* sums, int n) {
    __shared__ float values[1024];
    const int thread = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + thread; i < n; i += gridDim.x * blockDim.x) mine += a[i];
    values[thread] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (thread < half) values[thread] += values[thread + half];
        __syncthreads();
    }
    if (thread != 0) return;
    if (kAtomic)
        atomicAdd(sums, values[0]);
    else
        sums[blockIdx.x] = values[0];
}

__global__ void count_global_kernel(const int* keys, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[keys[i]], 1);
}

__global__ void add_global_kernel(const int* keys, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[keys[i]], 1.0f);
}

__global__ void count_shared_kernel(const int* keys, int* counts, int n, int bins) {
    __shared__ int block_counts[1024];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&block_counts[keys[i]], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&counts[bin], block_counts[bin]);
    }
}

struct Bench {
    int n;
    float *a = nullptr, *sums = nullptr;
    int *ints = nullptr, *keys = nullptr, *counts = nullptr;
    measure::Stopwatch stopwatch;

    explicit Bench(int elements) : n(elements) {
        CUDA_CALL(cudaMalloc(&a, n * sizeof(float)));
        CUDA_CALL(cudaMalloc(&ints, n * sizeof(int)));
        CUDA_CALL(cudaMalloc(&keys, n * sizeof(int)));
        CUDA_CALL(cudaMalloc(&sums, (n / 32 + 1024) * sizeof(float)));
        CUDA_CALL(cudaMalloc(&counts, 1024 * sizeof(int)));
        fill_kernel<<<1024, 256>>>(a, n);
        fill_kernel<<<1024, 256>>>(ints, n);
        stopwatch.before = [this] {
            CUDA_CALL(cudaMemsetAsync(sums, 0, sizeof(float) * 1024));
            CUDA_CALL(cudaMemsetAsync(counts, 0, sizeof(int) * 1024));
        };
    }

    float median_ms(const measure::Action& call, measure::L2 l2 = measure::L2::cold) {
        return stopwatch.median_ms(call, 15, l2);
    }
};

static void versions() {
    Bench bench(1 << 24);
    const int n = bench.n;
    float* const a = bench.a;
    const auto row = [&](const std::string& name, const measure::Action& call) {
        const float time_ms = bench.median_ms(call);
        std::printf("%s,%.4f,%.1f\n", name.c_str(), time_ms, 4e-6 * n / time_ms);
    };
    std::printf("version,time_ms,bandwidth_gb_per_s\n");
    row("float: one atomic an element", [&] { each_kernel<<<n / 256, 256>>>(a, bench.sums, n); });
    row("int: one atomic an element",
        [&] { each_kernel<<<n / 256, 256>>>(bench.ints, bench.counts, n); });
    for (const int block : {64, 128, 256, 512, 1024}) {
        row("float: shared first, blocks of " + std::to_string(block),
            [&] { block_first_kernel<<<n / block, block>>>(a, bench.sums, n); });
    }
    row("int: shared first, blocks of 256",
        [&] { block_first_kernel<<<n / 256, 256>>>(bench.ints, bench.counts, n); });
    row("float: registers, shared, global",
        [&] { register_first_kernel<<<132 * 8, 256>>>(a, bench.sums, n); });
    row("float: one block, shared first",
        [&] { block_first_kernel<<<1, 256>>>(a, bench.sums, n); });
    row("tree, one atomic a block", [&] { tree_kernel<true><<<n / 256, 256>>>(a, bench.sums, n); });
    row("tree, two levels", [&] {
        tree_kernel<false><<<n / 256, 256>>>(a, bench.sums + 1024, n);
        tree_kernel<false><<<1, 1024>>>(bench.sums + 1024, bench.sums, n / 256);
    });
}

static void addresses() {
    Bench bench(1 << 24);
    const int n = bench.n;
    std::printf("addresses,float_ms,int_ms,shared_ms,skewed_ms,skewed_shared_ms\n");
    for (int bins = 1; bins <= 1024; bins *= 2) {
        std::printf("%d", bins);
        for (const bool skewed : {false, true}) {
            keys_kernel<<<1024, 256>>>(bench.keys, n, bins, skewed);
            if (!skewed) {
                std::printf(",%.4f", bench.median_ms([&] {
                    add_global_kernel<<<n / 256, 256>>>(bench.keys, bench.sums, n);
                }));
            }
            std::printf(",%.4f", bench.median_ms([&] {
                count_global_kernel<<<n / 256, 256>>>(bench.keys, bench.counts, n);
            }));
            std::printf(",%.4f", bench.median_ms([&] {
                count_shared_kernel<<<264, 256>>>(bench.keys, bench.counts, n, bins);
            }));
        }
        std::printf("\n");
    }
}

static void sizes() {
    Bench bench(1 << 20);
    std::printf("n,float_atomic_us,int_atomic_us,tree_and_atomic_us,two_levels_us\n");
    for (int n = 1; n <= bench.n; n *= 2) {
        const int grid = (n + 255) / 256;
        const auto us = [&](const measure::Action& call) {
            return 1000 * bench.median_ms(call, measure::L2::warm);
        };
        std::printf("%d,%.2f,%.2f,%.2f,%.2f\n", n,
                    us([&] { each_kernel<<<grid, 256>>>(bench.a, bench.sums, n); }),
                    us([&] { each_kernel<<<grid, 256>>>(bench.ints, bench.counts, n); }),
                    us([&] { tree_kernel<true><<<grid, 256>>>(bench.a, bench.sums, n); }), us([&] {
                        tree_kernel<false><<<grid, 256>>>(bench.a, bench.sums + 1024, n);
                        tree_kernel<false><<<1, 256>>>(bench.sums + 1024, bench.sums, grid);
                    }));
    }
}

/// One growing float, the least of 7: what the same loop takes on a CPU.
static void cpu() {
    const std::vector<float> a(1 << 24, 1.0f);
    double least_ms = 1e9;
    volatile float result = 0;
    for (int round = 0; round < 7; ++round) {
        const std::clock_t begin = std::clock();  // of this process: others do not count
        float sum = 0;
        for (const float x : a) sum += x;
        result = sum;
        least_ms = std::min(least_ms, 1e3 * (std::clock() - begin) / CLOCKS_PER_SEC);
    }
    std::printf("one core, 2^24 floats: %.2f ms\n", least_ms);
}

int main(int argc, char** argv) {
    if (argc == 2 && argv[1] == std::string("cpu")) {  // without a GPU
        cpu();
        return EXIT_SUCCESS;
    }
    return measure::run(argc, argv,
                        {{"versions", versions}, {"addresses", addresses}, {"sizes", sizes}});
}
