// Grades the mutants of a lab's solution: which do its tests reject, which survive?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "author/mutants.h"
#include "core/course/lab.h"
#include "core/course/project.h"
#include "core/device.h"
#include "core/results.h"

namespace lab {

enum class MutantOutcome {
    killed,        ///< a test fails, and no limit was its reason
    stopped,       ///< tests fail, but only because a limit of time or instructions was reached
    survived,      ///< full marks
    same_program,  ///< full marks, and nvcc makes the same object of it as of the solution
    inconclusive,  ///< full marks, but a speed test on a GPU had no verdict
    not_compiled,  ///< nvcc or the linker refuses it
    fault,         ///< the grader failed: a bug of ours
};
/// As JSON has it: "not_compiled".
const char* to_string(MutantOutcome);
/// In this order.
std::vector<MutantOutcome> all_outcomes();

struct MutantResult {
    Mutant mutant;
    MutantOutcome outcome{};
    std::string test;  ///< the first that failed (before a limit: of those); empty: none did
    std::string why;   ///< its message, nvcc's, or that of our fault
    std::string diff;
    double seconds = 0;
};

struct MutateOptions {
    std::size_t limit = 0;  ///< mutants at most, from all over the solution; 0: all
    std::string only;       ///< part of "LINE: KIND: FROM -> TO"; empty: all
    unsigned jobs = 0;      ///< gradings at once; 0: one on a GPU, on the virtual one two a core
    std::uint64_t seed = 1;
};

/// "34: literal: 1 -> 0": what MutateOptions::only looks in.
std::string label_of(const Mutant& mutant);

/// What a grading says of a mutant: outcome, test and why. Of survivors that is not yet all:
/// they may be the same program.
void judge(const Grading& grading, MutantResult& result);

/// Hands each mutant to `report` when its outcome is known, one at a time; none has the
/// label: nothing. Throws Failure (our fault) when the solution itself does not get full marks.
void mutate_lab(const Project& project, const Lab& lab, const Device& device,
                const MutateOptions& options,
                const std::function<void(const MutantResult&)>& report);

}  // namespace lab
