// One way of using memory a kernel, so that counts_test.cpp can say by hand what each must count.

#define KERNEL extern "C" __global__ void

KERNEL coalesced(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
KERNEL strided(const float* in, float* out, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
KERNEL wide(const float4* in, float4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
KERNEL shared_stride(float* out, int stride) {
    __shared__ float tile[32 * 32];
    tile[threadIdx.x * stride] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[(31 - threadIdx.x) * stride];
}
template <int width>
__device__ void transpose_tile(float* out) {
    __shared__ float tile[32][width];
    tile[threadIdx.y][threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
KERNEL plain_tile(float* out) {
    transpose_tile<32>(out);
}
KERNEL padded_tile(float* out) {
    transpose_tile<33>(out);
}
KERNEL atomics(unsigned* counters, unsigned* old, int addresses) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(counters + i % addresses, 1u);
    if (old) old[i] = atomicMax(counters + addresses, i);
}
/// Sums of floats in shared memory, at `addresses` addresses.
KERNEL shared_sums(float* out, int addresses) {
    __shared__ float sums[32];
    sums[threadIdx.x] = 0;
    __syncwarp();
    atomicAdd(&sums[threadIdx.x % addresses], 1.0f);
    __syncwarp();
    out[threadIdx.x] = sums[threadIdx.x];
}
KERNEL divide(double* doubles, float* floats) {
    doubles[threadIdx.x] = doubles[threadIdx.x] / floats[threadIdx.x];
    floats[threadIdx.x] = floats[threadIdx.x] / floats[threadIdx.x + 32];
}
KERNEL atomics_at(const unsigned* places, unsigned* counters) {
    atomicAdd(counters + places[threadIdx.x], 1u);
}
KERNEL largest_of_64_bits(unsigned long long* largest) {
    atomicMax(largest, threadIdx.x);
}
KERNEL shared_atomics(unsigned* out) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}
KERNEL local_array(int* out, int n) {
    int values[8];
#pragma unroll 1
    for (int i = 0; i < n; ++i) values[i] = i + threadIdx.x;
    out[threadIdx.x] = values[(n - 1) & threadIdx.x];
}
// Warps of different lengths, with and without a place where they meet.
KERNEL uneven(int* out, int n, bool meets) {
    int sum = 0;
    for (int i = 0; i < n * (threadIdx.x / 32); ++i) sum ^= out[i & 31] + i;
    if (meets) __syncthreads();
    out[32 + threadIdx.x] = sum;
}
KERNEL shared_row(float* out) {
    __shared__ float tile[32 * 32];
    tile[threadIdx.y * 32 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += tile[threadIdx.y * 32 + i];
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}
KERNEL shared_padded_row(float* out) {
    __shared__ float tile[32 * 33];
    tile[threadIdx.y * 33 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += tile[threadIdx.y * 33 + i];
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}
KERNEL volatile_sum(const volatile float* in, float* out) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
/// A thread of each block waits for the last block.
KERNEL wait_for_the_last(int* flag) {
    volatile int* const seen = flag;
    if (threadIdx.x != 0) return;
    if (blockIdx.x == gridDim.x - 1) {
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (*seen == 0) {
        }
    }
}
/// Thread i of all n takes element i % rows * stride + i / rows.
KERNEL far_apart(const float* in, float* out, int rows, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = i % rows * stride + i / rows;
    out[at] = in[at];
}
KERNEL gather_some(const unsigned* where, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (where[i] != ~0u) out[i] = in[where[i]];
}
__device__ __noinline__ float any(const float* p) {
    return *p;
}
__device__ __noinline__ void add_to_any(unsigned* p) {
    atomicAdd(p, 1u);
}
/// The first warp's addresses are of global memory, the second's of shared memory.
KERNEL of_any_memory(const float* in, unsigned* counters, float* out) {
    __shared__ float own[128];
    __shared__ unsigned own_counters[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        if (i < 128) own[i] = i;
        own_counters[i] = 0;
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    const bool is_first = threadIdx.x < 32;
    out[threadIdx.x] = any((is_first ? in : own) + 2 * lane);
    add_to_any((is_first ? counters : own_counters) + 4 * lane);
}
