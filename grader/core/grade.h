// Runs one grading, from a file to a value: builds missing programs while nvcc runs, starts the
// checker, and gathers its reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/build/build.h"
#include "core/results.h"

namespace lab {

struct GradeRequest {
    fs::path file;                      ///< as typed
    std::optional<std::uint64_t> seed;  ///< nothing: a new one
    std::string only_tests;             ///< part of a name; empty: all
    /// Exact names: of the speed tests only these; nothing: all. Speed tests take a third of a
    /// grading.
    std::optional<std::vector<std::string>> speed_tests;
    /// False: the caller has already built our targets, as for many gradings at once.
    bool builds = true;
    /// Also times the expert on a GPU, for show only: it costs one more program.
    bool with_baseline = true;
    Cases cases = Cases::tests;
    fs::path tables;  ///< folder for the tables of pictures and benches
    /// File that gets one call, step by step (check/session/stepped_call.h); empty: none.
    fs::path steps{};
    /// File that gets what calls counted (check/session/profiled_calls.h); empty: none.
    fs::path profile{};
    /// Folder that gets the result with what its replay needs (core/evidence.h); empty: none.
    fs::path evidence;
};

/// Throws Failure for everything that is not a verdict. A submission that does not build gets a
/// verdict: Grading::built is false, and build_message says why. A grading that is ended from
/// outside is tried three times, then thrown as Interrupted.
Grading grade(const Project& project, const Lab& lab, const Device& device,
              const GradeRequest& request);

/// Builds all that the lab's gradings need besides the submission. Throws Failure (our fault).
void prepare(const Project& project, const Lab& lab, const Device& device);

/// The programs that a checker starts.
struct Runners {
    fs::path submission, reference, baseline;
    fs::path source{};                ///< what the submission was compiled from
    fs::path expert{};                ///< where the lab has one
    std::vector<NamedFile> others{};  ///< further ones to time, by name
    /// A copy of `source`, where that lies on another machine; empty: here.
    fs::path source_text{};
    fs::path submission_object{}, reference_object{};  ///< folders of the compiled files (Object)
};

/// Starts the lab's checker and waits for it. Throws Interrupted if the checker dies, or reports
/// that a process of its grading was ended from outside; Failure (our fault) if it fails, hangs or
/// writes nonsense; the message includes its output.
Checked run_checker(const Project& project, const Grading& about, const Runners& runners);

}  // namespace lab
