// Judges a speed test without a clock. Both programs run on the virtual GPU, with the speed test's
// data and with about half of them. The work for a GPU's data is extrapolated from both
// (speed_growth.cpp), and its time is modelled (speed_parts.cpp). How well that agrees with an H200
// is tested kernel by kernel in grader/vgpu/tests/cost_test.cpp, and by
// ./lab dev compare-model.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "check/call/marshal.h"
#include "check/explain/explain.h"
#include "check/output/grader_fault.h"
#include "check/session/call_submission.h"
#include "check/session/flow.h"
#include "check/session/session.h"
#include "check/speed/changed_data.h"
#include "check/speed/kept_records.h"
#include "check/speed/speed_judges.h"
#include "check/speed/speed_sizes.h"

namespace lab {
namespace {

/// Three digits, in the unit that suits them.
std::string show_time(double us) {
    if (us >= 999.5e3) return fmt::format("{:.3g} s", us / 1e6);
    if (us >= 999.5) return fmt::format("{:.3g} ms", us / 1e3);
    return fmt::format("{:.3g} us", us);
}

std::string show_ratio(double ratio) {
    return ratio < 0.01 ? "less than 0.01" : fmt::format("{:.2g}", ratio);
}

/// The two programs' calls, on the same data.
struct Counted {
    std::string call_text;
    CountedCall submission, reference;
};

class CountJudge : public SpeedTest::Judge {
public:
    /// Runs both with `elements` elements.
    using Count = std::function<Counted(int elements)>;

    CountJudge(std::string function, Counted small, Counted larger, const CountedSizes& sizes,
               Count count)
        : function_(std::move(function)),
          small_(std::move(small)),
          larger_(std::move(larger)),
          sizes_(sizes),
          count_(std::move(count)) {
        compare();
    }

    SpeedTest::Verdict judge(double threshold) override {
        threshold_ = threshold;
        // A part that takes as long with any data counts for less with more of them.
        if (launched() && !prints() && is_fast() && !is_trusted() && could_be_trusted() &&
            has_more())
            count_with_more();
        if (passed() && scaled_ratio_ < threshold_) grows_evenly_ = has_even_growth();
        if (ProfiledCalls* const profiled = session().profiled_calls()) {
            note_profile(*profiled);
        }
        return passed() ? SpeedTest::Verdict::pass : SpeedTest::Verdict::fail;
    }

    std::string message() const override {
        if (!launched()) {
            return larger_.call_text +
                   ": no kernel was launched, so nothing was computed on the GPU.";
        }
        if (prints()) {
            return fmt::format(
                "{}: printed {} KiB while it was timed. On a GPU every printf of a kernel goes "
                "through one buffer, and all of them together take far longer than the work.",
                larger_.call_text, larger_.submission.printed_bytes >> 10);
        }
        if (is_fast()) {
            return fmt::format(
                "{}: {}x the reference's speed with these data. With more it would be {}x, if it "
                "went on growing so slowly: that is not believed.",
                larger_.call_text, show_ratio(scaled_ratio_), show_ratio(comparison_.ratio));
        }
        std::string text = fmt::format(
            "{}: too slow: {}x the reference's speed, {:.2g}x is required.\n"
            "Judged on counts, not on time (the virtual GPU has none); modelled for {:.0f} times "
            "the work, each part alone:\n"
            "  {:<18} {:>9} {:>13}",
            larger_.call_text, show_ratio(comparison_.ratio), threshold_,
            1.0 * sizes_.full / sizes_.larger, "", "yours", "the reference");
        for (const PartComparison& part : comparison_.parts) {
            text += fmt::format("\n  {:<18} {:>9} {:>13}{}{}{}", part.name,
                                show_time(part.submission_us), show_time(part.reference_us),
                                part.count.empty() ? "" : "   ", part.count,
                                part.is_cause ? "   <--" : "");
        }
        return text;
    }

    std::string diagnosis() const override {
        if (launched() && prints()) return "Take out the printf, or let one thread print.";
        const PartComparison* cause = comparison_.cause();
        if (cause == nullptr || !launched() || passed()) return "";
        const Place at = place();
        return at.line == 0 ? cause->advice
                            : fmt::format("{} Line {} has most of it.", cause->advice, at.line);
    }

    Place place() const override {
        const PartComparison* cause = comparison_.cause();
        if (prints() || cause == nullptr || cause->hot.line == 0) return {};
        const CallSetting setting = session().setting();
        // A kernel's line in a header is no help.
        std::error_code error;
        const bool is_own =
            cause->hot.file == setting.real_source ||
            std::filesystem::equivalent(cause->hot.file, setting.real_source, error);
        return is_own ? Place{setting.display_source, cause->hot.line} : Place{};
    }

    Flags flags() const override {
        return grows_evenly_ ? Flags{} : Flags{{kUnevenGrowth, message()}};
    }

    nlohmann::json to_json() const override {
        nlohmann::json counts = nlohmann::json::array();
        for (const PartComparison& part : comparison_.parts) {
            counts.push_back({{"name", part.name},
                              {"submission_us", part.submission_us},
                              {"reference_us", part.reference_us},
                              {"count", part.count},
                              {"is_cause", part.is_cause}});
        }
        return {{"judged_on", "counts"},
                {"threshold", threshold_},
                {"verdict", passed() ? "pass" : "fail"},
                {"ratio", comparison_.ratio},
                {"counts", counts}};
    }

private:
    static CallComparison grown(const Counted& small, const Counted& larger,
                                const DataGrowth& growth) {
        return compare_calls(with_full_data(small.submission, larger.submission, growth),
                             with_full_data(small.reference, larger.reference, growth));
    }
    void compare() {
        const DataGrowth growth = sizes_.growth();
        const CountedCall &submission = larger_.submission, &reference = larger_.reference;
        comparison_ = grown(small_, larger_, growth);
        scaled_ratio_ = scaled_ratio(submission, reference, growth);
        busy_ratio_ = scaled_ratio(without_waiting(submission), without_waiting(reference), growth);
    }
    /// Repeats the test once with this many times the elements: less than a second a call (chosen).
    static constexpr int kMore = 4;
    /// Whether kMore times the elements could help: a part that does not grow with them can lose at
    /// most that factor of its weight.
    bool could_be_trusted() const {
        return kMore * busy_ratio_ >= kTrusted * threshold_ &&
               kMore * scaled_ratio_ >= kTrustedWaiting * threshold_;
    }
    bool has_more() const { return !has_counted_more_ && sizes_.full / kMore > sizes_.larger; }
    void count_with_more() {
        has_counted_more_ = true;
        sizes_.small = std::exchange(sizes_.larger, kMore * sizes_.larger);
        small_ = std::exchange(larger_, count_(sizes_.larger));
        compare();
    }
    /// Whether it would be fast as well by what is between the two numbers of elements and a third.
    /// Work that is wasted below some number makes one of the two far too slow.
    bool has_even_growth() {
        const int third = drawn_between(sizes_);
        const Counted between = count_(third);
        const double full = sizes_.full;
        const double below = grown(small_, between, {1.0 * sizes_.small, 1.0 * third, full}).ratio;
        const double above =
            grown(between, larger_, {1.0 * third, 1.0 * sizes_.larger, full}).ratio;
        return std::min(below, above) >= kTrustedSteps * threshold_;
    }

    /// With a GPU's data, where the work for that is known.
    void note_profile(ProfiledCalls& profiled) const {
        const bool is_known = has_same_launches(small_.submission, larger_.submission) &&
                              has_same_launches(small_.reference, larger_.reference);
        if (!is_known)
            return profiled.judged(function_, larger_.call_text, 1, larger_.submission.launches,
                                   larger_.reference.launches);
        const DataGrowth growth = sizes_.growth();
        profiled.judged(function_, larger_.call_text, growth.full / growth.larger,
                        with_full_data(small_.submission, larger_.submission, growth).launches,
                        with_full_data(small_.reference, larger_.reference, growth).launches);
    }

    bool launched() const { return !larger_.submission.launches.empty(); }
    bool is_fast() const { return comparison_.ratio >= threshold_; }
    bool is_trusted() const {
        return busy_ratio_ >= kTrusted * threshold_ &&
               scaled_ratio_ >= kTrustedWaiting * threshold_;
    }
    static double scaled_ratio(const CountedCall& submission, const CountedCall& reference,
                               const DataGrowth& growth) {
        return compare_calls(scaled_to_full_data(submission, growth),
                             scaled_to_full_data(reference, growth))
            .ratio;
    }
    bool passed() const {
        return launched() && !prints() && is_fast() && is_trusted() && grows_evenly_;
    }
    /// Whether all threads print, not only one. (The model has no cost for printing.)
    bool prints() const {
        constexpr std::uint64_t kMuch = 64 << 10;
        return larger_.submission.printed_bytes > kMuch;
    }

    std::string function_;
    Counted small_, larger_;
    CountedSizes sizes_;
    Count count_;
    bool has_counted_more_ = false, grows_evenly_ = true;
    CallComparison comparison_;
    double scaled_ratio_ = 0, busy_ratio_ = 0, threshold_ = 0;
};

/// Counts the reference's call. Any error in it is our fault.
DeviceRecords run_reference(const CallPlan& plan, const Request& request, const Marshalled& call) {
    Worker& worker = session().own_program(options().reference);
    Outcome outcome = worker.wait_ready(session().patience());
    if (outcome.ended == Ended::replied) {
        put(call, worker.shared().bytes());
        outcome = worker.ask(request, session().patience());
    }
    const auto failure = explain(plan, call, outcome, session().setting());
    if (failure) throw GraderFault("the reference failed: " + failure->message);
    return std::move(outcome.records);
}

/// The same, from an earlier grading where that was kept.
DeviceRecords reference_records(const CallPlan& plan, const Marshalled& call) {
    Request request = call.request;
    request.steps = kDrop | kLoad | kRun;
    const KeptRecords kept = kept_reference();
    const std::string key = key_of(plan, options().vgpu_device);
    // What was kept has no profiles.
    const bool profiles = session().profiled_calls() != nullptr;
    auto records = profiles ? std::nullopt : kept.find(key);
    if (!records) {
        records = run_reference(plan, request, call);
        if (!profiles) kept.keep(key, *records);
    }
    records->operations = operations_of(request, std::move(records->operations));
    return std::move(*records);
}

/// Counts the submission's call, whose output must be right.
CallResult run_submission(const SpeedPlan& plan) {
    CallResult result = call_submission(plan.call);
    const SpeedPlan::OutputCheck check = plan.make_check();
    std::string why;
    for (std::size_t i = 0; i < result.arguments.size(); ++i) {
        const ArgumentResult& argument = result.arguments[i];
        if (!plan.call.arguments[i].is_written() ||
            check(i, argument.bytes, argument.untouched, why))
            continue;
        Failure failure;
        failure.message = why;
        failure.case_text = plan.call.case_text();
        failure.place = source_place(plan.call.function, session().setting());
        fail_test(std::move(failure));
    }
    return result;
}

Counted run_both(SpeedPlan& plan) {
    plan.call.for_speed = true;
    const std::uint64_t salt = session().next_salt();
    Marshalled call = marshal(plan.call, true, salt);
    // Data that have been changed, as in the calls that a GPU times.
    change_data(plan, call, {0, 1});
    call = marshal(plan.call, true, salt);
    const CallResult result = run_submission(plan);
    DeviceRecords reference = reference_records(plan.call, call);
    return {
        plan.call.call_text(),
        {result.facts->launches, result.facts->operations, result.facts->allocating_us,
         result.facts->printed_bytes},
        {std::move(reference.launches), std::move(reference.operations), reference.allocating_us}};
}

}  // namespace

std::shared_ptr<SpeedTest::Judge> speed_by_counts(SpeedPlan plan, const SpeedPlanMaker& make,
                                                  const CountedSizes& sizes) {
    Counted larger = run_both(plan);
    SpeedPlan half = make(sizes.small);
    Counted small = run_both(half);
    if (uses_streams(larger.reference.operations)) {
        if (ProfiledCalls* const profiled = session().profiled_calls())
            profiled->judged(plan.call.function, plan.call.call_text(), 1,
                             larger.submission.launches, larger.reference.launches);
        return judge_by_timeline(
            {std::move(small.submission.operations), std::move(larger.submission.operations)},
            {std::move(small.reference.operations), std::move(larger.reference.operations)},
            sizes.growth(), plan.call.call_text());
    }
    const auto count = [make](int elements) {
        SpeedPlan more = make(elements);
        return run_both(more);
    };
    return std::make_shared<CountJudge>(plan.call.function, std::move(small), std::move(larger),
                                        sizes, count);
}

}  // namespace lab
