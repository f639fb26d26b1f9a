// One sum of many floats, and sums within blocks. The values are -1, 0 and 1, so that every order
// of adding gives the same.

#include "check/model/bench.h"

namespace {

constexpr int kThreads = 256;

__device__ int global_id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// In thread 0: the sum over the block, by a tree in shared memory.
__device__ float tree_sum(float value) {
    __shared__ float part[kThreads];
    const int t = threadIdx.x;
    part[t] = value;
    __syncthreads();
    for (int s = kThreads / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    return part[0];
}

__device__ float warp_sum(float value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(~0u, value, d);
    return value;
}

/// In thread 0: the sum over the block, by shuffles.
__device__ float shuffle_sum(float value) {
    __shared__ float part[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    return threadIdx.x < 32 ? warp_sum(value) : 0;
}

__device__ void add_once(float* out, float sum) {
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void atomic_kernel(const float* in, float* out, int n) {
    const int i = global_id();
    if (i < n) atomicAdd(out, in[i]);
}

__global__ void atomic_a_warp_kernel(const float* in, float* out, int n) {
    const int i = global_id();
    const float sum = warp_sum(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void shared_atomic_kernel(const float* in, float* out, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const int i = global_id();
    if (i < n) atomicAdd(&sum, in[i]);
    __syncthreads();
    add_once(out, sum);
}

/// Every 2nd, 4th, 8th thread works: they lie in all warps.
__global__ void interleaved_kernel(const float* in, float* out, int n) {
    __shared__ float part[kThreads];
    const int t = threadIdx.x, i = global_id();
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < kThreads; s *= 2) {
        if (t % (2 * s) == 0) part[t] += part[t + s];
        __syncthreads();
    }
    add_once(out, part[0]);
}

/// The first threads work, on elements that are far apart: bank conflicts.
__global__ void conflicts_kernel(const float* in, float* out, int n) {
    __shared__ float part[kThreads];
    const int t = threadIdx.x, i = global_id();
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < kThreads; s *= 2) {
        const int at = 2 * s * t;
        if (at < kThreads) part[at] += part[at + s];
        __syncthreads();
    }
    add_once(out, part[0]);
}

__global__ void tree_kernel(const float* in, float* out, int n) {
    const int i = global_id();
    add_once(out, tree_sum(i < n ? in[i] : 0));
}

/// Two elements a thread.
__global__ void tree_of_two_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * 2 * kThreads + threadIdx.x;
    add_once(out, tree_sum((i < n ? in[i] : 0) + (i + kThreads < n ? in[i + kThreads] : 0)));
}

__global__ void shuffle_kernel(const float* in, float* out, int n) {
    const int i = global_id();
    add_once(out, shuffle_sum(i < n ? in[i] : 0));
}

__device__ float stride_sum(const float* in, int n) {
    float sum = 0;
    for (int i = global_id(); i < n; i += gridDim.x * blockDim.x) sum += in[i];
    return sum;
}

__global__ void stride_tree_kernel(const float* in, float* out, int n) {
    add_once(out, tree_sum(stride_sum(in, n)));
}

__global__ void stride_atomic_kernel(const float* in, float* out, int n) {
    atomicAdd(out, stride_sum(in, n));
}

__global__ void stride_four_kernel(const float4* in, float* out, int n) {
    float sum = 0;
    for (int i = global_id(); i < n / 4; i += gridDim.x * blockDim.x) {
        const float4 four = in[i];
        sum += four.x + four.y + four.z + four.w;
    }
    add_once(out, shuffle_sum(sum));
}

/// The first of two launches: a sum a block.
__global__ void parts_kernel(const float* in, float* parts, int n) {
    const float sum = tree_sum(stride_sum(in, n));
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

void whole(Bench& bench) {
    const int n = (1 << 21) * bench.scale();
    const auto values = integers<float>(n, -1, 1, 1);
    double expected = 0;
    for (const float value : values) expected += value;
    const Array<float> in(values), out(1), parts(std::size_t{1} << 20);
    bench.family<float>("sum", out, 0, [&](const auto& got) { return got[0] == expected; });
    const unsigned blocks = ceil_of(n, kThreads);
    using Kernel = void (*)(const float*, float*, int);
    const auto run = [&](const char* name, Kernel kernel, unsigned grid) {
        bench.run(name, [&, kernel, grid] { kernel<<<grid, kThreads>>>(in, out, n); });
    };
    run("grid-stride tree", stride_tree_kernel, 1056);
    run("atomic a thread", atomic_kernel, blocks);
    run("atomic a warp", atomic_a_warp_kernel, blocks);
    run("shared atomics", shared_atomic_kernel, blocks);
    run("interleaved", interleaved_kernel, blocks);
    run("conflicts", conflicts_kernel, blocks);
    run("tree", tree_kernel, blocks);
    run("tree of two", tree_of_two_kernel, ceil_of(n, 2 * kThreads));
    run("shuffles", shuffle_kernel, blocks);
    run("grid-stride atomic a thread", stride_atomic_kernel, 1056);
    run("grid-stride 132 blocks", stride_tree_kernel, 132);
    run("one block", stride_tree_kernel, 1);
    bench.run("float4 shuffles", [&] {
        stride_four_kernel<<<1056, kThreads>>>(
            reinterpret_cast<const float4*>(static_cast<float*>(in)), out, n);
    });
    bench.run(
        "two levels",
        [&] {
            parts_kernel<<<1056, kThreads>>>(in, parts, n);
            parts_kernel<<<1, kThreads>>>(parts, out, 1056);
        },
        2);
    bench.run(
        "two levels of 256",
        [&] {
            parts_kernel<<<blocks, kThreads>>>(in, parts, n);
            stride_tree_kernel<<<264, kThreads>>>(parts, out, static_cast<int>(blocks));
        },
        2);
}

// ---------------------------------------------------------------------------
// Running sums within each block of 256 elements

__global__ void scan_kernel(const float* in, float* out) {
    __shared__ float part[2][kThreads];
    const int t = threadIdx.x;
    int now = 0;
    part[now][t] = in[global_id()];
    __syncthreads();
    for (int d = 1; d < kThreads; d *= 2) {
        part[1 - now][t] = part[now][t] + (t >= d ? part[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[global_id()] = part[now][t];
}

__global__ void scan_shuffle_kernel(const float* in, float* out) {
    __shared__ float sums[kThreads / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float sum = in[global_id()];
    for (int d = 1; d < 32; d *= 2) {
        const float before = __shfl_up_sync(~0u, sum, d);
        if (lane >= d) sum += before;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += sums[w];
    out[global_id()] = sum;
}

/// Each thread adds up all before it.
__global__ void scan_naive_kernel(const float* in, float* out) {
    float sum = 0;
    for (int i = blockIdx.x * kThreads; i <= global_id(); ++i) sum += in[i];
    out[global_id()] = sum;
}

void scans(Bench& bench) {
    const int n = (1 << 20) * bench.scale();
    const auto values = integers<float>(n, 1, 9, 2);
    std::vector<float> expected(values);
    for (int i = 0; i < n; ++i)
        if (i % kThreads != 0) expected[i] += expected[i - 1];
    const Array<float> in(values), out(n);
    bench.family<float>("running sums of 256", out, 0xFF,
                        [&](const auto& got) { return same(got, expected); });
    bench.run("shared", [&] { scan_kernel<<<n / kThreads, kThreads>>>(in, out); });
    bench.run("shuffles", [&] { scan_shuffle_kernel<<<n / kThreads, kThreads>>>(in, out); });
    bench.run("each thread alone", [&] { scan_naive_kernel<<<n / kThreads, kThreads>>>(in, out); });
}

}  // namespace

void sum_families(Bench& bench) {
    whole(bench);
    scans(bench);
}
