// Verdicts on times, and what is said of them.
#include "check/speed/speed_decision.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <random>

#include "check/speed/speed_messages.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using Verdict = SpeedTest::Verdict;

namespace {

LaneTimes lane(double ms, int rounds = 6) {
    LaneTimes times;
    for (int i = 0; i < rounds; ++i) {
        times.event_ms.push_back(ms);
        times.unseen_ms.push_back(0.02);
    }
    return times;
}

/// A submission at `ratio` of a reference that takes a millisecond.
SpeedTimes at(double ratio, double threshold = 0.5) {
    SpeedTimes times;
    times.submission = lane(1 / ratio);
    times.reference = lane(1);
    times.threshold = threshold;
    return times;
}

SpeedTimes disturbed(SpeedTimes times) {
    times.disturbances = {"Another process used the GPU: pid 7 (train), up to 90 % of the time"};
    return times;
}

GpuSeen seen_of(const SpeedTimes& times) {
    GpuSeen seen;
    seen.disturbances = times.disturbances;
    return seen;
}

}  // namespace

TEST_CASE("speed decision: pass and fail beyond the spread of processes, nothing within it") {
    CHECK(decide_speed(at(0.6)).verdict == Verdict::pass);
    CHECK(decide_speed(at(0.4)).verdict == Verdict::fail);
    CHECK(decide_speed(at(0.5)).verdict == Verdict::inconclusive);
    CHECK(decide_speed(at(0.5 / (1 - kProcessSpread) + 1e-3)).verdict == Verdict::pass);
    CHECK(decide_speed(at(0.5 / (1 + kProcessSpread) - 1e-3)).verdict == Verdict::fail);
    SpeedTimes host = at(0.5 / (1 - kProcessSpread) + 1e-3);
    host.spread = kHostMemorySpread;
    CHECK(decide_speed(host).verdict == Verdict::inconclusive);
    const SpeedDecision decision = decide_speed(at(0.4));
    CHECK_THAT(decision.ratio, WithinRel(0.4, 1e-9));
    CHECK_THAT(decision.submission_ms, WithinRel(2.5, 1e-9));
    CHECK_FALSE(decision.is_disturbed);
    CHECK(decision.flag.empty());
}

TEST_CASE("speed decision: four rounds are enough for what is far too slow, and for nothing else") {
    const auto few = [](double ratio, std::size_t rounds) {
        SpeedTimes times = at(ratio);
        for (LaneTimes* lane : {&times.submission, &times.reference}) {
            lane->event_ms.resize(rounds);
            lane->unseen_ms.resize(rounds);
        }
        return decide_speed(times);
    };
    CHECK(few(0.1, 4).verdict == Verdict::fail);
    CHECK(few(0.1, 4).interval.high < 0.12);
    CHECK(few(0.1, 3).verdict == Verdict::inconclusive);
    CHECK(few(0.3, 4).verdict == Verdict::inconclusive);  // more rounds may say so
    CHECK(few(3, 4).verdict == Verdict::inconclusive);
}

TEST_CASE("speed decision: what slows a whole round cancels") {
    SpeedTimes times = at(0.6);
    for (int i = 0; i < 6; ++i) {
        times.submission.event_ms[static_cast<std::size_t>(i)] *= 1 + i;
        times.reference.event_ms[static_cast<std::size_t>(i)] *= 1 + i;
    }
    CHECK_THAT(decide_speed(times).interval.low, WithinRel(0.6 * (1 - kProcessSpread), 1e-9));
}

TEST_CASE("speed decision: time that the events did not see is added, and said") {
    SpeedTimes times = at(1);
    for (double& ms : times.submission.unseen_ms) ms += 3;
    // Six rounds may be chance.
    CHECK(decide_speed(times).verdict == Verdict::inconclusive);
    for (LaneTimes* lane : {&times.submission, &times.reference}) {
        for (std::vector<double>* ms : {&lane->event_ms, &lane->unseen_ms})
            ms->resize(16, ms->back());
    }
    const SpeedDecision decision = decide_speed(times);
    CHECK(decision.verdict == Verdict::fail);
    CHECK_THAT(decision.submission_ms, WithinRel(4, 1e-9));
    CHECK_THAT(decision.flag, ContainsSubstring("3 ms of the submission's time lay outside"));
    CHECK(decision.impossible == decision.flag);
    CHECK_THAT(speed_message("f(n = 3)", decision, times, {}), ContainsSubstring(decision.flag));
}

TEST_CASE("speed decision: a time that cannot be fails, whatever the others are") {
    const auto why_not = [](double event_ms, double round_trip_ms) {
        SpeedTimes times = disturbed(at(0.6));
        times.submission.event_ms[4] = event_ms;
        times.submission.unseen_ms[4] = round_trip_ms - event_ms;
        const SpeedDecision decision = decide_speed(times);
        CHECK((decision.verdict == Verdict::fail) == !decision.impossible.empty());
        if (!decision.impossible.empty()) {
            CHECK_THAT(
                speed_message("f()", decision, times, {}),
                ContainsSubstring("f(): its times cannot be true.\n  " + decision.impossible));
            CHECK(speed_json(decision, times, {}).at("suspicious") == true);
        }
        return decision.impossible;
    };
    CHECK(why_not(std::nan(""), 2) ==
          "In round 5 the events around the call gave no number of milliseconds.");
    CHECK(why_not(INFINITY, 2) ==
          "In round 5 the events around the call gave no number of milliseconds.");
    CHECK(why_not(0, 2) == "In round 5 the events around the call gave 0 ms.");  // missing
    CHECK(why_not(-1, 2) == "In round 5 the events around the call gave -1 ms.");
    CHECK(why_not(2, 1.5) ==
          "In round 5 the events around the call gave 2 ms, and the grader's clock 1.5 ms in all.");
    CHECK(why_not(2, 1.99) == "");  // two clocks
    CHECK(why_not(2, 2.02) == "");
}

TEST_CASE("speed decision: false times in some of the rounds gain nothing") {
    for (const std::size_t forged : {1u, 7u, 15u, 16u, 30u}) {
        SpeedTimes times;
        times.submission = lane(1 / 0.375, 30);
        times.reference = lane(1, 30);
        times.threshold = 0.45;
        // Honest, and below the threshold; now its events claim a tenth.
        for (std::size_t i = 0; i < forged; ++i) {
            times.submission.unseen_ms[i] += 0.9 * times.submission.event_ms[i];
            times.submission.event_ms[i] *= 0.1;
        }
        INFO(forged << " of 30 rounds");
        const SpeedDecision decision = decide_speed(times);
        CHECK(decision.verdict == Verdict::fail);
        CHECK(decision.ratio < 0.38);
    }
}

TEST_CASE("speed decision: what an honest call may lack in its events is none to be had") {
    // A reference of 0.12 ms, and a submission at 0.375 of it, whose events hide what brings them
    // to the threshold of 0.45: 0.053 ms, of which the old allowance forgave 0.05 + 5 %.
    SpeedTimes times;
    times.submission = lane(0.12 / 0.375, 30);
    times.reference = lane(0.12, 30);
    times.threshold = 0.45;
    REQUIRE(decide_speed(times).verdict == Verdict::fail);
    for (double& ms : times.submission.event_ms) ms -= 0.0545;
    for (double& ms : times.submission.unseen_ms) ms += 0.0545;
    const SpeedDecision decision = decide_speed(times);
    CHECK(decision.verdict == Verdict::fail);
    CHECK_THAT(decision.ratio, WithinRel(0.375, 1e-6));
    CHECK(decision.flag.empty());
}

TEST_CASE("speed decision: an honest submission is not blamed for when its host woke up") {
    std::mt19937 random(1);
    std::exponential_distribution<double> late(1 / 0.02);  // ms
    for (int grading = 0; grading < 200; ++grading) {
        SpeedTimes times;
        times.submission = lane(0.2, 30);
        times.reference = lane(0.2, 30);
        times.threshold = 0.8;
        for (LaneTimes* lane : {&times.submission, &times.reference})
            for (double& ms : lane->unseen_ms) ms += late(random);
        const SpeedDecision decision = decide_speed(times);
        CHECK(decision.verdict == Verdict::pass);
        CHECK(decision.impossible.empty());
        CHECK(decision.ratio > 0.95);
    }
}

TEST_CASE("speed decision: few rounds are enough for hidden time that no scheduling explains") {
    SpeedTimes times = at(1);
    for (double& ms : times.submission.unseen_ms) ms += 4000;
    CHECK(decide_speed(times).verdict == Verdict::fail);
}

TEST_CASE("speed decision: other processes may decide what varies or was disturbed") {
    const auto could = [](const SpeedTimes& times) {
        return could_end_otherwise(decide_speed(times), times);
    };
    CHECK_FALSE(could(at(0.6)));
    CHECK_FALSE(could(at(0.4)));
    // Undecided for good: what the same function differs by in other processes is more.
    CHECK_FALSE(could(at(0.5)));
    CHECK_FALSE(could(at(0.51)));
    SpeedTimes uneven = at(0.6);
    for (std::size_t i = 0; i < 3; ++i) uneven.submission.event_ms[i] *= 1.5;
    REQUIRE(decide_speed(uneven).verdict == Verdict::inconclusive);
    CHECK_FALSE(could(uneven));  // 0.6 or 0.4: on the whole at the threshold
    uneven.submission.event_ms[0] /= 1.5;
    REQUIRE(decide_speed(uneven).verdict == Verdict::inconclusive);
    CHECK(could(uneven));
    CHECK(could(disturbed(at(0.4))));
    CHECK(could(disturbed(at(0.5))));
    CHECK_FALSE(could(disturbed(at(0.6))));
}

TEST_CASE("speed decision: a fail while somebody disturbed is inconclusive, and names who") {
    const SpeedTimes slow = disturbed(at(0.4));
    const SpeedDecision decision = decide_speed(slow);
    CHECK(decision.verdict == Verdict::inconclusive);
    CHECK(decision.is_disturbed);
    CHECK_THAT(disturbed_note(decision, seen_of(slow)),
               ContainsSubstring("Another process used the GPU: pid 7 (train)") &&
                   ContainsSubstring("Grade again"));
    CHECK(decide_speed(disturbed(at(0.5))).is_disturbed);
    // It was fast enough all the same.
    const SpeedTimes fast = disturbed(at(0.6));
    CHECK(decide_speed(fast).verdict == Verdict::pass);
    CHECK_FALSE(decide_speed(fast).is_disturbed);
    CHECK(disturbed_note(decide_speed(fast), seen_of(fast)).empty());
    // Close numbers on a quiet GPU need no note.
    CHECK(disturbed_note(decide_speed(at(0.5)), seen_of(at(0.5))).empty());
}

TEST_CASE("speed decision: nobody else is to blame for what is slow in every call") {
    CHECK(decide_speed(disturbed(at(0.3))).is_disturbed);
    SpeedTimes hopeless = disturbed(at(0.2));
    const SpeedDecision decision = decide_speed(hopeless);
    CHECK(decision.verdict == Verdict::fail);
    CHECK_FALSE(decision.is_disturbed);
    CHECK(disturbed_note(decision, seen_of(hopeless)).empty());
    // One call of either that comes near is enough for doubt.
    hopeless.submission.event_ms[3] = 2;
    CHECK(decide_speed(hopeless).is_disturbed);
    hopeless = disturbed(at(0.2));
    hopeless.reference.event_ms[3] = 4;
    CHECK(decide_speed(hopeless).is_disturbed);
}

TEST_CASE("speed decision: faster than the memory allows is no pass") {
    SpeedTimes times = at(20);
    times.least_ms = 0.3;
    const SpeedDecision decision = decide_speed(times);
    CHECK(decision.is_suspicious);
    CHECK(decision.verdict == Verdict::fail);
    CHECK_THAT(speed_message("f(n = 3)", decision, times, {}),
               ContainsSubstring("f(n = 3): 0.05 ms is faster than this GPU can be") &&
                   ContainsSubstring("at least   0.3 ms"));
    CHECK(speed_json(decision, times, {}).at("suspicious") == true);
    CHECK(speed_json(decision, times, {}).at("verdict") == "fail");
    // Whoever disturbs makes nothing faster.
    CHECK(decide_speed(disturbed(times)).verdict == Verdict::fail);
    // Time that events did not see counts here, too.
    for (double& ms : times.submission.unseen_ms) ms += 3;
    CHECK_FALSE(decide_speed(times).is_suspicious);
}

TEST_CASE("speed decision: nobody is suspected where the bound does not hold, or is not known") {
    SpeedTimes times = at(20);
    CHECK(decide_speed(times).verdict == Verdict::pass);  // not known
    times.least_ms = 1.1;                                 // the reference is faster than that
    CHECK(decide_speed(times).verdict == Verdict::pass);
    times = at(2);
    times.least_ms = 0.3;
    CHECK(decide_speed(times).verdict == Verdict::pass);
}

TEST_CASE("speed messages: the result line says what was seen of the GPU") {
    const SpeedTimes times = disturbed(at(0.4));
    GpuSeen seen = seen_of(times);
    seen.lowest_sm_mhz = 1500;
    seen.highest_sm_mhz = 1980;
    seen.max_sm_mhz = 1980;
    seen.highest_c = 61;
    seen.slowed_by = {"power cap"};
    seen.others_known = true;
    seen.others = {{7, "train", 90}, {8, "", -1}};
    const auto json = speed_json(decide_speed(times), times, seen);
    CHECK(json.at("verdict") == "inconclusive");
    CHECK(json.at("disturbed_by") == nlohmann::json(times.disturbances));
    CHECK(json.at("spread") == kProcessSpread);
    CHECK(json.at("least_ms") == nullptr);
    CHECK(json.at("gpu") == nlohmann::json::parse(
                                R"({"clocks_read": true, "sm_mhz": [1500, 1980], "max_sm_mhz": 1980,
        "temperature_c": 61, "slowed_by": ["power cap"],
        "others": [{"pid": 7, "name": "train", "busy_percent": 90},
                   {"pid": 8, "name": "", "busy_percent": null}]})"));
    seen.others_known = false;
    CHECK(speed_json(decide_speed(times), times, seen).at("gpu").at("others") == nullptr);
    seen.why_not = "it is not there";
    CHECK(speed_json(decide_speed(times), times, seen).at("gpu") ==
          nlohmann::json::parse(R"({"clocks_read": false, "why_not": "it is not there"})"));
}

TEST_CASE("speed messages: a fail beside processes of which nothing is known says so") {
    const SpeedTimes times = at(0.4);
    GpuSeen seen;
    seen.others = {{7, "train", 0}};
    CHECK_THAT(speed_message("f()", decide_speed(times), times, seen),
               !ContainsSubstring("Other processes"));
    seen.others.push_back({8, "viewer", -1});
    CHECK_THAT(speed_message("f()", decide_speed(times), times, seen),
               ContainsSubstring("not known: pid 8 (viewer)."));
}
