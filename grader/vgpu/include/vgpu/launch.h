// A launch: what it takes, and what comes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/counts.h"
#include "vgpu/finding.h"
#include "vgpu/recording.h"

namespace vgpu {

/// How a launch ended; each has one CUDA error code, given by the runtime.
enum class Outcome : std::uint8_t {
    ok,
    illegal_address,      // cudaErrorIllegalAddress, sticky
    misaligned_address,   // cudaErrorMisalignedAddress, sticky
    illegal_instruction,  // unsupported instruction, sticky
    launch_timeout,       // instruction limit, sticky
    device_assert,        // a failed assert, sticky
    trap,                 // __trap(): cudaErrorLaunchFailure, sticky
    deadlock,             // barriers that can never be passed; sticky
    waits_for_host,       // which goes on only when the launch has ended: unsupported, sticky
};

using ModuleId = std::uint32_t;

struct KernelParameter {
    std::uint32_t offset_bytes = 0, size_bytes = 0;
};

/// What is known of a kernel without running it.
struct KernelInfo {
    std::string name;  ///< mangled
    std::vector<KernelParameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t static_shared_bytes = 0, local_bytes = 0;
    std::uint32_t registers_estimate =
        0;  ///< 32-bit registers a thread, from the PTX's live ranges
    std::uint32_t max_threads_per_block = 1024;  ///< from __launch_bounds__, else 1024
};

struct Launch {
    ModuleId module = 0;
    std::string kernel;  ///< mangled
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters;  ///< laid out as KernelInfo::parameters says
    bool cooperative = false;           ///< all blocks are resident: grid.sync() works
    /// Of another launch, as many at once as the GPU has room for; the others start when these end.
    std::uint32_t most_resident = 1024;
    bool want_footprint = false;  ///< fill LaunchResult::footprint
    bool want_writers = false;    ///< fill LaunchResult::writers
    bool want_lines = false;      ///< fill LaunchResult::lines
    /// Gets a line of text before each instruction that a warp of `trace_block` (any, without one)
    /// executes, until it returns false. Blocks run in order then.
    std::function<bool(std::string_view)> trace{};
    std::optional<Dim3> trace_block{};
    /// Whether to fill LaunchResult::recordings, for which the launch runs up to six times more.
    enum class Recordings : std::uint8_t { none, if_wrong, always };
    Recordings recordings = Recordings::none;
};

/// Global memory that a launch touched, to the word of 4 bytes: [begin, end) of one allocation.
struct Footprint {
    Address begin = 0, end = 0;
    bool is_read = false, is_written = false;
    bool is_strong = false;  ///< the last write was atomic or volatile
    friend bool operator==(const Footprint&, const Footprint&) = default;
};

/// Words of 4 bytes in a row, of one allocation, and the thread that wrote each of them last: the
/// first word's, for the next word `step` threads further on, and so on. Threads are numbered
/// through the grid: the block's number times the threads of a block, plus the number in it.
struct Writers {
    Address begin = 0;
    std::uint64_t words = 0, first = 0;
    std::int64_t step = 0;  ///< 0 for a single word
    friend bool operator==(const Writers&, const Writers&) = default;
};

struct LaunchResult {
    Outcome outcome = Outcome::ok;
    Counts counts;
    std::vector<Finding> findings;  ///< at most Options::findings_limit, one a source place
    std::string printed;            ///< what device printf wrote, block after block: the last
                                    ///< Options::printed_limit_bytes, from a line's beginning
    std::uint64_t lost_printed_bytes = 0;  ///< that came before
    std::vector<Footprint> footprint;      ///< by ascending address, if Launch::want_footprint
    /// By ascending address, if Launch::want_writers; empty if they are too many.
    std::vector<Writers> writers;
    std::optional<HotAddress> hottest_atomic;
    std::vector<LineCounts> lines;  ///< by file and line, if Launch::want_lines
    /// Added up over warps and over blocks: how long each was there. The unit is the time of one
    /// instruction of one warp, if all warps run side by side.
    std::uint64_t warp_time = 0, block_time = 0;
    /// Added up over warps: the cycles that each would need alone, waiting for every result that it
    /// uses; if all global loads come from memory, and if all come from the L1 cache.
    double far_cycles = 0, near_cycles = 0;
    WarpStates states{};  ///< the same by what the warps wait for
    /// Cycles in which all warps that were there only waited for a clock to show a later time, as
    /// far as they were passed over (src/execute/clock_wait.h).
    std::uint64_t waited_cycles = 0;
    std::uint64_t touched_bytes = 0;  ///< of global memory, in whole pages of 4 KiB
    Revisits revisits;
    L1Reuse l1_reuse;
    /// Loads that pass the L1 cache by, of the 32 bytes where most do: one a warp's request.
    std::uint64_t hottest_uncached_loads = 0;
    /// If Launch::recordings says so: in order, and with warps and blocks in another order, one of
    /// many. Only the first of a kernel that allocates memory, which cannot be run again.
    std::vector<Recording> recordings;
    double host_seconds = 0;  ///< time spent interpreting
};

}  // namespace vgpu
