// Implements the runner's device work for the virtual GPU. There is little to do: it detects reads
// of memory never written, and accesses outside, itself.
#include "runner/device.h"

#include <cstring>
#include <vector>

#include "protocol/delay.h"
#include "protocol/mutate.h"
#include "vgpu/extension.h"

namespace lab::runner {

cudaError_t poison_memory() {
    return cudaSuccess;
}
void begin_call(bool) {
    vgpu_begin_call();
}

cudaError_t keep_busy(cudaStream_t stream) {
    // If the call has no stream, its accesses reveal a missing wait.
    return stream == nullptr ? cudaSuccess : vgpu_occupy(stream, kBusyUs);
}

std::uint64_t device_memory_in_use() {
    std::size_t free_bytes = 0, total_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) return 0;
    return total_bytes - free_bytes + vgpu_pinned_bytes();
}

std::uint32_t live_handles() {
    return static_cast<std::uint32_t>(vgpu_live_handles());
}

bool is_live(const void* handle) {
    return vgpu_is_live(handle);
}

cudaError_t flush_l2() {
    return cudaSuccess;
}

cudaError_t mutate(void* device_data, std::size_t size_bytes, Change change, std::uint64_t mask) {
    std::vector<std::uint64_t> words(size_bytes / sizeof(std::uint64_t));
    const std::size_t whole_bytes = words.size() * sizeof(std::uint64_t);
    if (whole_bytes == 0) return cudaSuccess;
    cudaError_t error = cudaMemcpy(words.data(), device_data, whole_bytes, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) return error;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] ^= change_of(change, i, mask);
    return cudaMemcpy(device_data, words.data(), whole_bytes, cudaMemcpyHostToDevice);
}

cudaError_t forget(void* device_data, std::size_t size_bytes) {
    return size_bytes == 0 ? cudaSuccess : vgpu_forget(device_data, size_bytes);
}

}  // namespace lab::runner
