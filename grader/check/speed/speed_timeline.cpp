// Judges a speed test of a function whose speed comes from overlap: streams, copies, events.
//
// All of them do the same work, so counts say nothing. The virtual GPU places every kernel and copy
// on a modelled clock (vgpu/src/model/timeline.h), in the program's order. The time from the first
// operation to the end of the last is compared with the reference's.
//
// The model is not calibrated, but its answers here do not depend on its rates: whether a copy runs
// at the same time as a kernel, whether eight kernels do, whether the host waits in between.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "check/speed/speed_judges.h"

namespace lab {
namespace {

/// Two operations that run at once for less than this part of the time do not overlap.
constexpr double kLittleOverlap = 0.1;

std::string reach_over_the_link(const std::vector<OperationRecord>& submission,
                                const std::vector<OperationRecord>& reference);
std::string waits_for_pageable(const std::vector<OperationRecord>&,
                               const std::vector<OperationRecord>&);
std::string fewer_at_once(const std::vector<OperationRecord>& submission,
                          const std::vector<OperationRecord>& reference);

class TimelineJudge : public SpeedTest::Judge {
public:
    TimelineJudge(TwoTimelines submission, TwoTimelines reference, const DataGrowth& growth,
                  std::string call_text)
        : submission_(std::move(submission.larger)),
          reference_(std::move(reference.larger)),
          submission_us_(
              extrapolated(elapsed_us(submission.small), elapsed_us(submission_), growth)),
          reference_us_(extrapolated(elapsed_us(reference.small), elapsed_us(reference_), growth)),
          growth_(growth.full / growth.larger),
          call_text_(std::move(call_text)) {
        // Host threads issue work in a random order, so the difference of two runs is mostly
        // chance: then the run itself counts.
        if (ratio_here() <= ratio()) return;
        submission_us_ = elapsed_us(submission_);
        reference_us_ = elapsed_us(reference_);
        growth_ = 1;
    }

    SpeedTest::Verdict judge(double threshold) override {
        threshold_ = threshold;
        return passed() ? SpeedTest::Verdict::pass : SpeedTest::Verdict::fail;
    }

    std::string message() const override {
        if (submission_.empty()) {
            return call_text_ + ": nothing was copied and no kernel was launched.";
        }
        if (ratio() >= threshold_) {
            return fmt::format(
                "{}: {:.2g}x the reference's speed with these data. With more it would be "
                "{:.2g}x, if it went on growing so slowly: that is not believed.",
                call_text_, ratio_here(), ratio());
        }
        return fmt::format(
            "{}: too slow, judged on a modelled timeline with {:.3g} times the work: {:.4g} us "
            "from the first operation to the last, the reference takes {:.4g} us.\n"
            "  speed      {:.2f}x the reference's\n"
            "  required   {:.2f}x",
            call_text_, growth_, submission_us_, reference_us_, ratio(), threshold_);
    }

    std::string diagnosis() const override {
        if (passed()) return "";
        if (std::string why = reach_over_the_link(submission_, reference_); !why.empty())
            return why;
        if (std::string why = waits_for_pageable(submission_, reference_); !why.empty()) return why;
        const std::string why = why_serial(submission_);
        return why.empty() ? fewer_at_once(submission_, reference_) : why;
    }

    nlohmann::json to_json() const override {
        return {{"judged_on", "timeline"},
                {"threshold", threshold_},
                {"verdict", passed() ? "pass" : "fail"},
                {"ratio", ratio()},
                {"submission_us", submission_us_},
                {"reference_us", reference_us_}};
    }

private:
    static double ratio(double reference_us, double mine_us) {
        return mine_us > 0 ? reference_us / mine_us : 0;
    }
    double ratio() const { return ratio(reference_us_, submission_us_); }
    double ratio_here() const { return ratio(elapsed_us(reference_), elapsed_us(submission_)); }
    bool passed() const { return ratio() >= threshold_ && ratio_here() >= kTrusted * threshold_; }

    std::vector<OperationRecord> submission_, reference_;
    double submission_us_, reference_us_, growth_;
    std::string call_text_;
    double threshold_ = 0;
};

struct Overlap {
    double share = 0;  ///< of the time, in which at least two operations run
    int most = 0;      ///< that run at once
};

Overlap overlap_of(const std::vector<OperationRecord>& operations) {
    // +1 where an operation begins, -1 where it ends; ends first, as touching is no overlap.
    std::vector<std::pair<double, int>> changes;
    for (const OperationRecord& operation : operations) {
        changes.emplace_back(operation.begin_us, +1);
        changes.emplace_back(operation.end_us, -1);
    }
    std::sort(changes.begin(), changes.end());
    Overlap overlap;
    double overlap_us = 0, since_us = 0;
    int running = 0;
    for (const auto& [at_us, change] : changes) {
        if (running >= 2) overlap_us += at_us - since_us;
        running += change;
        overlap.most = std::max(overlap.most, running);
        since_us = at_us;
    }
    const double all_us = elapsed_us(operations);
    overlap.share = all_us > 0 ? overlap_us / all_us : 0;
    return overlap;
}

/// Without very short ones.
std::vector<OperationRecord> long_ones(std::vector<OperationRecord> operations) {
    constexpr double kMoment = 0.25;  // of the longest
    double longest_us = 0;
    for (const OperationRecord& operation : operations) {
        longest_us = std::max(longest_us, operation.duration_us());
    }
    std::erase_if(operations, [=](const OperationRecord& operation) {
        return operation.duration_us() < kMoment * longest_us;
    });
    return operations;
}

/// Names what takes longer by itself, whatever runs at the same time.
std::string longer_operations(const std::vector<OperationRecord>& submission,
                              const std::vector<OperationRecord>& reference) {
    constexpr double kLonger = 1.4;
    const auto sum_us = [](const std::vector<OperationRecord>& operations,
                           const std::string& engine) {
        double sum = 0;
        for (const OperationRecord& operation : operations) {
            if (operation.engine == engine) sum += operation.duration_us();
        }
        return sum;
    };
    const auto longer = [&](const std::string& engine) {
        const double mine_us = sum_us(submission, engine), theirs_us = sum_us(reference, engine);
        return mine_us > kLonger * theirs_us
                   ? fmt::format("take {:.4g} us in all, the reference's {:.4g} us", mine_us,
                                 theirs_us)
                   : "";
    };
    if (const std::string kernels = longer("kernels"); !kernels.empty()) {
        return "The kernels " + kernels +
               ". Has each launch enough blocks, and is none launched more often than needed?";
    }
    for (const char* engine : {"copy_to_device", "copy_to_host"}) {
        if (const std::string copies = longer(engine); !copies.empty()) {
            return "The copies one way " + copies +
                   ". Copy each byte once, from and to page-locked memory.";
        }
    }
    return "";
}

/// Names kernels that work in host memory where the reference's do not.
std::string reach_over_the_link(const std::vector<OperationRecord>& submission,
                                const std::vector<OperationRecord>& reference) {
    const auto bytes = [](const std::vector<OperationRecord>& operations) {
        std::uint64_t sum = 0;
        for (const OperationRecord& operation : operations) sum += operation.host_bytes;
        return sum;
    };
    if (bytes(submission) <= bytes(reference)) return "";
    return fmt::format(
        "Kernels read or write {:.3g} MB in memory of the host, and wait for each byte to come "
        "over the link. Copy it to device memory first, with cudaMemcpyAsync, while another piece "
        "is worked on.",
        1e-6 * static_cast<double>(bytes(submission)));
}

/// Names copies that are asynchronous by name only.
std::string waits_for_pageable(const std::vector<OperationRecord>& submission,
                               const std::vector<OperationRecord>& reference) {
    const auto count = [](const std::vector<OperationRecord>& operations, std::string_view engine) {
        return std::ranges::count_if(operations, [&](const OperationRecord& operation) {
            return operation.is_pageable && operation.engine == engine &&
                   operation.what.find("Async") != std::string::npos;
        });
    };
    for (const auto& [engine, way] :
         {std::pair("copy_to_host", "to the host"), std::pair("copy_to_device", "to the device")}) {
        const auto mine = count(submission, engine);
        if (mine <= count(reference, engine)) continue;
        return fmt::format(
            "{} cop{} {} {} pageable memory (a std::vector, new or malloc), for which "
            "cudaMemcpyAsync makes the host wait: nothing else starts meanwhile. Only page-locked "
            "memory is copied while the host goes on.",
            mine, mine == 1 ? "y" : "ies", way, mine == 1 ? "uses" : "use");
    }
    return "";
}

/// The advice where something does overlap.
std::string fewer_at_once(const std::vector<OperationRecord>& submission,
                          const std::vector<OperationRecord>& reference) {
    const int mine = overlap_of(long_ones(submission)).most,
              theirs = overlap_of(long_ones(reference)).most;
    constexpr std::size_t kMany = 4;
    if (submission.size() > kMany * reference.size()) {
        return fmt::format(
            "There are {} copies and kernels, in the reference {}: each takes a few microseconds "
            "to begin, so fewer and larger ones are faster.",
            submission.size(), reference.size());
    }
    if (std::string longer = longer_operations(submission, reference); !longer.empty()) {
        return longer;
    }
    if (mine == 0 || mine >= theirs) return "";
    return fmt::format(
        "At most {} long operation{} ran at the same time, in the reference {}: look for too few "
        "streams, and for streams or the host waiting (for an event, a copy, a synchronization) "
        "where nothing is needed from the other.",
        mine, mine == 1 ? "" : "s", theirs);
}

}  // namespace

bool uses_streams(const std::vector<OperationRecord>& operations) {
    return std::any_of(operations.begin(), operations.end(),
                       [](const OperationRecord& operation) { return operation.stream != 0; });
}

std::string why_serial(const std::vector<OperationRecord>& operations) {
    if (operations.empty() || overlap_of(operations).share >= kLittleOverlap) return "";
    std::set<int> streams;
    for (const OperationRecord& operation : operations) streams.insert(operation.stream);
    const std::string begin = "No two operations ran at the same time: ";
    if (streams == std::set{0}) {
        return begin +
               "all of them are in the default stream. A launch names its stream in its fourth "
               "argument, cudaMemcpyAsync in its last.";
    }
    if (streams.size() == 1) {
        return begin + "all of them are in one stream, which does one after the other.";
    }
    if (streams.contains(0)) {
        return begin +
               "some are in the legacy default stream, which waits for all other streams, and they "
               "for it. Which streams do not take part in that? (If yours do not, look for calls "
               "that wait: a synchronization, cudaMemcpy, cudaFree.)";
    }
    return begin +
           "there are several streams, but only one of them had work at a time. Look for calls "
           "that wait (cudaMemcpy, cudaFree, a synchronization) between the operations, for a "
           "stream that waits for an event (cudaStreamWaitEvent) before it needs to, and for an "
           "order of the calls in which a stream gets much to do before the next one gets "
           "anything.";
}

std::shared_ptr<SpeedTest::Judge> judge_by_timeline(TwoTimelines submission, TwoTimelines reference,
                                                    const DataGrowth& growth,
                                                    std::string call_text) {
    return std::make_shared<TimelineJudge>(std::move(submission), std::move(reference), growth,
                                           std::move(call_text));
}

}  // namespace lab
