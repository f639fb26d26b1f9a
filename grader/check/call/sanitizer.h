// Turns compute-sanitizer's output for a call into findings in the words of this course.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "check/output/place.h"

// On a GPU the calls of each test run once more under NVIDIA's tools, where installed: memcheck
// (accesses outside, misaligned), racecheck (shared memory), initcheck (global memory never
// written) and synccheck (barriers). They print, so their findings are read from text:
//
//   ========= Invalid __global__ write of size 4 bytes
//   =========     at add(const float *, float *, int)+0x70 in add.cu:12
//   =========     by thread (31,0,0) in block (3,0,0)
//   ========= Error: Race reported between Write access at sum(float *)+0x90 in sum.cu:21
//   =========     and Read access at sum(float *)+0x130 in sum.cu:26 [508 hazards]

namespace lab {

inline constexpr std::array<const char*, 4> kSanitizerTools{"memcheck", "racecheck", "initcheck",
                                                            "synccheck"};

struct SanitizerFinding {
    std::string what;    ///< the tool's first line: "Invalid __global__ write of size 4 bytes"
    std::string kernel;  ///< "add(const float *, float *, int)"
    Place place;         ///< line 0: not known
    std::string thread, block;  ///< "(31,0,0)"; empty: not said
    std::string more;           ///< "Address 0x7f.. is out of bounds"
    std::string other;          ///< of a race: "Read"
    Place other_place;          ///< the other access
    std::string access;         ///< of a race: "Write"
};

/// The findings in what a tool printed, one for each place, in order. Lines that are not a tool's
/// are skipped, and so is what it says of failed calls and at the end.
std::vector<SanitizerFinding> parse_sanitizer(std::string_view printed);

/// In a sentence or two, with the places as `shown` names them: the student's file as typed.
std::string describe(const SanitizerFinding& finding, const std::string& real_source,
                     const std::string& display_source);

}  // namespace lab
