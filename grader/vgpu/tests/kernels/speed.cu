// Kernels whose speed on an H200 is known, for cost_test.cpp.
#define KERNEL extern "C" __global__ void

KERNEL store(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}
KERNEL store_stride(int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = i;
}
KERNEL store_consecutive(int* out, int n) {
    const int begin = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = begin; i < begin + 16 && i < n; ++i) out[i] = i;
}
KERNEL store_four(int4* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) out[i] = make_int4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

KERNEL add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
KERNEL add_stride(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}
KERNEL add_consecutive(const float* a, const float* b, float* c, int n) {
    const int begin = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = begin; i < begin + 16 && i < n; ++i) c[i] = a[i] + b[i];
}
KERNEL add_four(const float4* a, const float4* b, float4* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    const float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
KERNEL add_rows(const float* a, const float* b, float* c, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) c[y * size + x] = a[y * size + x] + b[y * size + x];
}
KERNEL add_columns(const float* a, const float* b, float* c, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) c[x * size + y] = a[x * size + y] + b[x * size + y];
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

KERNEL product(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
/// Threads along the rows of a and c: each request to them touches 32 lines.
KERNEL product_columns(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[x * n + k] * b[k * n + y];
    c[x * n + y] = sum;
}
template <int tile, bool conflicts>
__device__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[tile][tile], tb[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y,
              column = blockIdx.x * tile + x;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
        ta[y][x] = a[row * n + k + x];
        (conflicts ? tb[x][y] : tb[y][x]) = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += ta[y][i] * (conflicts ? tb[x][i] : tb[i][x]);
        __syncthreads();
    }
    c[row * n + column] = sum;
}
KERNEL product_tile16(const float* a, const float* b, float* c, int n) {
    tiled<16, false>(a, b, c, n);
}
KERNEL product_tile32(const float* a, const float* b, float* c, int n) {
    tiled<32, false>(a, b, c, n);
}
KERNEL product_conflicts(const float* a, const float* b, float* c, int n) {
    tiled<32, true>(a, b, c, n);
}
/// 64 x 64 a block of 256 threads, 4 x 4 a thread.
KERNEL product_registers(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[16][65], tb[16][64];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = t; i < 16 * 64; i += 256) {
            ta[i % 16][i / 16] = a[(blockIdx.y * 64 + i / 16) * n + k + i % 16];
            tb[i / 64][i % 64] = b[(k + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            float x[4], y[4];
            for (int j = 0; j < 4; ++j) {
                x[j] = tb[i][tx * 4 + j];
                y[j] = ta[i][ty * 4 + j];
            }
            for (int r = 0; r < 4; ++r)
                for (int s = 0; s < 4; ++s) sum[r][s] += y[r] * x[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r)
        for (int s = 0; s < 4; ++s)
            c[(blockIdx.y * 64 + ty * 4 + r) * n + blockIdx.x * 64 + tx * 4 + s] = sum[r][s];
}

__device__ float block_sum(float value) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    part[t] = value;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    return part[0];
}
__device__ float warp_sum(float value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(~0u, value, d);
    return value;
}
__device__ float block_sum_by_warps(float value) {
    __shared__ float part[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    return threadIdx.x < 32 ? warp_sum(value) : 0;
}
KERNEL sum_parts(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = block_sum(i < n ? in[i] : 0);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
KERNEL sum_one_block(const float* in, float* out, int n) {
    float mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += in[i];
    const float sum = block_sum(mine);
    if (threadIdx.x == 0) out[0] = sum;
}
KERNEL sum_interleaved(const float* in, float* out, int n) {
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, part[0]);
}
KERNEL sum_hybrid(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = block_sum(i < n ? in[i] : 0);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
KERNEL sum_stride(const float* in, float* out, int n) {
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    const float sum = block_sum(mine);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
KERNEL sum_four(const float4* in, float* out, int n) {
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        const float4 four = in[i];
        mine += four.x + four.y + four.z + four.w;
    }
    const float sum = block_sum_by_warps(mine);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
KERNEL sum_atomic(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}
KERNEL sum_atomic_int(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}

KERNEL sum_shared_atomics(const float* in, float* out, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

/// 64 steps of Newton's method for a cube root.
KERNEL roots_in_double(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double value = in[i];
    double root = 1;
    for (int step = 0; step < 64; ++step) root = (2 * root + value / (root * root)) * (1. / 3);
    out[i] = static_cast<float>(root);
}

KERNEL histogram(const int* keys, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[keys[i]], 1);
}

/// 64 rounds of 4 updates, with 4 coefficients.
__device__ __forceinline__ void update(float* out, const float* in, const float* c, int i) {
    out[i] = in[i];
    for (int round = 0; round < 64; ++round) {
#pragma unroll
        for (int k = 0; k < 4; ++k) out[i] = out[i] * c[k] + 0.5f;
    }
}
KERNEL may_alias(float* out, const float* in, const float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) update(out, in, c, i);
}
KERNEL may_not_alias(float* __restrict__ out, const float* __restrict__ in,
                     const float* __restrict__ c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = in[i];
        for (int round = 0; round < 64; ++round) {
#pragma unroll
            for (int k = 0; k < 4; ++k) value = value * c[k] + 0.5f;
        }
        out[i] = value;
    }
}
