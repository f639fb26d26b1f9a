// The runner's device work beyond the plain CUDA runtime. Two implementations, chosen at link time:
// device_gpu.cu (kernels of its own) and device_vgpu.cpp (none). Both share the stopwatch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "protocol/mutate.h"

namespace lab::runner {

// A float of these bytes is about -2.0e26, an int -1431655766: seen at once in an output.
inline constexpr unsigned kPoisonWord = 0xEAAAAAAAu;
inline constexpr int kPoisonByte = 0xEA;

/// Fills the shared memory of every multiprocessor, so that a read of what was never written shows.
/// The virtual GPU knows such reads without.
cudaError_t poison_memory();
/// From now on it is the submission that allocates; `poison`: what it gets is filled, too.
void begin_call(bool poison);

/// Bytes of device memory that the submission has allocated and not freed; on the virtual GPU with
/// those of the runner, and with pinned host memory.
std::uint64_t device_memory_in_use();

/// Streams and events that were created and not destroyed; 0 on a GPU, which does not tell.
std::uint32_t live_handles();
/// Whether a stream or an event was not destroyed; on a GPU nothing says so, and this is true.
bool is_live(const void* handle);

/// Gives a stream something to do for some milliseconds; without one, all multiprocessors, in a
/// stream that waits for nobody, which the virtual GPU, who knows missing waits, does not need.
cudaError_t keep_busy(cudaStream_t stream);

/// Pushes everything out of the L2 cache.
cudaError_t flush_l2();

/// Flips change_of(change, i, mask) in the i-th 8 bytes of device memory (protocol/mutate.h).
cudaError_t mutate(void* device_data, std::size_t size_bytes, Change change, std::uint64_t mask);

/// Makes device memory count as never written, whatever it holds.
cudaError_t forget(void* device_data, std::size_t size_bytes);

/// Device time from start() to stop(), on the legacy default stream. The virtual GPU's is modelled.
class Stopwatch {
public:
    static cudaError_t create();
    static void start();
    static void stop();
    /// After a synchronisation; nothing when it could not be measured.
    static std::optional<double> elapsed_ms();
    /// Its events have been destroyed. Nobody has them: the whole device was reset.
    static bool is_gone();
};

}  // namespace lab::runner
