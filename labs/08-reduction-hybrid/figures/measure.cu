// Measures lab 08's figures on the GPU that is there, and prints them as CSV. It times the course's
// own files, each in its own namespace, so that the figures cannot drift from them.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure ladder > ladder.csv        every rung at 2^28 elements
//   ./measure sizes  > time_by_size.csv  reference, expert and CUB against n
//
// Each time is that of a complete call, including the work that sets the result to 0: the median of
// 15 between two events, after one to warm up; L2 is flushed before each. Bandwidth counts the 4
// bytes of each element.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include "../../figures/measure.h"
#include "reduction_hybrid.h"

namespace interleaved {
#include "../../../solutions/08-reduction-hybrid/also-right/interleaved-tree.cu"
}
namespace reference {
#include "../../../solutions/08-reduction-hybrid/reduction_hybrid.cu"
}
namespace tree {
#include "../../../solutions/08-reduction-hybrid/also-right/tree-without-shuffles.cu"
}
namespace float4s {
#include "../../../solutions/08-reduction-hybrid/also-right/four-elements-in-one-load.cu"
}
namespace expert {
#include "../../../solutions/08-reduction-hybrid/expert.cu"
}
namespace library {
#include "../../../solutions/08-reduction-hybrid/also-right/cub-device-reduce.cu"
}

namespace each {
__global__ void sum_kernel(const float* a, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, a[i]);
}
void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    sum_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sum, n);
}
}  // namespace each

namespace strided_tree {
/// The solution of task 4, but for what a block does with its threads' sums.
__global__ void sum_kernel(const float* a, float* sum, int n) {
    const int stride = gridDim.x * blockDim.x;
    float value = 0.0F;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) value += a[i];
    __shared__ float partial[256];
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    sum_kernel<<<multiprocessors * 8, 256>>>(a, sum, n);
}
}  // namespace strided_tree

using Function = void (*)(const float* a, float* sum, int n);

struct Bench {
    float *a, *sum;
    measure::Stopwatch stopwatch;

    explicit Bench(std::size_t n) {
        CUDA_CALL(cudaMalloc(&a, n * sizeof(float)));
        CUDA_CALL(cudaMalloc(&sum, sizeof(float)));
        CUDA_CALL(cudaMemset(a, 0, n * sizeof(float)));
    }

    float median_ms(Function function, int n, int rounds = 15) {
        return stopwatch.median_ms([&] { function(a, sum, n); }, rounds);
    }
};

static void ladder() {
    const int n = 1 << 28;
    Bench bench(n);
    const auto row = [&](const char* version, Function function, int rounds = 15) {
        const float time_ms = bench.median_ms(function, n, rounds);
        std::printf("%s,%.4f,%.1f\n", version, time_ms, 4e-6 * n / time_ms);
    };
    std::printf("version,time_ms,bandwidth_gb_per_s\n");
    row("an atomicAdd for each element", each::sum_fast, 3);
    row("interleaved tree", interleaved::sum_hybrid);
    row("tree (task 1)", reference::sum_hybrid);
    row("grid-stride and tree, unsigned stride", tree::sum_fast);
    row("grid-stride and tree", strided_tree::sum_fast);
    row("grid-stride and shuffles (task 4)", reference::sum_fast);
    row("the same with float4", float4s::sum_fast);
    row("expert", expert::sum_fast);
    row("CUB DeviceReduce", library::sum_fast);
}

static void sizes() {
    Bench bench(std::size_t{1} << 28);
    std::printf("n,reference_us,expert_us,cub_us\n");
    for (int power = 10; power <= 28; ++power) {
        const int n = 1 << power;
        std::printf("%d,%.2f,%.2f,%.2f\n", n, 1000 * bench.median_ms(reference::sum_fast, n),
                    1000 * bench.median_ms(expert::sum_fast, n),
                    1000 * bench.median_ms(library::sum_fast, n));
    }
}

int main(int argc, char** argv) {
    return measure::run(argc, argv, {{"ladder", ladder}, {"sizes", sizes}});
}
