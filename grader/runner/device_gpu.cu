// Implements the runner's device work for a real GPU, with kernels. allocations_gpu.cpp follows the
// submission's allocations.
#include <algorithm>
#include <cstdint>

#include "protocol/delay.h"
#include "protocol/mutate.h"
#include "runner/device.h"

namespace lab::runner {
namespace {

// One block fills a multiprocessor's shared memory when it takes all a block may have.
__global__ void poison_shared_kernel(int words) {
    extern __shared__ volatile unsigned shared[];
    for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) {
        shared[i] = kPoisonWord;
    }
}

__global__ void busy_kernel() {
    spin_us(kBusyUs);
}

__global__ void mutate_kernel(std::uint64_t* data, std::size_t words, Change change,
                              std::uint64_t mask) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += step) {
        data[i] ^= change_of(change, i, mask);
    }
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

}  // namespace

cudaError_t poison_memory() {
    static const int bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    static const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    static const cudaError_t allowed = cudaFuncSetAttribute(
        poison_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (allowed != cudaSuccess) return allowed;
    poison_shared_kernel<<<2 * multiprocessors, 1024, static_cast<std::size_t>(bytes)>>>(bytes / 4);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

cudaError_t keep_busy(cudaStream_t stream) {
    if (stream != nullptr) {
        busy_kernel<<<1, 1, 0, stream>>>();
        return cudaGetLastError();
    }
    static const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    static const int threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    static cudaStream_t own = nullptr;
    if (own == nullptr) {
        const cudaError_t error = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        if (error != cudaSuccess) return error;
    }
    // No block of the submission fits next to it.
    constexpr int kBlock = 512;
    busy_kernel<<<threads / kBlock * multiprocessors, kBlock, 0, own>>>();
    return cudaGetLastError();
}

std::uint32_t live_handles() {
    return 0;
}
bool is_live(const void*) {
    return true;
}

cudaError_t flush_l2() {
    static const std::size_t bytes =
        2 * static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
    static void* memory = nullptr;
    // Lines that a submission made persistent would survive the flush.
    cudaCtxResetPersistingL2Cache();
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    cudaGetLastError();
    cudaError_t error = cudaSuccess;
    if (memory == nullptr) error = cudaMalloc(&memory, bytes);
    if (error == cudaSuccess) error = cudaMemset(memory, 0, bytes);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

cudaError_t mutate(void* device_data, std::size_t size_bytes, Change change, std::uint64_t mask) {
    const std::size_t words = size_bytes / sizeof(std::uint64_t);
    if (words == 0) return cudaSuccess;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(4096, (words + 255) / 256));
    mutate_kernel<<<blocks, 256>>>(static_cast<std::uint64_t*>(device_data), words, change, mask);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

cudaError_t forget(void*, std::size_t) {
    return cudaSuccess;
}

}  // namespace lab::runner
