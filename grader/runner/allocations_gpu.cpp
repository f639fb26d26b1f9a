// Follows a submission's allocations on a GPU one by one. So the amount left allocated is exact
// however many others use the GPU, and new memory holds a pattern instead of zeros or an old
// answer.
//
// The submission calls these in place of the runtime's own (protocol/watched_functions.h). They
// return the runtime's results and errors.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "runner/device.h"

// The per-thread-default-stream variants, which the headers declare only under another name.
extern "C" {
cudaError_t cudaMallocAsync_ptsz(void** memory, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync_ptsz(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                         cudaStream_t stream);
cudaError_t cudaFreeAsync_ptsz(void* memory, cudaStream_t stream);
}

namespace lab::runner {
namespace {

class Allocations {
public:
    void add(void* memory, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        bytes_[memory] = bytes;
        in_use_ += bytes;
    }
    void remove(void* memory) {
        const std::lock_guard lock(mutex_);
        const auto found = bytes_.find(memory);
        if (found == bytes_.end()) return;
        in_use_ -= found->second;
        bytes_.erase(found);
    }
    void remove_all() {
        const std::lock_guard lock(mutex_);
        bytes_.clear();
        in_use_ = 0;
    }
    std::uint64_t in_use() {
        const std::lock_guard lock(mutex_);
        return in_use_;
    }

private:
    std::mutex mutex_;
    std::unordered_map<void*, std::size_t> bytes_;
    std::uint64_t in_use_ = 0;
};

// Never destroyed: a submission's own static objects may free memory at exit.
Allocations& allocations() {
    static Allocations& all = *new Allocations;
    return all;
}

bool poisons = false;

cudaError_t fill(void* memory, std::size_t bytes) {
    if (!poisons || bytes == 0) return cudaSuccess;
    const cudaError_t error = cudaMemset(memory, kPoisonByte, bytes);
    // No stream of the submission may use the memory before.
    return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamLegacy) : error;
}

cudaError_t note(cudaError_t error, void* const* memory, std::size_t bytes) {
    if (error != cudaSuccess || *memory == nullptr) return error;
    allocations().add(*memory, bytes);
    return fill(*memory, bytes);
}

cudaError_t note(cudaError_t error, void* const* memory, std::size_t bytes, cudaStream_t stream) {
    if (error != cudaSuccess || *memory == nullptr) return error;
    allocations().add(*memory, bytes);
    return poisons && bytes != 0 ? cudaMemsetAsync(*memory, kPoisonByte, bytes, stream)
                                 : cudaSuccess;
}

/// The stream 0 of code that was compiled with --default-stream=per-thread.
cudaStream_t per_thread(cudaStream_t stream) {
    return stream == nullptr ? cudaStreamPerThread : stream;
}

}  // namespace

std::uint64_t device_memory_in_use() {
    return allocations().in_use();
}

void begin_call(bool poison) {
    poisons = poison;
    cudaMemPool_t pool = nullptr;
    std::uint64_t all = UINT64_MAX;
    // Not every device has pools. The caller clears the error.
    if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess)
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

}  // namespace lab::runner

using namespace lab::runner;

extern "C" {

cudaError_t lab_cudaMalloc(void** memory, std::size_t bytes) {
    return note(cudaMalloc(memory, bytes), memory, bytes);
}
cudaError_t lab_cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags) {
    return note(cudaMallocManaged(memory, bytes, flags), memory, bytes);
}
cudaError_t lab_cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width,
                                std::size_t height) {
    const cudaError_t error = cudaMallocPitch(memory, pitch, width, height);
    return error == cudaSuccess ? note(error, memory, *pitch * height) : error;
}
cudaError_t lab_cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    const cudaError_t error = cudaMalloc3D(memory, extent);
    if (error != cudaSuccess) return error;
    return note(error, &memory->ptr, memory->pitch * extent.height * extent.depth);
}
cudaError_t lab_cudaFree(void* memory) {
    const cudaError_t error = cudaFree(memory);
    if (error == cudaSuccess) allocations().remove(memory);
    return error;
}
cudaError_t lab_cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream) {
    return note(cudaMallocAsync(memory, bytes, stream), memory, bytes, stream);
}
cudaError_t lab_cudaMallocAsync_ptsz(void** memory, std::size_t bytes, cudaStream_t stream) {
    return note(cudaMallocAsync_ptsz(memory, bytes, stream), memory, bytes, per_thread(stream));
}
cudaError_t lab_cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                        cudaStream_t stream) {
    return note(cudaMallocFromPoolAsync(memory, bytes, pool, stream), memory, bytes, stream);
}
cudaError_t lab_cudaMallocFromPoolAsync_ptsz(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                             cudaStream_t stream) {
    return note(cudaMallocFromPoolAsync_ptsz(memory, bytes, pool, stream), memory, bytes,
                per_thread(stream));
}
cudaError_t lab_cudaFreeAsync(void* memory, cudaStream_t stream) {
    const cudaError_t error = cudaFreeAsync(memory, stream);
    if (error == cudaSuccess) allocations().remove(memory);
    return error;
}
cudaError_t lab_cudaFreeAsync_ptsz(void* memory, cudaStream_t stream) {
    const cudaError_t error = cudaFreeAsync_ptsz(memory, stream);
    if (error == cudaSuccess) allocations().remove(memory);
    return error;
}
cudaError_t lab_cudaDeviceReset() {
    const cudaError_t error = cudaDeviceReset();
    if (error == cudaSuccess) allocations().remove_all();
    return error;
}
}
