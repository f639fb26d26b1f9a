// Pairs of kernels: one with a mistake, one without. mistakes_test.cpp finds the line of a mistake
// by its comment, "HERE name".
#include <cassert>

#include "beside.h"

#define KERNEL extern "C" __global__ void

KERNEL past_end(float* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 1.0f;  // HERE past_end
}
KERNEL past_end_fixed(float* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 1.0f;
}

KERNEL before_start(const int* a, int* out, int n) {
    const int i = threadIdx.x;
    out[i] = a[i - 1];  // HERE before_start
}
KERNEL before_start_fixed(const int* a, int* out, int n) {
    const int i = threadIdx.x;
    out[i] = i == 0 ? 0 : a[i - 1];
}

KERNEL store(int* p, int value) {
    p[threadIdx.x] = value;  // HERE store
}

KERNEL load_pair(const char* bytes, int offset, int2* out) {
    *out = *reinterpret_cast<const int2*>(bytes + offset);  // HERE load_pair
}

KERNEL copy(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];  // HERE copy
}

KERNEL shared_past_end(int* out, int shift) {
    __shared__ int tile[64];
    tile[threadIdx.x + shift] = threadIdx.x;  // HERE shared_past_end
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

KERNEL shared_unwritten(int* out, int written) {
    extern __shared__ int tile[];
    if (threadIdx.x < written) tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];  // HERE shared_unwritten
}

KERNEL atomics_unwritten(int* total) {
    __shared__ int block_total, owner;
    atomicExch(&owner, 1);  // sets it, whatever was there
    __syncthreads();
    atomicAdd(&block_total, owner);  // HERE atomics_unwritten
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, block_total);
}

KERNEL exchanges_unwritten(int* out) {
    atomicExch(out + threadIdx.x, 1);  // nobody looks at what was there
    atomicAdd(out + threadIdx.x, 1);
}

KERNEL looks_at_unwritten(int* out) {
    out[threadIdx.x + 64] = atomicExch(out + threadIdx.x, 1);  // HERE looks_at_unwritten
}

KERNEL local_past_end(const int* index, int* out, int limit) {
    int values[10];
    for (int i = 0; i < 10; ++i) values[i] = i;
    for (int i = 0; i < limit; ++i) values[index[i]] += 1;  // HERE local_past_end
    out[0] = values[index[0]];
}

KERNEL local_unwritten(const int* index, int* out) {
    int values[10];
    for (int i = 0; i < 5; ++i) values[index[i]] = i;
    out[0] = values[index[5]];  // HERE local_unwritten
}

KERNEL early_return(int* out, int n) {
    if (threadIdx.x >= n) return;
    out[threadIdx.x] = 1;
    __syncthreads();  // HERE early_return
    out[threadIdx.x] = 2;
}
KERNEL early_return_fixed(int* out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = 2;
}

KERNEL barrier_in_branch(int* out, int n) {
    if (threadIdx.x < n) {
        out[threadIdx.x] = 1;
        __syncthreads();  // HERE barrier_in_branch
        out[threadIdx.x] += 1;
    }
    __syncthreads();
    out[threadIdx.x] = 2;
}

KERNEL write_word(char* at) {
    *reinterpret_cast<int*>(at) = 42;
}

KERNEL two_barriers(int* out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads();  // HERE two_barriers
    } else {
        out[threadIdx.x] = 2;
        __syncthreads();
    }
}

KERNEL asserting(const int* in) {
    assert(in[threadIdx.x] < 100);  // HERE asserting
}
KERNEL trapping(int n) {
    if (threadIdx.x > n) __trap();  // HERE trapping
}

KERNEL endless(int* flag) {
    volatile int* f = flag;
    long looks = 0;
    while (*f == 0 && looks < 1L << 40) ++looks;  // HERE endless
}

// A SIMD-in-a-word instruction that no compiler chooses by itself.
#define ABSOLUTE_DIFFERENCES(d, a) \
    asm volatile("vavrg4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a))

KERNEL unsupported(unsigned* out) {
    unsigned x;
    ABSOLUTE_DIFFERENCES(x, *out);  // HERE unsupported
    *out = x;
}
KERNEL unsupported_unexecuted(unsigned* out) {
    if (*out == 12345) {
        unsigned x;
        ABSOLUTE_DIFFERENCES(x, *out);
        *out = x;
    }
}

__device__ int get(const int* a, int i) {
    return a[i];  // HERE inlined
}
KERNEL inlined(const int* a, int* out) {
    out[threadIdx.x] = get(a, threadIdx.x);
}

KERNEL in_header(int* a) {
    atomicAdd(a + threadIdx.x, 1);  // HERE in_header
}

KERNEL beside(int* a) {
    set(a, threadIdx.x);
}
KERNEL race_beside(int* out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;  // HERE race_beside
    if (threadIdx.x < 16) swap_neighbours(s + 16);
    out[threadIdx.x] = s[threadIdx.x];
}

__device__ int values[8];
KERNEL variable_past_end(int i) {
    values[i] = 1;  // HERE variable_past_end
}

__device__ __noinline__ int deeper(int n) {
    if (n == 0) return 0;
    return deeper(n - 1) * (n + 3) + 1;  // HERE deeper
}
KERNEL overflowing(int* out, int n) {
    out[0] = deeper(n);
}

namespace lab {
template <class T>
__global__ void fill(T* a, T value) {
    a[threadIdx.x] = value;  // HERE fill
}
template __global__ void fill<float>(float*, float);
}  // namespace lab
