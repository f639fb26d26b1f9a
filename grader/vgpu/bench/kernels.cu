// Kernels for vgpu-bench: streams, gathers, divergence, tiles, trees, atomics, waiting.

#include <cooperative_groups.h>

#define KERNEL extern "C" __global__ void

KERNEL vector_add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
KERNEL grid_stride(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}
KERNEL consecutive(const float* a, const float* b, float* c, int n) {
    const int begin = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = begin; i < begin + 16 && i < n; ++i) c[i] = a[i] + b[i];
}
KERNEL gather(const float* a, const int* index, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[index[i]];
}
/// Each element once, in an order that jumps all over c; n: a power of 2.
KERNEL scatter(int* c, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i * 2654435761u & (n - 1)] = i;
}
/// All of scatter but its store, as `last` is the last element.
KERNEL scatter_rest(int* c, unsigned n, unsigned last) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i * 2654435761u & (n - 1);
    if (at > last) c[at] = i;
}
KERNEL transpose(const float* a, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[x * n + y] = a[y * n + x];
}
KERNEL julia(int* out, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size) return;
    float re = 1.5f * (size / 2 - x) / (size / 2), im = 1.5f * (size / 2 - y) / (size / 2);
    int i = 0;
    for (; i < 200 && re * re + im * im < 1000; ++i) {
        const float t = re * re - im * im - 0.8f;
        im = 2 * re * im + 0.156f;
        re = t;
    }
    out[y * size + x] = i;
}
template <int tile, bool waits = true>
__device__ void matrix_product(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[tile][tile], tb[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y,
              column = blockIdx.x * tile + x;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + column];
        if (waits) __syncthreads();
        for (int i = 0; i < tile; ++i) sum += ta[y][i] * tb[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
KERNEL matmul(const float* a, const float* b, float* c, int n) {
    matrix_product<16>(a, b, c, n);
}
KERNEL matmul32(const float* a, const float* b, float* c, int n) {
    matrix_product<32>(a, b, c, n);
}
/// Wrong: nobody waits for the tiles.
KERNEL matmul_race(const float* a, const float* b, float* c, int n) {
    matrix_product<32, false>(a, b, c, n);
}
KERNEL block_sum(const float* in, float* out, int n) {
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
KERNEL atomic_sum(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}
KERNEL histogram(const int* values, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(counts + values[i] % 4096, 1);
}
KERNEL shared_histogram(const int* values, int* counts, int n) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(own + values[i] % 256, 1);
    __syncthreads();
    atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
KERNEL grid_sync(int* sums, int rounds) {
    const auto grid = cooperative_groups::this_grid();
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x == 0) sums[blockIdx.x] += i;
        grid.sync();
    }
}
