// As fast as we can: sixteen bytes a load, four of them on their way before the first addition, and
// turns that are rounded by an addition, for which there is no queue.

#include "precision.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 512;

int blocks_at_once(int n) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return std::clamp(n / kThreads, 1, multiprocessors * (2048 / kThreads));
}

__device__ float wide(float x) {
    return x;
}
__device__ double wide(double x) {
    return x;
}
__device__ float wide(__half x) {
    return __half2float(x);
}
__device__ float wide(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
__device__ void store(float* y, float x) {
    *y = x;
}
__device__ void store(double* y, double x) {
    *y = x;
}
__device__ void store(__half* y, float x) {
    *y = __float2half_rn(x);
}
__device__ void store(__nv_bfloat16* y, float x) {
    *y = __float2bfloat16_rn(x);
}

/// a * x + y becomes one instruction, as long as nvcc is not told otherwise (--fmad=false).
template <class T, class A>
__global__ void axpy_kernel(A a, const T* x, T* y, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        store(y + i, a * wide(x[i]) + wide(y[i]));
    }
}

template <class T, class A>
void axpy(A a, const T* x, T* y, int n) {
    axpy_kernel<<<blocks_at_once(n), kThreads>>>(a, x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

void axpy_float(float a, const float* x, float* y, int n) {
    axpy(a, x, y, n);
}
void axpy_double(double a, const double* x, double* y, int n) {
    axpy(a, x, y, n);
}
void axpy_half(float a, const __half* x, __half* y, int n) {
    axpy(a, x, y, n);
}
void axpy_bfloat(float a, const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
    axpy(a, x, y, n);
}

__device__ float sum_of(const uint4& eight) {
    float sum = 0;
    for (const unsigned two : {eight.x, eight.y, eight.z, eight.w}) {
        const float2 both = __half22float2(reinterpret_cast<const __half2&>(two));
        sum += both.x + both.y;
    }
    return sum;
}

__global__ void sum_half_kernel(const __half* a, float* sum, int n) {
    const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    const uint4* eights = reinterpret_cast<const uint4*>(a);
    float mine = 0;
    int i = first;
    for (; i + 3 * stride < n / 8; i += 4 * stride) {
        const uint4 loaded[4] = {eights[i], eights[i + stride], eights[i + 2 * stride],
                                 eights[i + 3 * stride]};
        for (const uint4& eight : loaded) mine += sum_of(eight);
    }
    for (; i < n / 8; i += stride) mine += sum_of(eights[i]);
    for (i = n / 8 * 8 + first; i < n; i += stride) mine += wide(a[i]);
    for (int offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

void sum_half(const __half* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(*sum)));
    sum_half_kernel<<<blocks_at_once(n / 8), kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

/// What was lost of both, without a branch.
__device__ void add(Pair& to, float x) {
    const float sum = to.sum + x;
    const float x_part = sum - to.sum;
    to.error += (to.sum - (sum - x_part)) + (x - x_part);
    to.sum = sum;
}

template <class T>
__global__ void sum_kernel(const T* a, Pair* sums, int n) {
    constexpr bool kIsPair = sizeof(T) == sizeof(Pair);
    const int stride = gridDim.x * blockDim.x;
    Pair mine = {0, 0};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (!kIsPair) {
        const float4* fours = reinterpret_cast<const float4*>(a);
        Pair other = {0, 0};
        for (; i < n / 4; i += stride) {
            const float4 four = fours[i];
            add(mine, four.x);
            add(other, four.y);
            add(mine, four.z);
            add(other, four.w);
        }
        add(mine, other.sum);
        mine.error += other.error;
        i = n / 4 * 4 + blockIdx.x * blockDim.x + threadIdx.x;
    }
    for (; i < n; i += stride) {
        if constexpr (kIsPair) {
            add(mine, a[i].sum);
            mine.error += a[i].error;
        } else {
            add(mine, a[i]);
        }
    }
    __shared__ Pair of_warp[kThreads / 32];
    for (int level = 0; level < 2; ++level) {
        for (int offset = 16; offset > 0; offset /= 2) {
            const float other = __shfl_down_sync(0xffffffff, mine.sum, offset);
            mine.error += __shfl_down_sync(0xffffffff, mine.error, offset);
            add(mine, other);
        }
        if (level == 1) break;
        if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
        __syncthreads();
        mine = threadIdx.x < kThreads / 32 ? of_warp[threadIdx.x] : Pair{0, 0};
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

__global__ void last_kernel(const Pair* pair, float* sum) {
    *sum = pair->sum + pair->error;
}

void sum_compensated(const float* a, Pair* partial, float* sum, int n) {
    const int blocks = blocks_at_once(n);
    sum_kernel<<<blocks, kThreads>>>(a, partial, n);
    CUDA_CHECK(cudaGetLastError());
    sum_kernel<<<1, kThreads>>>(partial, partial, blocks);
    CUDA_CHECK(cudaGetLastError());
    last_kernel<<<1, 1>>>(partial, sum);
    CUDA_CHECK(cudaGetLastError());
}

/// 1.5 * 2^23: floats of this size are whole numbers, so adding it rounds.
constexpr float kRounds = 12582912.0F;

__global__ void sines_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 1; k <= terms; ++k) {
        const float angle = static_cast<float>(k) * x[i];
        const float turns = __fadd_rn(fmaf(angle, 0.15915494F, kRounds), -kRounds);
        const float near = fmaf(-turns, 6.28125F, angle);  // 2 pi in three parts
        const float nearer = fmaf(-turns, 1.93530717e-3F, near);
        sum += w[k - 1] * __sinf(fmaf(-turns, 1.02533766e-11F, nearer));
    }
    y[i] = sum;
}

void sines(const float* x, const float* w, float* y, int n, int terms) {
    sines_kernel<<<n / kThreads + 1, kThreads>>>(x, w, y, n, terms);
    CUDA_CHECK(cudaGetLastError());
}
