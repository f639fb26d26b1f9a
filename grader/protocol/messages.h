// The messages between checker and runner. Both ends are built from this header, on one machine.
// The checker believes nothing that it reads: it checks lengths and ranges, and copies buffers to
// memory of its own first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "protocol/mutate.h"

//   checker -> runner   Request   one packet (SOCK_SEQPACKET, descriptor kRequestDescriptor)
//   runner -> checker   Reply     one packet
//   both                a shared memory file (kSharedDescriptor), sealed against resizing: a
//                       StatusPage, then the buffers that requests name by offset
//
// A request carries inputs and the places of outputs, never their expected values: no expected
// value, seed or test name reaches the runner.

namespace lab {

inline constexpr int kRequestDescriptor = 3;
inline constexpr int kSharedDescriptor = 4;
inline constexpr int kDeviceDescriptor = 5;  ///< to the virtual GPU

/// Sparse: pages that no call used cost nothing. Twice what a race may use.
inline constexpr std::uint64_t kSharedBytes = 1ull << 30;
/// Buffers begin after the status page, each on a page of its own.
inline constexpr std::uint64_t kBuffersBegin = 4096;

/// Where arrays begin, on the host, too: of what cudaMalloc returns, in bytes; where a texture may
/// begin (textureAlignment).
inline constexpr std::uint64_t kAlignment = 512;

inline constexpr std::size_t kMaxAllocations = 16;
inline constexpr std::size_t kMaxArguments = 16;
inline constexpr std::size_t kMaxValueBytes = 64;
inline constexpr std::size_t kMaxNameBytes = 64;
/// Stretches of one allocation that hold no input: beside and between the views of it.
inline constexpr std::size_t kMaxForgotten = 4;

/// What a request asks for, done in this order (kAccount and kBusy have no place of their own).
enum Step : std::uint32_t {
    kDrop = 1u << 0,     ///< free the allocations of earlier requests
    kLoad = 1u << 1,     ///< allocate what is not there yet, copy in what is marked so
    kPoison = 1u << 2,   ///< on a GPU: fill free device memory and shared memory
    kMutate = 1u << 3,   ///< change the marked allocations (protocol/mutate.h)
    kFlushL2 = 1u << 4,  ///< on a GPU: push everything out of the cache
    kRun = 1u << 5,      ///< call the function, then synchronise; timed
    kStore = 1u << 6,    ///< copy out what is marked so
    kAccount = 1u << 7,  ///< with kRun: note memory in use and threads, before and after
    /// On a GPU, with kRun: there is work under way when the function is called, for some
    /// milliseconds, so that a missing wait shows. In one of the streams that it is given (which
    /// one, the nonce says); if it is given none, on the whole device.
    kBusy = 1u << 8,
};

enum class Memory : std::uint8_t { device, host, pinned };

struct ByteRange {
    std::uint64_t begin = 0, bytes = 0;
};

struct AllocationEntry {
    std::uint64_t bytes = 0;        ///< guards included
    std::uint64_t offset = 0;       ///< in the shared memory: its contents, in and out
    ByteRange mutate;               ///< what kMutate changes,
    std::uint64_t mutate_mask = 0;  ///< and which bits of each 8 bytes there
    /// Device memory that kMutate moves: so many bytes more are allocated, and `place` says how far
    /// from their begin the contents are from then on. Neither overlaps the place before.
    std::uint64_t room = 0, place = 0;
    Memory memory = Memory::device;
    bool copy_in = false, copy_out = false;
    /// The function overwrites its input: a copy of the contents is kept, and kMutate changes the
    /// copy and puts it back.
    bool restore = false;
    /// Device memory that is stored as soon as the function returns, without waiting for a stream.
    bool at_return = false;
    /// What counts as never written (virtual GPU).
    std::array<ByteRange, kMaxForgotten> forget{};
};

enum class ArgumentKind : std::uint8_t { value, pointer, stream, event };

struct ArgumentEntry {
    ArgumentKind kind = ArgumentKind::value;
    std::uint32_t allocation = 0;    ///< of a pointer,
    std::uint64_t offset_bytes = 0;  ///< from the allocation's begin
    std::uint32_t value_bytes = 0;
    std::array<std::byte, kMaxValueBytes> value{};
};

struct Request {
    std::uint64_t number = 0;  ///< comes back in the reply
    std::uint32_t steps = 0;
    std::uint32_t allocation_count = 0, argument_count = 0;
    std::uint64_t nonce = 0;
    Change change;  ///< kMutate
    std::array<char, kMaxNameBytes> function{};
    std::array<AllocationEntry, kMaxAllocations> allocations{};
    std::array<ArgumentEntry, kMaxArguments> arguments{};
};

enum class Status : std::uint32_t {
    ok,
    bad_request,    ///< the two ends disagree: our fault
    no_device,      ///< the CUDA runtime does not start: `setup_error` says why
    out_of_memory,  ///< our own allocations did not fit
    device_broken,  ///< our own CUDA call failed outside the student's function
    exception,      ///< a C++ exception left the student's function: `text` says which
};

/// A CUDA error code with its name, as the runtime in the runner gives it.
struct CudaError {
    std::int32_t code = 0;
    std::array<char, 64> name{};  ///< "cudaErrorInvalidConfiguration"
    std::array<char, 96> text{};  ///< "invalid configuration argument"
};

/// What bounds the times of a race. Believed of our own runners only.
struct DeviceFacts {
    std::array<char, 32> pci_bus_id{};  ///< "0000:1b:00.0"; empty: not known
    std::uint64_t l2_bytes = 0, memory_clock_khz = 0, memory_bus_bits = 0;  ///< 0: not known
    std::uint64_t clock_khz = 0, float_lanes = 0;  ///< of all multiprocessors; the same
};

struct Reply {
    std::uint64_t number = 0;
    Status status = Status::ok;
    CudaError
        setup_error;  ///< of our own calls, with status no_device, out_of_memory, device_broken
    CudaError call_error;  ///< what cudaGetLastError said when the function had returned
    CudaError sync_error;  ///< of the synchronisation after it
    std::array<std::byte, kMaxValueBytes> returned{};
    double event_ms = 0, host_ms = 0;                   ///< of the call and its synchronisation
    std::uint64_t memory_before = 0, memory_after = 0;  ///< device memory in use
    std::uint32_t threads_before = 0, threads_after = 0;
    std::uint32_t handles_before = 0, handles_after = 0;  ///< streams and events; 0 on a GPU
    bool handle_destroyed = false;  ///< a stream or an event that was an argument
    bool device_reset = false;      ///< with it the runner's own events have gone
    /// An exception's type and message; with number 0, the device's name.
    std::array<char, 256> text{};
    DeviceFacts device;  ///< with number 0
};

enum class Phase : std::uint32_t { starting, ready, calling, synchronising, finishing };

/// Written by the runner's signal handlers and between steps, for when no reply comes. Hints for
/// messages: a hostile runner can write anything here.
struct StatusPage {
    Phase phase = Phase::starting;
    std::int32_t signal = 0;
    std::uint64_t fault_address = 0;
    std::uint64_t stack_pointer = 0;  ///< at the fault
    std::int32_t blocked_system_call = -1;
    std::array<std::uint64_t, kMaxAllocations> addresses{};  ///< of the request's allocations
};

static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply> &&
              std::is_trivially_copyable_v<StatusPage>);
static_assert(sizeof(StatusPage) <= kBuffersBegin);

}  // namespace lab
