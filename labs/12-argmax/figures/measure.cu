// Measures lab 12's figures on the GPU that is there, and prints them as CSV. It times the course's
// own files, each in its own namespace, so that the figures cannot drift from them.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure ladder > ladder.csv          every version at 2^28 elements
//   ./measure sizes  > time_by_size.csv    reference, packed, expert and CUB against n
//   ./measure block  > time_of_a_block.csv one block, by its number of threads
//   ./measure races  > races.csv           how often programs that race are right
//
// Each time is that of a complete call, including the work that sets what the kernels begin with:
// the median of 15 between two events, after one to warm up; L2 is flushed before each. Bandwidth
// counts the 4 bytes of each element.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <random>
#include <vector>

#include "../../figures/measure.h"
#include "argmax.h"

namespace baseline {
#include "../../../solutions/12-argmax/baseline.cu"
}
namespace reference {
#include "../../../solutions/12-argmax/argmax.cu"
}
namespace expert {
#include "../../../solutions/12-argmax/expert.cu"
}

namespace each {
/// argmax_packed as it is handed out, with the solution's key.
__global__ void argmax_kernel(const float* a, unsigned long long* key, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicMax(key, reference::key_of(a[i], i));
    }
}
}  // namespace each

namespace each_thread {
/// An atomicMax a thread, in global memory.
__global__ void argmax_kernel(const float* a, unsigned long long* key, int n) {
    const int stride = gridDim.x * blockDim.x;
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = max(mine, reference::key_of(a[i], i));
    }
    atomicMax(key, mine);
}
}  // namespace each_thread

namespace shared_first {
/// An atomicMax a thread in shared memory, then one a block.
__global__ void argmax_kernel(const float* a, unsigned long long* key, int n) {
    __shared__ unsigned long long of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = max(mine, reference::key_of(a[i], i));
    }
    atomicMax(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(key, of_block);
}
}  // namespace shared_first

namespace block_of {
/// One block of `threads` threads, whose bests meet in a tree: task 2 with any size of block.
__global__ void argmax_kernel(const float* a, Best* best, int n) {
    __shared__ Best bests[1024];
    Best mine = reference::best_of_thread(a, n);
    bests[threadIdx.x] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const Best other = bests[threadIdx.x + half];
            if (reference::wins(other, mine)) mine = other;
            bests[threadIdx.x] = mine;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *best = mine;
}
}  // namespace block_of

namespace {

struct Bench {
    float *a, *library_value;
    Best *partial, *best;
    unsigned long long* key;
    cuda::std::int64_t* library_index;
    void* library_scratch;
    std::size_t library_bytes = 0, max_bytes = 0;
    measure::Stopwatch stopwatch;

    explicit Bench(std::size_t n) {
        CUDA_CALL(cudaMalloc(&a, n * sizeof(float)));
        CUDA_CALL(cudaMalloc(&library_value, sizeof(float)));
        CUDA_CALL(cudaMalloc(&partial, kMostBlocks * sizeof(Best)));
        CUDA_CALL(cudaMalloc(&best, sizeof(Best)));
        CUDA_CALL(cudaMalloc(&key, sizeof(*key)));
        CUDA_CALL(cudaMalloc(&library_index, sizeof(*library_index)));
        std::vector<float> values(n);
        std::minstd_rand random;
        for (float& x : values) x = static_cast<float>(random()) / 2147483648.0F - 0.5F;
        CUDA_CALL(cudaMemcpy(a, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        const auto count = static_cast<cuda::std::int64_t>(n);
        CUDA_CALL(cub::DeviceReduce::ArgMax(nullptr, library_bytes, a, library_value, library_index,
                                            count));
        CUDA_CALL(cub::DeviceReduce::Max(nullptr, max_bytes, a, library_value, count));
        library_bytes = max_bytes = std::max(library_bytes, max_bytes);
        CUDA_CALL(cudaMalloc(&library_scratch, library_bytes));
    }

    float median_ms(const measure::Action& call, int rounds = 15) {
        return stopwatch.median_ms(call, rounds);
    }
    void packed(void (*kernel)(const float*, unsigned long long*, int), int n) {
        CUDA_CALL(cudaMemsetAsync(key, 0, sizeof(*key)));
        kernel<<<reference::blocks_for(n), reference::kThreads>>>(a, key, n);
        reference::unpack_kernel<<<1, 1>>>(a, key, best);
    }
    void library(int n) {
        CUDA_CALL(cub::DeviceReduce::ArgMax(library_scratch, library_bytes, a, library_value,
                                            library_index, cuda::std::int64_t{n}));
    }
    void library_max(int n) {
        CUDA_CALL(cub::DeviceReduce::Max(library_scratch, max_bytes, a, library_value,
                                         cuda::std::int64_t{n}));
    }
};

void ladder() {
    const int n = 1 << 28;
    Bench bench(n);
    const auto row = [&](const char* version, const measure::Action& call, int rounds = 15) {
        const float time_ms = bench.median_ms(call, rounds);
        std::printf("%s,%.4f,%.1f\n", version, time_ms, 4e-6 * n / time_ms);
    };
    std::printf("version,time_ms,bandwidth_gb_per_s\n");
    row(
        "an atomicMax for each element", [&] { bench.packed(each::argmax_kernel, n); }, 3);
    row(
        "one block (task 2)", [&] { reference::argmax_block(bench.a, bench.best, n); }, 3);
    row(
        "compare and swap (baseline)",
        [&] { baseline::argmax(bench.a, bench.partial, bench.best, n); }, 5);
    row("an atomicMax a thread", [&] { bench.packed(each_thread::argmax_kernel, n); });
    row("an atomicMax a warp (task 4)",
        [&] { reference::argmax_packed(bench.a, bench.key, bench.best, n); });
    row("an atomicMax a block", [&] { bench.packed(shared_first::argmax_kernel, n); });
    row("two levels (task 3)", [&] { reference::argmax(bench.a, bench.partial, bench.best, n); });
    row("expert", [&] { expert::argmax(bench.a, bench.partial, bench.best, n); });
    row("CUB ArgMax", [&] { bench.library(n); });
    row("CUB Max (no index)", [&] { bench.library_max(n); });
}

void sizes() {
    Bench bench(std::size_t{1} << 28);
    std::printf("n,reference_us,packed_us,expert_us,cub_us\n");
    for (int power = 10; power <= 28; ++power) {
        const int n = 1 << power;
        const auto us = [&](const measure::Action& call) { return 1000 * bench.median_ms(call); };
        std::printf("%d,%.2f,%.2f,%.2f,%.2f\n", n,
                    us([&] { reference::argmax(bench.a, bench.partial, bench.best, n); }),
                    us([&] { reference::argmax_packed(bench.a, bench.key, bench.best, n); }),
                    us([&] { expert::argmax(bench.a, bench.partial, bench.best, n); }),
                    us([&] { bench.library(n); }));
    }
}

void block() {
    const int n = 1 << 20;
    Bench bench(n);
    std::printf("threads,time_ms,bandwidth_gb_per_s\n");
    const auto row = [&](int threads) {
        const float time_ms = bench.median_ms(
            [&] { block_of::argmax_kernel<<<1, threads>>>(bench.a, bench.best, n); }, 5);
        std::printf("%d,%.4f,%.2f\n", threads, time_ms, 4e-6 * n / time_ms);
    };
    for (int threads = 1; threads <= 1024; threads *= 2) row(threads);
}

// ---------------------------------------------------------------------------
// Races. Each program lets threads publish the maximum atomically, then lets every thread that has
// the maximum store its index.

/// The bits of floats above 0 are in the order of the floats: the data are.
__device__ void publish(int* largest_bits, float mine) {
    atomicMax(largest_bits, __float_as_int(mine));
}

/// One block. The barrier orders the maximum and the comparisons, but the indices meet.
__global__ void index_by_all_kernel(const float* a, Best* best, int n) {
    __shared__ int largest_bits, index;
    if (threadIdx.x == 0) largest_bits = 0;
    __syncthreads();
    const Best mine = reference::best_of_thread(a, n);
    publish(&largest_bits, mine.value);
    __syncthreads();
    if (__float_as_int(mine.value) == largest_bits) index = mine.index;
    __syncthreads();
    if (threadIdx.x == 0) *best = {__int_as_float(largest_bits), index};
}

/// Many blocks, and a barrier that orders none of them with another.
__global__ void barrier_of_a_block_kernel(const float* a, int* largest_bits, Best* best, int n) {
    const Best mine = reference::best_of_thread(a, n);
    publish(largest_bits, mine.value);
    __syncthreads();
    const int largest = *const_cast<volatile int*>(largest_bits);
    if (__float_as_int(mine.value) == largest) *best = mine;
}

void races() {
    const int n = 1 << 20, runs = 1000;
    Bench bench(n);
    std::vector<float> a(n);
    std::mt19937 random(1);
    std::printf("program,equal_maxima,runs,value_right,index_of_a_maximum,first_index\n");
    const auto row = [&](const char* program, int equal, const measure::Action& call) {
        int values = 0, indices = 0, firsts = 0;
        for (int run = 0; run < runs; ++run) {
            std::vector<int> places(equal);
            std::uniform_real_distribution<float> below_one(0.01F, 1.0F);
            if (run == 0) std::generate(a.begin(), a.end(), [&] { return below_one(random); });
            for (int& place : places) {
                place = static_cast<int>(random() % n);
                a[place] = 2;
            }
            CUDA_CALL(cudaMemcpy(bench.a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
            CUDA_CALL(cudaMemset(bench.key, 0, sizeof(*bench.key)));
            call();
            Best best;
            CUDA_CALL(cudaMemcpy(&best, bench.best, sizeof(best), cudaMemcpyDeviceToHost));
            const bool is_maximum = best.index >= 0 && best.index < n && a[best.index] == 2;
            values += best.value == 2;
            indices += is_maximum;
            firsts += best.index == *std::min_element(places.begin(), places.end());
            for (const int place : places) a[place] = 0.5F;
        }
        std::printf("%s,%d,%d,%d,%d,%d\n", program, equal, runs, values, indices, firsts);
    };
    const int blocks = reference::blocks_for(n), threads = reference::kThreads;
    for (const int equal : {1, 2, 10}) {
        row("one block", equal,
            [&] { index_by_all_kernel<<<1, threads>>>(bench.a, bench.best, n); });
        row("many blocks", equal, [&] {
            barrier_of_a_block_kernel<<<blocks, threads>>>(
                bench.a, reinterpret_cast<int*>(bench.key), bench.best, n);
        });
        row("two levels (task 3)", equal,
            [&] { reference::argmax(bench.a, bench.partial, bench.best, n); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    return measure::run(argc, argv,
                        {{"ladder", ladder}, {"sizes", sizes}, {"block", block}, {"races", races}});
}
