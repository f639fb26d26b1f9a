// Does the runner's device work beyond the plain CUDA runtime. The linker chooses one of two
// implementations: device_gpu.cu (with its own kernels) and device_vgpu.cpp (without). Both share
// the stopwatch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "protocol/mutate.h"

namespace lab::runner {

// A float of these bytes is about -2.0e26, an int -1431655766: obvious in an output.
inline constexpr unsigned kPoisonWord = 0xEAAAAAAAu;
inline constexpr int kPoisonByte = 0xEA;

/// Fills the shared memory of every multiprocessor, so that reads before any write show. The
/// virtual GPU detects such reads itself.
cudaError_t poison_memory();
/// From now on the submission allocates. `poison`: fills its memory, too. What cudaFreeAsync gives
/// back stays in its pool for later calls: otherwise the wait behind a timed call's events would
/// empty it, as if work had been kept from them.
void begin_call(bool poison);

/// Bytes of device memory that the submission has allocated and not freed; on the virtual GPU with
/// those of the runner, and with pinned host memory.
std::uint64_t device_memory_in_use();

/// Streams and events that were created and not destroyed; 0 on a GPU, which does not count them.
std::uint32_t live_handles();
/// Whether a stream or an event still exists; always true on a GPU, which cannot know.
bool is_live(const void* handle);

/// Gives a stream work for some milliseconds; without a stream, all multiprocessors, in a stream
/// that waits for no other. The virtual GPU does not need the latter: it detects missing waits.
cudaError_t keep_busy(cudaStream_t stream);

/// Pushes everything out of the L2 cache.
cudaError_t flush_l2();

/// Flips change_of(change, i, mask) in the i-th 8 bytes of device memory (protocol/mutate.h).
cudaError_t mutate(void* device_data, std::size_t size_bytes, Change change, std::uint64_t mask);

/// Makes device memory count as never written, whatever its contents.
cudaError_t forget(void* device_data, std::size_t size_bytes);

/// Device time from start() to stop(), on the legacy default stream. The virtual GPU's is modelled.
class Stopwatch {
public:
    static cudaError_t create();
    static void start();
    static void stop();
    /// Call it after a synchronisation; nothing if the time could not be measured.
    static std::optional<double> elapsed_ms();
    /// Whether its events no longer exist, because the whole device was reset.
    static bool is_gone();
};

}  // namespace lab::runner
