// Starts speed tests on both kinds of device, and applies their verdicts to the test.
#include "check/speed/speed.h"

#include <catch2/internal/catch_test_failure_exception.hpp>
#include <nlohmann/json.hpp>

#include "check/call/inputs.h"
#include "check/explain/explain.h"
#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/output/test_log.h"
#include "check/output/time_spent.h"
#include "check/session/call_submission.h"
#include "check/session/flow.h"
#include "check/session/session.h"
#include "check/speed/kept_records.h"
#include "check/speed/speed_judges.h"
#include "check/speed/speed_sizes.h"

namespace lab {

SpeedTest start_speed_test(const SpeedPlanMaker& make, const SpeedSizes& sizes) {
    skip_if_blocked();
    if (options().reference.empty()) {
        throw GraderFault("a speed test needs the reference: --reference is missing");
    }
    const bool by_clock = !on_vgpu() || options().clock;
    if (const auto seed = by_clock ? std::nullopt : kept_reference().seed()) {
        // The reference's records are kept for a few numbers of elements and data, of which this
        // grading takes one (chosen).
        constexpr std::uint64_t kVariants = 5;
        random_source() = Random(*seed, std::to_string(options().seed % kVariants));
    }
    const CountedSizes counted = by_clock ? CountedSizes{} : drawn_sizes(sizes);
    const TimeSpent spent("data of speed tests");
    SpeedPlan plan = make(by_clock ? speed_size(sizes.gpu, sizes.vgpu) : counted.larger);
    const std::string call_text = plan.call.call_text();
    test_log().latest_case = plan.call.case_text();
    test_log().latest_place = source_place(plan.call.function, session().setting());
    return {by_clock ? speed_by_clock(std::move(plan))
                     : speed_by_counts(std::move(plan), make, counted),
            call_text};
}

int speed_size(int gpu, int vgpu) {
    return on_vgpu() ? vgpu : gpu;
}

SpeedJudgement judge_speed(const SpeedTest& speed, double threshold) {
    SpeedTest::Verdict verdict = SpeedTest::Verdict::fail;
    try {
        verdict = speed.judge().judge(threshold);
    } catch (const Catch::TestFailureException&) {
        // A call failed, and was reported. Catch2 would blame an exception on the matcher.
        return {false, "has calls that are all right"};
    }
    TestLog& log = test_log();
    log.speed = speed.judge().to_json();
    log.inconclusive = verdict == SpeedTest::Verdict::inconclusive;
    log.inconclusive_note = speed.judge().note();
    if (verdict != SpeedTest::Verdict::fail) return {true, ""};
    Failure failure;
    failure.message = speed.judge().message();
    failure.diagnosis = speed.diagnosis();
    failure.flags = speed.judge().flags();
    failure.case_text = log.latest_case;
    failure.place = speed.judge().place();
    const std::string description = failure.message;
    log.offer(std::move(failure));
    return {false, description};
}

}  // namespace lab
