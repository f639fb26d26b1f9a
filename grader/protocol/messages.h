// Defines the messages between checker and runner. Both ends are built from this header, on one
// machine. The checker trusts nothing that it reads: it checks lengths and ranges, and copies
// buffers to its own memory first.
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

/// Sparse: unused pages cost nothing. Twice the limit of a speed test.
inline constexpr std::uint64_t kSharedBytes = 1ull << 30;
/// Buffers begin after the status page, each on a new page.
inline constexpr std::uint64_t kBuffersBegin = 4096;

/// The alignment of arrays in bytes, on the host, too: that of cudaMalloc, and that of a texture
/// (textureAlignment).
inline constexpr std::uint64_t kAlignment = 512;

inline constexpr std::size_t kMaxAllocations = 16;
inline constexpr std::size_t kMaxArguments = 16;
inline constexpr std::size_t kMaxValueBytes = 64;
inline constexpr std::size_t kMaxNameBytes = 64;
/// Stretches of one allocation that hold no input: around and between its views.
inline constexpr std::size_t kMaxForgotten = 4;

/// The steps of a request, done in this order (kAccount and kBusy have no place in it).
enum Step : std::uint32_t {
    kDrop = 1u << 0,     ///< free the allocations of earlier requests
    kLoad = 1u << 1,     ///< make missing allocations, copy in those marked so
    kPoison = 1u << 2,   ///< on a GPU: fill free device memory and shared memory
    kMutate = 1u << 3,   ///< change the marked allocations (protocol/mutate.h)
    kFlushL2 = 1u << 4,  ///< on a GPU: push everything out of the cache
    kRun = 1u << 5,      ///< call the function, then synchronise; timed
    kStore = 1u << 6,    ///< copy out the allocations marked so
    kAccount = 1u << 7,  ///< with kRun: note memory in use and handles, before and after
    /// On a GPU, with kRun: other work is running for some milliseconds when the function is
    /// called, so that a missing wait shows. It runs in one of the function's streams, chosen by
    /// the nonce; without streams, on the whole device.
    kBusy = 1u << 8,
};

enum class Memory : std::uint8_t { device, host, pinned };

struct ByteRange {
    std::uint64_t begin = 0, bytes = 0;
};

struct AllocationEntry {
    std::uint64_t bytes = 0;        ///< guards included
    std::uint64_t offset = 0;       ///< in the shared memory: its contents, in and out
    ByteRange mutate;               ///< the bytes that kMutate changes,
    std::uint64_t mutate_mask = 0;  ///< and which bits of each 8 bytes there
    /// Device memory that kMutate moves. This many more bytes are allocated, and `place` is the new
    /// offset of the contents from their beginning. The old and the new place do not overlap.
    std::uint64_t room = 0, place = 0;
    Memory memory = Memory::device;
    bool copy_in = false, copy_out = false;
    /// The function overwrites its input: a copy of the contents is kept, and kMutate changes the
    /// copy and puts it back.
    bool restore = false;
    /// Device memory that is stored as soon as the function returns, without waiting for a stream.
    bool at_return = false;
    /// The bytes that count as never written (virtual GPU).
    std::array<ByteRange, kMaxForgotten> forget{};
};

enum class ArgumentKind : std::uint8_t { value, pointer, stream, event };

struct ArgumentEntry {
    ArgumentKind kind = ArgumentKind::value;
    std::uint32_t allocation = 0;    ///< of a pointer,
    std::uint64_t offset_bytes = 0;  ///< from the allocation's beginning
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

/// The limits of a speed test's times. Trusted from our own runners only.
struct DeviceFacts {
    std::array<char, 32> pci_bus_id{};  ///< "0000:1b:00.0"; empty: not known
    std::uint64_t l2_bytes = 0, memory_clock_khz = 0, memory_bus_bits = 0;  ///< 0: not known
    std::uint64_t clock_khz = 0, float_lanes = 0;  ///< of all multiprocessors; the same
    std::uint64_t multiprocessors = 0;
    /// What one of them holds at once.
    std::uint64_t resident_threads = 0, resident_blocks = 0, registers = 0, shared_bytes = 0;
    std::uint64_t block_registers = 0;        ///< the most of one block
    std::uint64_t reserved_shared_bytes = 0;  ///< of each block, by the system
};

struct Reply {
    std::uint64_t number = 0;
    Status status = Status::ok;
    CudaError
        setup_error;  ///< of our own calls, with status no_device, out_of_memory, device_broken
    CudaError call_error;  ///< of cudaGetLastError after the function returned
    CudaError sync_error;  ///< of the synchronisation after it
    std::array<std::byte, kMaxValueBytes> returned{};
    double event_ms = 0, host_ms = 0;                     ///< of the call and its synchronisation
    std::uint64_t memory_before = 0, memory_after = 0;    ///< device memory in use
    std::uint32_t handles_before = 0, handles_after = 0;  ///< streams and events; 0 on a GPU
    bool handle_destroyed = false;  ///< a stream or an event that was an argument
    bool device_reset = false;      ///< this destroys the runner's own events, too
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
