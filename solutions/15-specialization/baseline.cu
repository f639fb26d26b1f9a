// Lab 15, baseline: right, and slow. Blocks of one warp, nine values sorted for every count, and
// one warp that reduces, and asks which operator it is with each element.

#include "specialization.h"

#include <limits>

constexpr int kWarp = 32;

static int warps_for(int n) {
    return n / kWarp + (n % kWarp != 0);
}

__device__ float spread(float x) {
    constexpr int kCells = 48;
    float cell[kCells] = {x};
#pragma unroll 1
    for (int round = 0; round < 16; ++round) {
        const float first = cell[0];
        float left = cell[kCells - 1];
#pragma unroll
        for (int k = 0; k < kCells; ++k) {
            const float mine = cell[k], right = k + 1 < kCells ? cell[k + 1] : first;
            cell[k] = 0.25F * left + 0.5F * mine + 0.25F * right;
            left = mine;
        }
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kCells; ++k) sum += cell[k] * cell[k];
    return sum;
}

template <bool spreads>
__global__ void run_kernel(const float* x, float* y, int n, unsigned flags) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
    if (flags & kClamp) value = fminf(fmaxf(value, 0.0F), 1.0F);
    if (spreads) value = spread(value);
    if (flags & kInvert) value = 1 - value;
    y[i] = value;
}

void run(const float* x, float* y, int n, unsigned flags) {
    if (n == 0) return;
    if (flags & kSpread)
        run_kernel<true><<<warps_for(n), kWarp>>>(x, y, n, flags);
    else
        run_kernel<false><<<warps_for(n), kWarp>>>(x, y, n, flags);
}

/// Sorts 9 values, of which the last 9 - count are infinite: one kernel for every count.
__global__ void blend_kernel(const float* frames, float* out, int n, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[kMostFrames];
#pragma unroll
    for (int k = 0; k < kMostFrames; ++k) {
        value[k] = k < count ? frames[k * n + i] : std::numeric_limits<float>::infinity();
    }
    float median = 0;
#pragma unroll
    for (int place = 0; place < kMostFrames; ++place) {
#pragma unroll
        for (int k = place + 1; k < kMostFrames; ++k) {
            const float smaller = fminf(value[place], value[k]);
            value[k] = fmaxf(value[place], value[k]);
            value[place] = smaller;
        }
        median = place == (count - 1) / 2 ? value[place] : median;
    }
    out[i] = median;
}

void blend(const float* frames, float* out, int n, int count) {
    if (n > 0) blend_kernel<<<warps_for(n), kWarp>>>(frames, out, n, count);
}

template <class T>
__device__ T combine(T x, T y, int op) {
    if (op == kSum) return x + y;
    if (op == kMagnitude) x = abs(x), y = abs(y);
    return (op == kMinimum) == (x < y) ? x : y;
}

/// One warp, which asks for the operator with each element.
template <class T>
__global__ void reduce_kernel(const T* a, T* result, int n, int op, T identity) {
    T mine = identity;
    for (int i = threadIdx.x; i < n; i += kWarp) mine = combine(mine, a[i], op);
    for (int apart = kWarp / 2; apart > 0; apart /= 2)
        mine = combine(mine, __shfl_down_sync(0xffffffff, mine, apart), op);
    if (threadIdx.x == 0) *result = mine;
}

template <class T>
static void reduce(const T* a, T* result, int n, int op, T lowest, T highest) {
    const T identity = op == kMaximum ? lowest : op == kMinimum ? highest : T{0};
    reduce_kernel<<<1, kWarp>>>(a, result, n, op, identity);
}

void reduce_floats(const float* a, float*, float* result, int n, int op) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    reduce(a, result, n, op, -kInfinity, kInfinity);
}

void reduce_ints(const int* a, int*, int* result, int n, int op) {
    reduce(a, result, n, op, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
}

int uses_local_memory(int suspect) {
    constexpr int answers[] = {0, 1, 1, 0, 0, 1};
    return answers[suspect];
}
