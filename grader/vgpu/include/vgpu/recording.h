// A launch as it went, step by step: what a debugger that goes backwards needs.
// Launch::recordings asks for it; docs/recording.md has it as a file (vgpu/record.h reads and
// writes it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/finding.h"

namespace vgpu {

/// What some lanes of one warp did at one time.
struct RecordedStep {
    enum class Kind : std::uint8_t {
        line,     ///< they came to another source line, and touch no memory there yet
        load,     ///< ... from here on: memory, `bytes` a lane
        store,    ///<
        atomic,   ///<
        shuffle,  ///< they took a register's value from other lanes of their warp
        wait,     ///< they came to a barrier, and wait
        go_on,    ///< they had waited, and do no longer
        leave,    ///< they left the kernel
    };
    Kind kind{};
    Space space = Space::global;  ///< of an access: its first lane's
    // Of accesses and shuffles:
    std::uint8_t bytes = 0;          ///< a lane's
    std::uint8_t element_bytes = 0;  ///< of each of the lane's numbers
    bool is_float = false;           ///< what they are
    std::uint16_t warp = 0;          ///< in its block
    std::uint32_t block = 0;         ///< its number in the grid, x fastest
    std::uint32_t lanes = 0;         ///< a bit each
    std::uint32_t line = 0;          ///< in Recording::lines
    /// Of an access: where in Recording::addresses the lanes' begin, lowest lane first; of a
    /// shuffle, where the lanes begin that the values come from.
    std::uint32_t addresses = 0;
    /// Of a store or atomic operation: where in Recording::values begins what lies there
    /// afterwards, `bytes` for each of the lanes; of a shuffle, what each lane gets.
    std::uint32_t values = 0;

    bool is_access() const { return kind >= Kind::load && kind <= Kind::atomic; }
    bool is_write() const { return kind == Kind::store || kind == Kind::atomic; }
    bool is_shuffle() const { return kind == Kind::shuffle; }
    bool has_values() const { return is_write() || is_shuffle(); }
};

/// A piece of memory of the device before the launch.
struct RecordedMemory {
    Address begin = 0;
    std::vector<std::byte> bytes;
    std::vector<bool> written;  ///< by anybody before; one a byte
};

/// Where in the steps the two sides of a finding are.
struct RecordedFinding {
    Finding finding;
    std::size_t step =
        0;  ///< where it was made; Recording::kNoStep if that is not in the recording
    std::size_t other = 0;  ///< the other side of a race; or kNoStep
};

struct Recording {
    static constexpr std::size_t kNoStep = ~std::size_t{0};
    /// More is not recorded.
    static constexpr std::size_t kMostSteps = 20'000;
    static constexpr std::uint64_t kMostInstructions = 200'000;  ///< of warps
    static constexpr std::size_t kMostMemoryBytes = 256 << 10;   ///< touched of global memory
    static constexpr std::size_t kMostValueBytes = 128 << 10;    ///< stored

    std::string kernel;      ///< demangled
    Dim3 grid, block;        ///< sizes
    std::uint64_t seed = 0;  ///< of the order of warps and blocks: Options::seed
    std::vector<SourceLine> lines;
    std::vector<std::uint64_t> line_instructions;  ///< of warps, a number for each of `lines`
    std::vector<RecordedStep> steps;
    std::vector<Address> addresses;
    std::vector<std::byte> values;
    /// What was touched of global memory, by ascending address, in pieces of at most a page.
    std::vector<RecordedMemory> memory;
    std::vector<Allocation> allocations;       ///< that were touched, by ascending address
    std::vector<Allocation> shared_variables;  ///< of each block; `base` as kernels see it
    std::vector<RecordedFinding> findings;
    std::uint64_t instructions = 0;  ///< of warps, that were recorded
    bool is_cut = false;             ///< the launch went on beyond the limits
};

}  // namespace vgpu
