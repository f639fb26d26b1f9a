// What the checks of the virtual GPU find, as data: diagnoses and tools read fields, and only
// src/findings/describe.cpp makes sentences of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vgpu {

/// A device address, as kernels see it. Global memory lies in [kWindowBegin, kWindowEnd), a range
/// that the runtime client keeps unmapped in the program, so that host code which follows a device
/// pointer faults and can be told so.
using Address = std::uint64_t;
inline constexpr Address kWindowBegin = 0x2000'0000'0000;
inline constexpr Address kWindowEnd = 0x2100'0000'0000;

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// A place in the program's source; `line` 0 when it was compiled without -lineinfo.
struct SourceLine {
    std::string file;
    int line = 0;
    friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

enum class Space : std::uint8_t { global, shared, local, constant, parameter };

/// What the checks recognise. Those of the first group are found by kernels' code, those of the
/// second by what the host does; Device itself reports only the first.
enum class Check : std::uint8_t {
    out_of_bounds,
    use_after_free,
    double_free,   // free() in a kernel, or cudaFree, of what was freed already
    invalid_free,  // of what is no allocation's begin
    host_pointer,  // the address is not a device address at all (null included)
    misaligned,
    forbidden,  // what the program itself has ruled out (Annotation)
    uninitialized_read,
    race,  // two threads, one place, at least one writes, nothing orders them (Finding::other)
    barrier_divergence,  // threads of a block wait at different barriers, or some have left
    deadlock,            // nothing can move any more
    invalid_mask,        // a _sync mask without the lane itself, or that names lanes elsewhere
    absent_lane,         // a shuffle reads from a lane that does not take part
    trap,                // the kernel stopped itself: __trap(), a failed assert
    instruction_limit,   // an endless loop, or one of more warp instructions than allowed
    undefined_function,  // a call of what is declared only: ptxas would not have linked it
    unsupported,         // what the virtual GPU does not have yet: an instruction, say

    hazard,           // two operations touch one place, nothing orders them (Finding::other)
    host_access,      // host code follows a device pointer
    leak,             // an allocation is still there when the program ends
    unchecked_error,  // an error that the program never asked for
};

/// An allocation, or a variable of a module (__device__, __constant__, __shared__).
struct Allocation {
    Address base = 0;
    std::uint64_t size_bytes = 0;
    std::string name;  ///< "cudaMalloc #3", or the variable's name

    /// The function that gave it: "cudaMalloc" of "cudaMalloc #3"; empty of a variable.
    std::string_view function() const {
        const std::size_t end = name.find(" #");
        return end == std::string::npos ? std::string_view()
                                        : std::string_view(name).substr(0, end);
    }
    friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// The allocation nearest to a bad access: `distance_bytes` from its end (positive: past the end;
/// 0: the first byte past it) or from its start (negative: before it).
struct Nearest {
    Allocation allocation;
    std::int64_t distance_bytes = 0;
};

/// What kernels may do with memory.
struct Permissions {
    bool read = true, write = true, atomic = true;
};

/// A stream, as the program knows it.
struct StreamName {
    std::uint32_t number = 0;  ///< in the order of creation; 0: the default stream
    std::optional<std::uint32_t> host_thread{};  ///< whose own default stream it is
    bool is_graph = false;                       ///< a branch of a graph that was launched there
};

/// Who acts, if not a kernel's thread: an operation in a stream, a runtime call, or host code.
struct Actor {
    std::string what;  ///< "kernel scale(float*)", "cudaMemcpyAsync to the host", "cudaFree";
                       ///< empty: host code
    std::uint64_t launch = 0;            ///< of a kernel: which of its launches, from 1
    std::optional<StreamName> stream{};  ///< of an operation
    std::string function{};              ///< of host code, where it is known; demangled
};

/// The other side of a conflict.
struct Other {
    SourceLine where;
    Dim3 block, thread;
    bool is_write = false;
    Actor actor;  ///< of a hazard
};

/// What each kind of finding has of its own.
namespace cause {

/// Warps of a block, or blocks of a grid, that are at one place.
struct Group {
    enum class Doing : std::uint8_t { running, at_barrier, at_warp_barrier };
    Doing doing{};
    int line = 0;
    /// First and last number of each run, ascending: {{0, 2}, {5, 5}} is 0, 1, 2 and 5.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;
};

/// A loop around an atomicCAS that stores nothing.
struct FailingSwap {
    std::uint64_t expects = 0, finds = 0;
};

/// instruction_limit.
struct Endless {
    std::uint64_t limit = 0;  ///< warp instructions until then
    bool is_certain = false;  ///< nothing can change any more that the loop depends on
    std::vector<Group> warps;
    std::optional<Allocation> polled;  ///< memory that the loop reads and the host can write
    std::optional<FailingSwap> swap;
    std::uint64_t blocks_at_once = 1;
    std::uint64_t blocks_to_come = 0;  ///< that start only when one of those ends
};

/// deadlock or barrier_divergence: threads of one block that wait for ever.
struct Stuck {
    bool for_lanes = false;         ///< of their own warp
    std::optional<Dim3> elsewhere;  ///< a thread that is not at the barrier
    std::vector<Group> warps;
};

/// deadlock: blocks that wait for each other in loops.
struct StuckGrid {
    std::uint64_t resident = 0, to_come = 0, ended = 0;  ///< blocks
    std::vector<Group> blocks;                           ///< or of the only one:
    std::vector<Group> warps;
    std::optional<Allocation> polled;  ///< memory that the loop reads
};

/// unsupported: threads wait in loops for the host, which here goes on when they have ended.
struct WaitsForHost {
    Allocation polled;  ///< what it is to write
};

/// barrier_divergence: a thread waits at another barrier.
struct OtherBarrier {
    Dim3 thread;
    int line = 0;
};

/// barrier_divergence: threads have left the kernel.
struct Returned {
    Dim3 first;
    std::uint64_t threads = 0;
};

/// invalid_mask.
struct WrongMask {
    std::uint32_t lane = 0, mask = 0;
};

/// absent_lane, of a shuffle.
struct AbsentLane {
    std::uint32_t lane = 0, from = 0;
    bool is_named = false;  ///< by the mask
};

/// absent_lane, of a matrix instruction.
struct PartialWarp {
    std::uint32_t absent = 0;  ///< a lane
};

/// unsupported: the instruction, and where it would be added. undefined_function: its name.
struct Missing {
    std::string what;
};

/// trap, but of an assertion.
struct Trap {
    enum class Why : std::uint8_t {
        called,            ///< __trap()
        grid_sync,         ///< in a launch that is not cooperative
        switch_table,      ///< a jump past its end
        null_function,     ///< a call through a null pointer
        no_function,       ///< a call of `address`, where no function is
        wrong_parameters,  ///< a call of `function` as one with other parameters
    };
    Why why{};
    Address address = 0;
    std::string function;
};

/// trap.
struct Assertion {
    SourceLine where;
    std::string function, expression;
};

/// host_pointer.
struct BadPointer {
    enum class Why : std::uint8_t {
        other_space,    ///< a shared address for a global load, say
        read_only,      ///< a store to constant memory or a parameter
        no_texture,     ///< no texture or surface object
        host_variable,  ///< the host's own copy of a variable of the device
    };
    Why why{};
    std::string variable;
};

/// forbidden: outside of the parts that the program has handed out of a pool.
struct NotHandedOut {
    std::uint64_t byte = 0;                                          ///< of the allocation
    std::optional<std::pair<std::uint64_t, std::uint64_t>> nearest;  ///< first and last byte
};

/// forbidden: by the permissions that the program gave.
struct NotPermitted {
    Permissions given;
    bool is_atomic = false;
};

/// out_of_bounds, of a surface.
struct OutsideSurface {
    std::uint64_t row_bytes = 0, rows = 0, layers = 0;
};

/// out_of_bounds, of the stack.
struct StackOverflow {};

/// race: a flag says that the data are there, without a fence between.
struct UnfencedFlag {};

/// uninitialized_read: of an allocation that was written in part.
struct PartlyWritten {
    std::uint64_t written_bytes = 0, of_bytes = 0;
};

/// hazard: a copy whose source and destination overlap.
struct OverlappingCopy {};

/// hazard: two operations, or one and the host.
struct Unordered {
    enum class Between : std::uint8_t { streams, graph_nodes, host };
    Between between{};
    bool is_same_work = false;     ///< the same kernel or kind of copy twice, and both write
    bool brings_new_data = false;  ///< a copy over what another operation works on
};

/// host_access: the memory was freed.
struct Freed {};

/// leak: more allocations by the same function, the first few.
struct MoreLeaks {
    std::vector<Allocation> others;
};

/// unchecked_error.
struct LaunchError {
    std::string error, why;
};

}  // namespace cause

/// In the order of the names in src/findings/record.cpp.
using Cause =
    std::variant<std::monostate, cause::Endless, cause::Stuck, cause::StuckGrid,
                 cause::OtherBarrier, cause::Returned, cause::WrongMask, cause::AbsentLane,
                 cause::PartialWarp, cause::Missing, cause::Trap, cause::Assertion,
                 cause::BadPointer, cause::NotHandedOut, cause::NotPermitted, cause::OutsideSurface,
                 cause::StackOverflow, cause::UnfencedFlag, cause::PartlyWritten,
                 cause::OverlappingCopy, cause::Unordered, cause::Freed, cause::MoreLeaks,
                 cause::LaunchError, cause::WaitsForHost>;

/// One mistake, at one place: the first thread that made it, and how many accesses did.
struct Finding {
    Check check{};
    std::string kernel;  ///< demangled; empty where `actor` is not
    SourceLine where;
    Dim3 block, thread;  ///< indices, not sizes
    Space space{};
    bool is_write = false;
    std::uint32_t access_bytes = 0;
    Address address = 0;
    std::optional<Nearest> nearest;
    std::optional<Actor> actor;  ///< of what the host or an operation does
    std::optional<Other> other;  ///< of a race or a hazard
    /// Of a race of two atomic operations: one holds among the threads of its own block only.
    bool is_out_of_scope = false;
    bool tries_swaps = false;  ///< of a race: in a kernel with a loop around an atomicCAS
    std::uint64_t occurrences = 1;
    Cause cause;

    /// The cause, if it is of this kind: `finding.cause_as<cause::Endless>()`.
    template <class Kind>
    const Kind* cause_as() const {
        return std::get_if<Kind>(&cause);
    }
};

/// A copy or memset that does not fit into its allocation.
struct Overrun {
    std::string doing;  ///< "copying", "setting"
    std::uint64_t bytes = 0, offset_bytes = 0;
    Allocation allocation;
};

/// A call of the CUDA runtime that failed.
struct FailedCall {
    std::string function, error;       ///< "cudaMemcpy", "cudaErrorInvalidValue"
    std::string why;                   ///< more than the error says; may be empty
    std::optional<Overrun> overrun{};  ///< instead of `why`
};

}  // namespace vgpu
