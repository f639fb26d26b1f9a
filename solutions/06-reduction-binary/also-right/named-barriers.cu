// Right: a warp for each block of block_sums; a barrier with a name and a number of threads, which
// counts whole warps, in a block of any size; one cooperative launch for both levels; Thrust for
// the three results.

#include <cooperative_groups.h>
#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>
#include <cub/cub.cuh>
#include "reduction_binary.h"
namespace cg = cooperative_groups;
// one warp per block sum, named barriers, one cooperative launch, ordered ints for the minimum
__global__ void block_by_warp(const float* a, float* sums, int n, int t, int blocks) {
    const int b = blockIdx.x * blockDim.y + threadIdx.y;
    if (b >= blocks) return;
    float s = 0;
    const int end = min((b + 1) * t, n);
    for (int i = b * t + threadIdx.x; i < end; i += 32) s += a[i];
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (threadIdx.x == 0) sums[b] = s;
}
void block_sums(const float* a, float* sums, int n, int t) {
    if (!n) return;
    const int blocks = (n + t - 1) / t;
    block_by_warp<<<(blocks + 3) / 4, dim3(32, 4)>>>(a, sums, n, t, blocks);
}
__global__ void named(const float* a, float* total, int n) {
    __shared__ volatile float v[1024];
    const int t = threadIdx.x, T = blockDim.x, rounded = (T + 31) / 32 * 32;
    float s = 0;
    for (int i = t; i < n; i += T) s += a[i];
    v[t] = s;
    asm volatile("bar.sync 3, %0;" ::"r"(rounded) : "memory");
    for (int step = 1; step < T; step *= 2) {
        const int at = 2 * step * t;
        if (at + step < T) v[at] = v[at] + v[at + step];
        asm volatile("bar.sync 3, %0;" ::"r"(rounded) : "memory");
    }
    if (t == 0) *total = v[0];
}
void one_block_sum(const float* a, float* total, int n, int t) {
    named<<<1, t>>>(a, total, n);
}
__global__ void all_in_one(const float* a, float* scratch, float* total, int n) {
    auto grid = cg::this_grid();
    typedef cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    float s = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) s += a[i];
    s = Reduce(storage).Sum(s);
    if (threadIdx.x == 0 && blockIdx.x < (n + 31) / 32) scratch[blockIdx.x] = s;
    grid.sync();
    if (blockIdx.x == 0) {
        s = 0;
        for (int i = threadIdx.x; i < min(gridDim.x, (n + 31) / 32); i += 128) s += scratch[i];
        s = Reduce(storage).Sum(s);
        if (threadIdx.x == 0) *total = s;
    }
}
void sum(const float* a, float* scratch, float* total, int n) {
    int device, sms, per;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, all_in_one, 128, 0);
    int blocks = min(sms * per, max(1, (n + 127) / 128));
    void* args[] = {&a, &scratch, &total, &n};
    cudaLaunchCooperativeKernel((void*)all_in_one, blocks, 128, args, 0, 0);
}
struct One {
    __host__ __device__ MinMaxSum operator()(float x) const { return {x, x, x}; }
};
struct Both {
    __host__ __device__ MinMaxSum operator()(MinMaxSum a, MinMaxSum b) const {
        return {a.min < b.min ? a.min : b.min, a.max < b.max ? b.max : a.max, a.sum + b.sum};
    }
};
void min_max_sum(const float* a, MinMaxSum*, MinMaxSum* result, int n) {
    const MinMaxSum r = thrust::transform_reduce(thrust::device, a, a + n, One{},
                                                 MinMaxSum{INFINITY, -INFINITY, 0}, Both{});
    cudaMemcpy(result, &r, sizeof r, cudaMemcpyHostToDevice);
}
