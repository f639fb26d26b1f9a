// Runs the tools that read submitted bytes (nvcc, nm, ld, objcopy, g++): each in a sandbox, with
// limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace lab {

/// Computing of each program that a tool starts (chosen; nvcc takes 1 to 3 s in all for a lab's
/// file).
inline constexpr std::chrono::seconds kToolLimit{120};

struct BoxedTool {
    std::vector<std::string> argv;  ///< argv[0] is a path
    std::vector<std::filesystem::path> readable, writable;
    std::uint64_t memory_bytes = 4ull << 30;  ///< of each program; half of the machine's at most
    std::size_t output_limit_bytes = 256 << 10;
};

ConfinedResult run_boxed(const BoxedTool& tool);

/// Whether it ended because it computed too long.
bool ran_out_of_time(const ConfinedResult& result);

/// Whether it says that it got no more memory.
bool ran_out_of_memory(const ConfinedResult& result);

/// Whether it broke off because what it made was too large: for a file, or for the sandbox's own
/// /tmp. `results`: the folder that it writes to, whose disk may be full as well.
bool made_too_much(const ConfinedResult& result, const std::filesystem::path& results);

/// The signal from outside that ended it, or a program that it started; 0: none.
int signal_from_outside(const ConfinedResult& result);

}  // namespace lab
