// Wrong: the published way to append, from the time when the lanes of a warp ran in step. Each lane
// takes a slot of its warp's range in shared memory; one finds the range at its end and reserves a
// new one, and those behind it take a slot of that. Since Volta nothing makes them wait for it:
// volatile orders no two threads, and a lane may read the new place with the old end. On an H200 it
// was rejected in one grading, and accepted in another.
//
// expect vgpu: "append: every value of every job": "nothing orders the two"
// expect gpu: nothing

#include <algorithm>

#include "stream_compaction.h"

void compact_any(const float*, float*, int*, int) {}

void compact_stable(const float*, int*, float*, int*, int) {}

constexpr int kWarp = 32, kWarps = 8;

__device__ int global_offset, values_made;

__shared__ volatile int shared_offset[kWarps], shared_end[kWarps];

static __device__ int next_slot() {
    int slot = atomicAdd(const_cast<int*>(&shared_offset[threadIdx.y]), 1);
    const int end = shared_end[threadIdx.y];
    if (slot == end) {
        const int start = atomicAdd(&global_offset, kRange);
        shared_offset[threadIdx.y] = start;
        shared_end[threadIdx.y] = start + kRange;
    }
    if (slot >= end) slot = atomicAdd(const_cast<int*>(&shared_offset[threadIdx.y]), 1);
    return slot;
}

/// A block is kWarps rows of a warp.
static __global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    if (threadIdx.x == 0) {
        shared_offset[threadIdx.y] = 0;
        shared_end[threadIdx.y] = 0;
    }
    const int stride = gridDim.x * kWarps * kWarp;
    int job = (blockIdx.x * kWarps + threadIdx.y) * kWarp + threadIdx.x;
    int rest = job < jobs ? numbers[job] : 1, divisor = 2, made = 0;
    while (__any_sync(0xffffffff, job < jobs)) {
        if (rest > 1) {
            if (divisor * divisor > rest) divisor = rest;
            if (rest % divisor == 0) {
                const int slot = next_slot();
                if (slot < capacity) entries[slot] = {job, divisor};
                ++made;
                rest /= divisor;
            } else {
                ++divisor;
            }
        } else if (job < jobs) {
            job += stride;
            divisor = 2;
            rest = job < jobs ? numbers[job] : 1;
        }
    }
    if (threadIdx.x == 0) {
        const int end = min(shared_end[threadIdx.y], capacity);
        for (int slot = shared_offset[threadIdx.y]; slot < end; ++slot) entries[slot] = kEmpty;
    }
    atomicAdd(&values_made, made);
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    const int zero = 0;
    cudaMemcpyToSymbol(global_offset, &zero, sizeof(zero));
    cudaMemcpyToSymbol(values_made, &zero, sizeof(zero));
    const dim3 block(kWarp, kWarps);
    append_kernel<<<std::clamp(jobs / 2048, 1, 1056), block>>>(numbers, entries, jobs, capacity);
    cudaMemcpyFromSymbol(made, values_made, sizeof(*made));
    cudaMemcpyFromSymbol(reserved, global_offset, sizeof(*reserved));
}
