// Right: shuffles in blocks of any size. The last warp may be short: its mask names just the lanes
// that are there, and the first rounds bring nothing that is used.

#include "reduction_binary.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

__global__ void sk(const float* a, float* sums, int n) {
    __shared__ float w[32];
    const int t = threadIdx.x;
    float m = 0, c = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        const float y = a[i] - c, q = m + y;
        c = (q - m) - y;
        m = q;
    }
    const unsigned mask = __ballot_sync(__activemask(), true);
    const int lane = t % 32, lanes = __popc(mask);
    for (int d = 16; d; d >>= 1) {
        const float o = __shfl_down_sync(mask, m, d);
        if (lane + d < lanes) m += o;
    }
    if (lane == 0) w[t / 32] = m;
    __syncthreads();
    if (t == 0) {
        float s = 0;
        for (int k = 0; k < (blockDim.x + 31) / 32; ++k) s += w[k];
        sums[blockIdx.x] = s;
    }
}

void block_sums(const float* a, float* sums, int n, int T) {
    if (n) sk<<<(n - 1) / T + 1, T>>>(a, sums, n);
}

void one_block_sum(const float* a, float* total, int n, int T) {
    sk<<<1, T>>>(a, total, n);
}

void sum(const float* a, float* scratch, float* total, int n) {
    const int b = std::min(1024, (n + 511) / 512);
    if (b) sk<<<b, 512>>>(a, scratch, n);
    sk<<<1, 1024>>>(scratch, total, b);
    CUDA_CHECK(cudaGetLastError());
}

template <class In, class F>
__global__ void red(const In* a, MinMaxSum* o, int n, F f) {
    __shared__ MinMaxSum v[1024];
    MinMaxSum m{__int_as_float(0x7f800000), __int_as_float(0xff800000), 0.f};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        f(m, a[i]);
    v[threadIdx.x] = m;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = threadIdx.x + 32; k < blockDim.x; k += 32) {
            m.min = std::min(m.min, v[k].min);
            m.max = std::max(m.max, v[k].max);
            m.sum += v[k].sum;
        }
        v[threadIdx.x] = m;
        __syncwarp();
        if (threadIdx.x == 0) {
            for (int k = 1; k < 32; ++k) {
                m.min = std::min(m.min, v[k].min);
                m.max = std::max(m.max, v[k].max);
                m.sum += v[k].sum;
            }
            o[blockIdx.x] = m;
        }
    }
}

void min_max_sum(const float* a, MinMaxSum* scratch, MinMaxSum* result, int n) {
    auto one = [] __device__(MinMaxSum & m, float x) {
        m.min = fminf(m.min, x);
        m.max = fmaxf(m.max, x);
        m.sum += x;
    };
    auto two = [] __device__(MinMaxSum & m, MinMaxSum x) {
        m.min = fminf(m.min, x.min);
        m.max = fmaxf(m.max, x.max);
        m.sum += x.sum;
    };
    const int b = std::min(500, (n + 255) / 256);
    if (b) red<<<b, 256>>>(a, scratch, n, one);
    red<<<1, 512>>>(scratch, result, b, two);
}
