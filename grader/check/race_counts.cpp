// A race without a clock: what limits simple kernels, counted.
//
// The limits come from times measured on an H200 (vector add, 2^28 floats, GB/s):
//
//   block 256: 3409    128: 2518   64: 1271   32: 637     blocks start at about 1.65e9 a second
//   16 consecutive elements a thread: 919                 8 times the sectors
//   one block (2^22): 9.8                                 too few loads in flight
//
// A kernel bound by one of these slows down in proportion to it, so a submission may have
// 1 / threshold times the reference's sectors, blocks and launches, and needs `threshold` times its
// bytes in flight. At threshold 0.45: blocks of 128 (2 times the blocks of 256) pass, blocks of 64
// (4 times) and sectors 8 times over do not; measured 0.74, 0.37 and 0.27 of the plain kernel.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "check/flow.h"
#include "check/grader_fault.h"
#include "check/marshal.h"
#include "check/race_judges.h"
#include "check/session.h"

namespace lab {
namespace {

constexpr double kSectorBytes = 32;
// The plain kernel uses about a seventh of the rate at which an H200 issues instructions: that many
// times more would be free.
constexpr double kIssueSlack = 7;
// What the slowest of these takes bounds a kernel; an H200's rates. Instructions: 132 SMs, four a
// clock each, 1.7 GHz. Memory: measured copy bandwidth. Blocks: measured, see above.
constexpr double kWarpInstructionsPerSecond = 132 * 4 * 1.7e9;
constexpr double kBytesPerSecond = 4.2e12;
constexpr double kBlocksPerSecond = 1.65e9;
// A reference is bound by its instructions when they take this many times what its memory does.
constexpr double kClearly = 4;
// Atomics at one address: 0.57e9 a second, measured. One a block of a grid that fills the GPU takes
// about an eighth of what the loads of a reduction do.
constexpr double kAtomicSlack = 8;
// Rounding of the grid up, and a launch for the tail, are no reason to fail.
constexpr double kRounding = 1.01;

struct Totals {
    double sectors = 0, blocks = 0, launches = 0, warp_instructions = 0, bytes_in_flight = 0;
    double atomics = 0;

    double instruction_s() const { return warp_instructions / kWarpInstructionsPerSecond; }
    double memory_s() const { return sectors * kSectorBytes / kBytesPerSecond; }
    double block_s() const { return blocks / kBlocksPerSecond; }
};

/// How many times over a count may grow before it is what bounds the kernel.
struct Slack {
    double instructions = kIssueSlack, sectors = 1, blocks = 1;
};

Slack slack_of(const Totals& reference) {
    const double bound_s = reference.instruction_s();
    if (bound_s < kClearly * reference.memory_s() || bound_s < reference.block_s()) return {};
    return {1, bound_s / std::max(reference.memory_s(), 1e-12),
            bound_s / std::max(reference.block_s(), 1e-12)};
}

Totals totals_of(const std::vector<LaunchRecord>& launches) {
    Totals totals;
    for (const LaunchRecord& launch : launches) {
        const auto sectors =
            static_cast<double>(launch.global_load_sectors + launch.global_store_sectors);
        const auto requests =
            static_cast<double>(launch.global_load_requests + launch.global_store_requests);
        totals.sectors += sectors;
        totals.blocks += static_cast<double>(launch.blocks());
        totals.launches += static_cast<double>(launch.merged);
        totals.warp_instructions += static_cast<double>(launch.warp_instructions);
        totals.atomics += static_cast<double>(launch.global_atomics);
        // Little's law: what keeps memory busy is the bytes asked for at once.
        const double in_flight = static_cast<double>(launch.resident_warps) * kSectorBytes *
                                 sectors / std::max(1.0, requests);
        totals.bytes_in_flight = std::max(totals.bytes_in_flight, in_flight);
    }
    return totals;
}

class CountJudge : public Race::Judge {
public:
    CountJudge(std::vector<LaunchRecord> submission, std::vector<LaunchRecord> reference,
               std::string call_text)
        : submission_(std::move(submission)),
          reference_(std::move(reference)),
          call_text_(std::move(call_text)) {}

    Race::Verdict judge(double threshold) override {
        threshold_ = threshold;
        comparisons_ = compare_counts(submission_, reference_, threshold);
        return first_bad() == nullptr ? Race::Verdict::pass : Race::Verdict::fail;
    }

    std::string message() const override {
        if (submission_.empty()) {
            return call_text_ + ": no kernel was launched, so nothing was computed on the GPU.";
        }
        std::string text =
            call_text_ + ": too slow, judged on counts, not on time (the virtual GPU has none).";
        for (const CountComparison& c : comparisons_) {
            text +=
                fmt::format("\n  {:<18} {:>8.2f}x the reference's, {} {:.2f}x{}", c.name, c.ratio(),
                            c.at_most ? "at most" : "at least", c.limit, c.ok() ? "" : "   <--");
        }
        return text;
    }

    std::string diagnosis() const override {
        const CountComparison* bad = first_bad();
        return bad == nullptr ? "" : bad->advice;
    }

    nlohmann::json to_json() const override {
        nlohmann::json counts = nlohmann::json::array();
        for (const CountComparison& c : comparisons_) {
            counts.push_back({{"name", c.name},
                              {"submission", c.submission},
                              {"reference", c.reference},
                              {"ratio", c.ratio()},
                              {"limit", c.limit},
                              {"at_most", c.at_most},
                              {"ok", c.ok()}});
        }
        return {{"judged_on", "counts"},
                {"threshold", threshold_},
                {"verdict", first_bad() == nullptr ? "pass" : "fail"},
                {"counts", counts}};
    }

private:
    const CountComparison* first_bad() const {
        const auto bad = std::find_if(comparisons_.begin(), comparisons_.end(),
                                      [](const CountComparison& c) { return !c.ok(); });
        return bad == comparisons_.end() ? nullptr : &*bad;
    }

    std::vector<LaunchRecord> submission_, reference_;
    std::string call_text_;
    double threshold_ = 0;
    std::vector<CountComparison> comparisons_;
};

/// What the reference did. Anything wrong with it is our fault.
DeviceRecords run_reference(const RacePlan& plan, const Marshalled& call) {
    Worker& worker = session().own_program(options().reference);
    Outcome outcome = worker.wait_ready(session().patience());
    Request request = call.request;
    request.steps = kDrop | kLoad | kRun;
    if (outcome.ended == Ended::replied) {
        put(call, worker.shared().bytes());
        outcome = worker.ask(request, session().patience());
    }
    const auto failure = explain(plan.call, call, outcome, session().setting());
    if (failure) throw GraderFault("the reference failed: " + failure->message);
    outcome.records.operations = operations_of(request, std::move(outcome.records.operations));
    return std::move(outcome.records);
}

}  // namespace

double CountComparison::ratio() const {
    if (reference == 0) return submission == 0 ? 1 : submission;
    return submission / reference;
}

bool CountComparison::ok() const {
    return at_most ? ratio() <= limit * kRounding : ratio() * kRounding >= limit;
}

std::vector<CountComparison> compare_counts(const std::vector<LaunchRecord>& submission,
                                            const std::vector<LaunchRecord>& reference,
                                            double threshold) {
    const Totals mine = totals_of(submission), theirs = totals_of(reference);
    const double slower = 1 / threshold;
    const Slack slack = slack_of(theirs);
    std::vector<CountComparison> comparisons{
        {"bytes in flight", mine.bytes_in_flight, theirs.bytes_in_flight, threshold, false,
         "Too few threads work at the same time: memory waits for requests. Launch more blocks, of "
         "at least a few warps each."},
        {"sectors moved", mine.sectors, theirs.sectors, slower * slack.sectors, true,
         "More memory is moved than needed: neighbouring threads should access neighbouring "
         "elements, so that a warp's 32 accesses share their sectors (coalescing)."},
        {"blocks", mine.blocks, theirs.blocks, slower * slack.blocks, true,
         "So many small blocks take longer to start than to run. Use 128 to 512 threads a block."},
        {"launches", mine.launches, theirs.launches, slower, true,
         "Each launch costs a few microseconds: do the work in fewer."},
        {"warp instructions", mine.warp_instructions, theirs.warp_instructions,
         slower * slack.instructions, true,
         "Many more instructions are executed than needed: look for work that is repeated."},
    };
    if (theirs.atomics > 0)
        comparisons.push_back(
            {"atomics", mine.atomics, theirs.atomics, slower * kAtomicSlack, true,
             "Atomic operations on global memory stand in line: add up in registers and shared "
             "memory first, then one atomic a block."});
    return comparisons;
}

std::shared_ptr<Race::Judge> race_on_counts(RacePlan plan) {
    const Marshalled call = marshal(plan.call, true, session().next_salt());
    const CallResult result = call_submission(plan.call);
    const RacePlan::OutputCheck check = plan.make_check();
    std::string why;
    for (std::size_t i = 0; i < result.arguments.size(); ++i) {
        if (!plan.call.arguments[i].is_written() || check(i, result.arguments[i].bytes, why)) {
            continue;
        }
        Failure failure;
        failure.message = why;
        failure.case_text = plan.call.case_text();
        failure.place = source_place(plan.call.function, session().setting());
        fail_test(std::move(failure));
    }
    DeviceRecords reference = run_reference(plan, call);
    if (uses_streams(reference.operations)) {
        return judge_by_timeline(result.facts->operations, std::move(reference.operations),
                                 plan.call.call_text());
    }
    return std::make_shared<CountJudge>(result.facts->launches, std::move(reference.launches),
                                        plan.call.call_text());
}

}  // namespace lab
