// A real GPU as the runner's device.
//
// Free memory is poisoned by taking it, filling it and giving it back: a kernel that reads memory
// it never wrote then sees the pattern, not zeros of a fresh context or the last test's answer.
#include <algorithm>
#include <cstdint>

#include "protocol/mutate.h"
#include "runner/device.h"

namespace lab::runner {
namespace {

// A float of these bytes is about -2.0e26, an int -1431655766: seen at once in an output.
constexpr unsigned kPoisonWord = 0xEAAAAAAAu;
constexpr int kPoisonByte = 0xEA;

// The driver gives freed memory of one size back first, so that little is enough: what a student's
// cudaMalloc gets next. All of 139 GiB would take 40 ms a call.
constexpr std::size_t kPoisonedBytes = 256u << 20;

// One block fills a multiprocessor's shared memory when it takes all a block may have.
__global__ void poison_shared_kernel(int words) {
    extern __shared__ volatile unsigned shared[];
    for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) {
        shared[i] = kPoisonWord;
    }
}

__global__ void mutate_kernel(std::uint64_t* data, std::size_t words, std::uint64_t nonce,
                              std::uint64_t mask) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += step) {
        data[i] ^= mutation_of(nonce, i, mask);
    }
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

cudaError_t poison_shared() {
    static const int bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    static const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    static const cudaError_t allowed = cudaFuncSetAttribute(
        poison_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (allowed != cudaSuccess) return allowed;
    poison_shared_kernel<<<2 * multiprocessors, 1024, static_cast<std::size_t>(bytes)>>>(bytes / 4);
    return cudaGetLastError();
}

}  // namespace

cudaError_t poison_memory() {
    std::size_t free_bytes = 0, total_bytes = 0;
    cudaError_t error = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (error != cudaSuccess) return error;
    void* memory = nullptr;
    // A quarter of what is free at most: others may use this GPU too.
    const std::size_t bytes = std::min(kPoisonedBytes, free_bytes / 4);
    if (bytes > 0 && cudaMalloc(&memory, bytes) == cudaSuccess) {
        error = cudaMemset(memory, kPoisonByte, bytes);
        cudaFree(memory);
    } else {
        cudaGetLastError();  // no memory to spare: nothing to poison
    }
    if (error == cudaSuccess) error = poison_shared();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
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

cudaError_t mutate(void* device_data, std::size_t size_bytes, std::uint64_t nonce,
                   std::uint64_t mask) {
    const std::size_t words = size_bytes / sizeof(std::uint64_t);
    if (words == 0) return cudaSuccess;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(4096, (words + 255) / 256));
    mutate_kernel<<<blocks, 256>>>(static_cast<std::uint64_t*>(device_data), words, nonce, mask);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

cudaError_t forget(void*, std::size_t) {
    return cudaSuccess;
}

}  // namespace lab::runner
