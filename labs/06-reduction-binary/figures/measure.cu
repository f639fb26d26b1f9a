// Measures lab 06's versions on the GPU that is there, and prints them as CSV.
//
//   nvcc -O3 -std=c++17 -arch=native -lineinfo -o measure measure.cu
//   ./measure versions > bandwidth_by_version.csv    every version at one n
//   ./measure blocks   > bandwidth_by_block.csv      the tree of the solution, by block size
//   ./measure once                                   every tree once, without the clock
//
// The last is for counting: `../../../lab vgpu run --json counts.jsonl -- ./measure once` (built
// with -cudart shared) writes the hardware counts of each kernel; trees.csv holds them.
//
// Each time is the median of 15 calls between two events, after one to warm up; L2 is flushed
// before each. Bandwidth counts the 4 bytes of each element once.

#include <cstdio>
#include <string>

#include "../../figures/measure.h"

// Four trees. All leave the block's sum in values[0]; the block is a power of two.

/// Neighbours first; each sum stays where it is, so idle and busy lanes are mixed.
struct Divergent {
    static __device__ void add(float* values, int thread, int threads) {
        for (int step = 1; step < threads; step *= 2) {
            if (thread % (2 * step) == 0) values[thread] += values[thread + step];
            __syncthreads();
        }
    }
};

/// Neighbours first; the first threads work, at places further and further apart.
struct Interleaved {
    static __device__ void add(float* values, int thread, int threads) {
        for (int step = 1; step < threads; step *= 2) {
            const int place = 2 * step * thread;
            if (place < threads) values[place] += values[place + step];
            __syncthreads();
        }
    }
};

/// The upper half onto the lower one: the solution's.
struct Sequential {
    static __device__ void add(float* values, int thread, int threads) {
        for (int half = threads / 2; half > 0; half /= 2) {
            if (thread < half) values[thread] += values[thread + half];
            __syncthreads();
        }
    }
};

template <class Tree>
__global__ void shared_kernel(const float* a, float* sums, int n) {
    __shared__ float values[1024];
    const int thread = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + thread; i < n; i += gridDim.x * blockDim.x) mine += a[i];
    values[thread] = mine;
    __syncthreads();
    Tree::add(values, thread, blockDim.x);
    if (thread == 0) sums[blockIdx.x] = values[0];
}

/// The same tree in the vector itself, in global memory. It destroys the vector.
template <class Tree>
__global__ void global_kernel(float* a, float* sums, int n) {
    const int first = blockIdx.x * blockDim.x;
    if (first + static_cast<int>(blockDim.x) > n) return;  // n is a multiple here
    Tree::add(a + first, threadIdx.x, blockDim.x);
    if (threadIdx.x == 0) sums[blockIdx.x] = a[first];
}

__global__ void fill_kernel(float* a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        a[i] = 1;
    }
}

struct Bench {
    int n;
    float *a = nullptr, *sums = nullptr, *total = nullptr;
    measure::Stopwatch stopwatch;

    explicit Bench(int elements) : n(elements) {
        CUDA_CALL(cudaMalloc(&a, n * sizeof(float)));
        CUDA_CALL(cudaMalloc(&sums, (n / 32 + 1) * sizeof(float)));
        CUDA_CALL(cudaMalloc(&total, sizeof(float)));
        refill();
    }
    void refill() { fill_kernel<<<1024, 256>>>(a, n); }

    /// The ones must add up to n, or the figure is worth nothing.
    void check(const std::string& version) {
        float result = 0;
        CUDA_CALL(cudaMemcpy(&result, total, sizeof(result), cudaMemcpyDeviceToHost));
        if (result == static_cast<float>(n)) return;
        std::fprintf(stderr, "%s: %.9g instead of %d\n", version.c_str(), result, n);
        std::exit(EXIT_FAILURE);
    }

    float median_ms(const std::string& version, const measure::Action& call) {
        stopwatch.before = [&] { refill(); };
        stopwatch.after = [&] { check(version); };
        return stopwatch.median_ms(call);
    }

    template <class Tree>
    void two_levels(int block) {
        shared_kernel<Tree><<<(n + block - 1) / block, block>>>(a, sums, n);
        shared_kernel<Tree><<<1, 1024>>>(sums, total, (n + block - 1) / block);
    }
    template <class Tree>
    void two_levels_in_global(int block) {
        global_kernel<Tree><<<(n + block - 1) / block, block>>>(a, sums, n);
        shared_kernel<Tree><<<1, 1024>>>(sums, total, (n + block - 1) / block);
    }
};

static void versions() {
    // A power of two: sums of ones up to 2^24 are exact.
    Bench bench(1 << 24);
    const auto row = [&](const std::string& name, const measure::Action& call) {
        const float time_ms = bench.median_ms(name, call);
        std::printf("%s,%.4f,%.1f\n", name.c_str(), time_ms, 4e-6 * bench.n / time_ms);
    };
    std::printf("version,time_ms,bandwidth_gb_per_s\n");
    const auto one_block = [&](int block) {
        shared_kernel<Sequential><<<1, block>>>(bench.a, bench.total, bench.n);
    };
    row("one block of 256", [&] { one_block(256); });
    row("one block of 1024", [&] { one_block(1024); });
    row("in global memory", [&] { bench.two_levels_in_global<Divergent>(256); });
    row("divergent", [&] { bench.two_levels<Divergent>(256); });
    row("interleaved", [&] { bench.two_levels<Interleaved>(256); });
    row("sequential", [&] { bench.two_levels<Sequential>(256); });
    row("grid-stride", [&] {
        shared_kernel<Sequential><<<132 * 8, 256>>>(bench.a, bench.sums, bench.n);
        shared_kernel<Sequential><<<1, 1024>>>(bench.sums, bench.total, 132 * 8);
    });
}

static void blocks() {
    Bench bench(1 << 24);
    std::printf("block,time_ms,bandwidth_gb_per_s\n");
    for (const int block : {32, 64, 128, 256, 512, 1024}) {
        const float time_ms = bench.median_ms("block " + std::to_string(block),
                                              [&] { bench.two_levels<Sequential>(block); });
        std::printf("%d,%.4f,%.1f\n", block, time_ms, 4e-6 * bench.n / time_ms);
    }
}

static void once() {
    Bench bench(1 << 20);
    const int block = 256, grid = bench.n / block;
    shared_kernel<Divergent><<<grid, block>>>(bench.a, bench.sums, bench.n);
    shared_kernel<Interleaved><<<grid, block>>>(bench.a, bench.sums, bench.n);
    shared_kernel<Sequential><<<grid, block>>>(bench.a, bench.sums, bench.n);
    global_kernel<Divergent><<<grid, block>>>(bench.a, bench.sums, bench.n);
    CUDA_CALL(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    return measure::run(argc, argv, {{"versions", versions}, {"blocks", blocks}, {"once", once}});
}
