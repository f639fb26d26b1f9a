// Right: a kernel for each step, one after the other, and for no step at all a copy on the device.
// Kernels are in a namespace: their own names begin as the contract says. The rest is the
// solution's.

#include "specialization.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;  // a block: a power of two, for the tree

/// One thread for each of n elements, n > 0.
int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

// ---------------------------------------------------------------------------
// Task 1: flags.

/// A ring of 48 cells, one of them x warm and all others cold. In each round every cell takes a
/// quarter of the heat of each neighbour, and keeps half of its own. Returns the sum of the squares
/// after 16 rounds. All 48 cells are in registers.
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

struct Clamp {
    __device__ float operator()(float x) const { return fminf(fmaxf(x, 0.0F), 1.0F); }
};
struct Spread {
    __device__ float operator()(float x) const { return spread(x); }
};
struct Invert {
    __device__ float operator()(float x) const { return 1 - x; }
};

namespace kernels {
template <class Step>
__global__ void run_step(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = Step{}(x[i]);
}
}  // namespace kernels
using namespace kernels;

void run(const float* x, float* y, int n, unsigned flags) {
    if (n == 0) return;
    const int blocks = blocks_for(n);
    if (flags == 0) CUDA_CHECK(cudaMemcpyAsync(y, x, n * sizeof(*y), cudaMemcpyDefault));
    if (flags & kClamp) run_step<Clamp><<<blocks, kThreads>>>(x, y, n);
    if (flags & kSpread) run_step<Spread><<<blocks, kThreads>>>(flags & kClamp ? y : x, y, n);
    if (flags & kInvert) run_step<Invert><<<blocks, kThreads>>>(flags != kInvert ? y : x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 2: an array for each thread.

namespace kernels {
template <int count>
__global__ void blend_kernel(const float* frames, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
        value[k] = frames[k * n + i];
    }
#pragma unroll
    for (int place = 0; place <= (count - 1) / 2; ++place) {
#pragma unroll
        for (int k = place + 1; k < count; ++k) {
            const float smaller = fminf(value[place], value[k]);
            value[k] = fmaxf(value[place], value[k]);
            value[place] = smaller;
        }
    }
    out[i] = value[(count - 1) / 2];
}
}  // namespace kernels

void blend(const float* frames, float* out, int n, int count) {
    if (n == 0) return;
    const int blocks = blocks_for(n);
    using Kernel = void (*)(const float*, float*, int);
    constexpr Kernel kernels[kMostFrames] = {blend_kernel<1>, blend_kernel<2>, blend_kernel<3>,
                                             blend_kernel<4>, blend_kernel<5>, blend_kernel<6>,
                                             blend_kernel<7>, blend_kernel<8>, blend_kernel<9>};
    kernels[count - 1]<<<blocks, kThreads>>>(frames, out, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 3: one reduction for every operator and type.

/// Below or equal to every T, and above or equal. Usable in device code.
template <class T>
constexpr T kLowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                           : std::numeric_limits<T>::min();
template <class T>
constexpr T kHighest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::max();

/// An operator: what it begins with, and what it makes of two elements.
template <class T>
struct Sum {
    static __device__ T identity() { return 0; }
    static __device__ T combine(T x, T y) { return x + y; }
};

template <class T>
struct Maximum {
    static __device__ T identity() { return kLowest<T>; }
    static __device__ T combine(T x, T y) { return x > y ? x : y; }
};

template <class T>
struct Minimum {
    static __device__ T identity() { return kHighest<T>; }
    static __device__ T combine(T x, T y) { return x < y ? x : y; }
};

template <class T>
struct Magnitude {
    static __device__ T identity() { return 0; }
    static __device__ T combine(T x, T y) { return Maximum<T>::combine(abs(x), abs(y)); }
};

template <class T, class Op>
__global__ void reduce_kernel(const T* a, T* results, int n) {
    __shared__ T values[kThreads];
    const int stride = gridDim.x * blockDim.x;
    T mine = Op::identity();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = Op::combine(mine, a[i]);
    }
    values[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            values[threadIdx.x] = Op::combine(values[threadIdx.x], values[threadIdx.x + half]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) results[blockIdx.x] = values[0];
}

/// Each block leaves its result in `partial`, then one block reduces those.
template <class T, class Op>
void reduce(const T* a, T* partial, T* result, int n) {
    const int blocks = n == 0 ? 1 : std::min(blocks_for(n), kMostBlocks);
    reduce_kernel<T, Op><<<blocks, kThreads>>>(a, partial, n);
    CUDA_CHECK(cudaGetLastError());
    reduce_kernel<T, Op><<<1, kThreads>>>(partial, result, blocks);
    CUDA_CHECK(cudaGetLastError());
}

/// Selects the instance for an operator.
template <class T>
void reduce_by(const T* a, T* partial, T* result, int n, int op) {
    if (op == kSum) reduce<T, Sum<T>>(a, partial, result, n);
    if (op == kMaximum) reduce<T, Maximum<T>>(a, partial, result, n);
    if (op == kMinimum) reduce<T, Minimum<T>>(a, partial, result, n);
    if (op == kMagnitude) reduce<T, Magnitude<T>>(a, partial, result, n);
}

void reduce_floats(const float* a, float* partial, float* result, int n, int op) {
    reduce_by(a, partial, result, n, op);
}

void reduce_ints(const int* a, int* partial, int* result, int n, int op) {
    reduce_by(a, partial, result, n, op);
}

// ---------------------------------------------------------------------------
// Task 4: six suspects. Nobody launches them: they are compiled, and that is enough.

/// A large structure: 21 floats.
struct Particle {
    float3 position, speed, force, spin, axis, colour;
    float mass, charge, age;

    __device__ void step(float time) {
        speed.x += force.x / mass * time, speed.y += force.y / mass * time;
        position.x += speed.x * time, position.y += speed.y * time, position.z += speed.z * time;
        spin.x += axis.y * charge, spin.y += axis.z * charge, spin.z += axis.x * charge;
        colour.x += spin.x, colour.y += spin.y, colour.z += spin.z;
        age += time;
    }
};

/// Loads and stores a structure, and calls one of its member functions in a loop.
__global__ void suspect_0(Particle* particles, int steps) {
    Particle mine = particles[threadIdx.x];
    for (int step = 0; step < steps; ++step) mine.step(0.5F);
    particles[threadIdx.x] = mine;
}

/// 21 sums: the data say which of them each element goes to.
__global__ void suspect_1(const float* in, const int* which, float* out, int n) {
    float sum[21] = {};
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum[which[i]] += in[i];
    for (int k = 0; k < 21; ++k) out[k * blockDim.x + threadIdx.x] = sum[k];
}

/// 64 sums, in a kernel that promises that two blocks of 1024 threads fit on a multiprocessor.
__global__ void __launch_bounds__(1024, 2) suspect_2(const float* in, float* out, int n) {
    float sum[64] = {};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float power = in[i];
#pragma unroll
        for (int k = 0; k < 64; ++k, power *= in[i]) sum[k] += power;
    }
#pragma unroll
    for (int k = 0; k < 64; ++k) out[k * blockDim.x + threadIdx.x] = sum[k];
}

/// As suspect_1, but all 21 sums are added to: one of them the element, and the others 0.
__global__ void suspect_3(const float* in, const int* which, float* out, int n) {
    float sum[21] = {};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
#pragma unroll
        for (int k = 0; k < 21; ++k) sum[k] += k == which[i] ? in[i] : 0;
    }
    for (int k = 0; k < 21; ++k) out[k * blockDim.x + threadIdx.x] = sum[k];
}

/// A pointer to one of two local variables.
__global__ void suspect_4(const float* in, float* out) {
    float even = in[threadIdx.x], odd = in[2 * threadIdx.x];
    float* const chosen = threadIdx.x % 2 == 0 ? &even : &odd;
    *chosen += 1;
    out[threadIdx.x] = even * odd;
}

/// 16 floats, each of which adds its neighbour in each round. Only the call says how many are used.
__global__ void suspect_5(const float* in, float* out, int used, int rounds) {
    float value[16] = {};
    for (int k = 0; k < used; ++k) value[k] = in[k * blockDim.x + threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k + 1 < used; ++k) value[k] += value[k + 1];
    }
    out[threadIdx.x] = value[0];
}

int uses_local_memory(int suspect) {
    //            memory) or 0 (it does not). Handout: "Six suspects".
    constexpr int answers[] = {0, 1, 1, 0, 0, 1};
    return answers[suspect];
}
