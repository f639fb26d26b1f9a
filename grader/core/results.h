// Holds a grading as a value, as JSON lines (docs/results.md), and as a file that remembers it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "core/course/lab.h"
#include "core/course/project.h"
#include "core/course/submission.h"
#include "core/course/tasks.h"
#include "core/device.h"
#include "protocol/checker_options.h"
#include "protocol/time_share.h"

namespace lab {

inline constexpr int kResultsSchema = 1;

enum class Verdict { pass, fail, inconclusive, not_run };
/// As results spell it: "not_run".
const char* to_string(Verdict);
/// Throws Failure (our fault) for any other word.
Verdict parse_verdict(const std::string& word);

struct Place {
    std::string file;
    int line = 0;
};

/// A source line involved in a failure, and the event there.
struct MarkedPlace {
    Place place;
    std::string label;  ///< "thread 3 of block 1 writes"; may be empty
    std::string name;   ///< of the array accessed there, where it is known
};

/// Some elements of an output, around the first wrong one.
struct ValuesWindow {
    enum class State { right, wrong, never_written, uninitialized };
    struct Element {
        std::size_t index = 0;
        std::string expected, got;  ///< as messages show them
        State state = State::right;
    };
    std::string name;                     ///< of the output
    std::size_t elements = 0, wrong = 0;  ///< of the whole output
    std::size_t first_wrong = 0;          ///< its index
    std::string tolerance;                ///< that the first wrong one may be off by; or empty
    std::vector<Element> around;          ///< in order; the first wrong one is among them
};

/// A part of a modelled time: instructions, L2 cache, memory.
struct SpeedPart {
    std::string name, count;  ///< "L2 cache", "34M sectors stored, 67M asked for"
    double submission_us = 0, reference_us = 0;
    bool is_cause = false;  ///< what makes the submission slow
};

/// The outcome of a speed test.
struct SpeedResult {
    bool timed = false;        ///< false: judged on counts or a timeline, as the virtual GPU does
    std::string judged_on;     ///< "time", "counts", "timeline"
    double threshold = 0;      ///< the least accepted ratio
    double ratio = 0;          ///< the reference's time / the submission's
    double low = 0, high = 0;  ///< its confidence interval; not timed: both are the ratio
    double spread = 0;         ///< by which that was widened, for what processes differ by
    std::vector<std::string> disturbed_by{};     ///< the causes of spoiled times
    double submission_ms = 0, reference_ms = 0;  ///< medians; not timed: 0
    std::vector<SpeedPart> parts{};              ///< judged on counts: of the modelled time
};

/// A CSV file that a [picture] or [bench] case has left.
struct WrittenTable {
    std::string name;  ///< NAME.csv in the folder that was asked for
    std::size_t rows = 0;
    bool has_calls = false;  ///< NAME-calls.csv has the times of single calls, by row
};

/// A sign that a submission worked on the grader instead of the task: for a human to judge.
struct Flag {
    std::string kind, evidence;  ///< as docs/results.md has them
};

struct TestResult {
    std::string name;
    int task = 0;
    std::string kind;  ///< correctness, speed or robustness; picture or bench
    double points = 0, earned = 0;
    Verdict verdict = Verdict::not_run;
    std::string message;    ///< the whole message to the student, perhaps several lines
    std::string diagnosis;  ///< the mistake in one sentence, or empty
    std::optional<Place> place;
    std::string of_case;  ///< "n = 257", or empty
    std::string call;     ///< "vector_add(n = 257)", or empty
    std::string what;     ///< the message's symptom, without the call and other cases
    std::vector<std::string> other_cases;  ///< that failed after the first, as of_case
    std::string finding;  ///< the first finding's check: "race"; empty: it was not found that way
    std::vector<MarkedPlace> places;     ///< most important first
    std::optional<ValuesWindow> values;  ///< of a wrong output
    std::string output;                  ///< what the submission printed during it, its first 4 KiB
    std::optional<SpeedResult> speed;
    std::vector<Flag> flags{};
    std::vector<WrittenTable> tables;  ///< of pictures and benchmarks
    double seconds = 0;
};

/// The reason of an end that says nothing about the submission.
inline constexpr const char* kInfra = "infra";

/// What `isolation` says of a submission that ran as a plain child process (LAB_SANDBOX=off).
inline constexpr const char* kNoSandbox = "none";

/// The checker's report, line by line.
struct Checked {
    std::vector<std::string> lines;  ///< as it wrote them
    std::vector<TestResult> tests;
    std::string device_name;  ///< as the runner's CUDA runtime says
    std::string isolation, isolation_note;
    std::string reason;         ///< why it ended early: "time limit", kInfra...; empty: it did not
    std::string message;        ///< the same for the student
    std::vector<Flag> flags{};  ///< of a submission that did not start
    std::vector<TimeShare> timings{};  ///< the checker's seconds, as far as it knows
    /// What the data of speed tests on the virtual GPU were drawn from, in addition to the seed.
    std::optional<std::string> speed_seed;
    std::string unchecked;  ///< checks that this machine does not allow, and why; usually empty
    /// For benchmarks: the device's maximum by unit ("gb_per_s"), if known.
    std::map<std::string, double> peaks;
};

/// Throws Failure (our fault) for lines that break docs/results.md, or if the end is missing.
Checked read_checker_lines(std::string_view text);

/// What a replay of a grading needs, as hashes (SHA-256), but for seed and device, which the
/// grading's other lines have. See core/evidence.h.
struct Evidence {
    std::string grader;       ///< the sources of all that judges (grader_source_hash())
    std::string object;       ///< the submission, compiled: host code and PTX
    std::string reference;    ///< the reference, compiled
    std::string compiled_as;  ///< not a hash: the path of the source that the object's lines name
};

struct Seconds {
    double nvcc = 0;   ///< compiling the submission; 0 when its object was kept from before
    double check = 0;  ///< the checker, from start to end
    double all = 0;
};

struct Grading {
    Lab lab;
    Submission submission;
    Device device;
    std::string seed;
    std::string toolkit;  ///< nvcc's version
    Cases cases = Cases::tests;
    fs::path tables;         ///< where the tables of pictures and benches go
    fs::path steps{};        ///< where a call's steps go
    fs::path profile{};      ///< where what calls counted goes
    std::string only_tests;  ///< part of a name when not all tests were asked for
    std::optional<std::vector<std::string>> speed_tests;  ///< names, when not all speed tests were
    std::string time;                                     ///< UTC, "2026-01-31T12:00:00Z"
    bool untouched = false;                               ///< the file is still the skeleton
    std::vector<TaskState> tasks;                         ///< by number; empty: not known
    bool built = false;
    bool object_was_there = false;
    std::string build_message;  ///< nvcc's errors or warnings
    Checked checked;
    std::optional<Evidence> evidence;  ///< nothing: not built, or an older grader's
    Seconds seconds;

    double points() const;
    double max_points() const;
    Exit exit() const;
};

/// All flags, of the tests and of the whole, each kind once.
std::vector<Flag> flags_of(const Checked& checked);

/// Whether the student has begun the task of a test; true for an unknown task.
bool is_begun(const std::vector<TaskState>& tasks, const TestResult& test);

/// The failure to show first: that of the first failed test whose task has been begun. Null: none.
const TestResult* first_failure(const std::vector<TestResult>& tests,
                                const std::vector<TaskState>& tasks);

/// All lines: grading, build, the checker's own, evidence, total.
std::vector<std::string> to_lines(const Grading& grading);

/// The grading that such lines describe. They hold only the name and title of the lab, and the path
/// and hash of the submission. Throws Failure (our fault) for lines that break docs/results.md.
Grading read_grading(std::string_view lines);

}  // namespace lab
