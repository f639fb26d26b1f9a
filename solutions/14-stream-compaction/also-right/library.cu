// Right: Thrust and CUB. Both select in one pass, in which a block waits for those with a lower
// number. Each job runs twice: once to count its values, and, after a scan of the counts, once more
// to store them.

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <cub/device/device_select.cuh>

#include "stream_compaction.h"

struct Keeps {
    __device__ bool operator()(float x) const { return x > 0; }
};

void compact_any(const float* a, float* kept, int* count, int n) {
    const int kept_count = thrust::copy_if(thrust::device, a, a + n, kept, Keeps()) - kept;
    cudaMemcpy(count, &kept_count, sizeof(kept_count), cudaMemcpyHostToDevice);
}

void compact_stable(const float* a, int*, float* kept, int* count, int n) {
    void* scratch = nullptr;
    size_t bytes = 0;
    cub::DeviceSelect::If(scratch, bytes, a, kept, count, n, Keeps());
    cudaMalloc(&scratch, bytes);
    cub::DeviceSelect::If(scratch, bytes, a, kept, count, n, Keeps());
    cudaFree(scratch);
}

/// Calls found(factor) for each prime factor of `number`.
template <class Found>
__device__ void factorise(int number, Found found) {
    for (int divisor = 2; number > 1;) {
        if (divisor * divisor > number) divisor = number;
        if (number % divisor != 0) {
            ++divisor;
            continue;
        }
        found(divisor);
        number /= divisor;
    }
}

/// Slot `jobs` gets 0, so that the scan ends with the sum of all.
__global__ void count_kernel(const int* numbers, int* values, int jobs) {
    const int job = blockIdx.x * blockDim.x + threadIdx.x;
    if (job > jobs) return;
    int found = 0;
    if (job < jobs) factorise(numbers[job], [&](int) { ++found; });
    values[job] = found;
}

__global__ void place_kernel(const int* numbers, const int* begin, Entry* entries, int jobs,
                             int capacity) {
    const int job = blockIdx.x * blockDim.x + threadIdx.x;
    if (job >= jobs) return;
    int slot = begin[job];
    factorise(numbers[job], [&](int factor) {
        if (slot < capacity) entries[slot] = {job, factor};
        ++slot;
    });
}

__global__ void fill_kernel(Entry* entries, int made, int end) {
    const int slot = made + static_cast<int>(threadIdx.x);
    if (slot < end) entries[slot] = kEmpty;
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    int* begin;
    cudaMalloc(&begin, (jobs + 1) * sizeof(int));
    const int blocks = jobs / 256 + 1;
    count_kernel<<<blocks, 256>>>(numbers, begin, jobs);
    thrust::exclusive_scan(thrust::device, begin, begin + jobs + 1, begin);
    place_kernel<<<blocks, 256>>>(numbers, begin, entries, jobs, capacity);
    cudaMemcpy(made, begin + jobs, sizeof(*made), cudaMemcpyDeviceToHost);
    cudaFree(begin);
    *reserved = (*made + kRange - 1) / kRange * kRange;
    fill_kernel<<<1, kRange>>>(entries, *made, *reserved < capacity ? *reserved : capacity);
    cudaDeviceSynchronize();
}
