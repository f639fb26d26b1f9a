// Judges a speed test on a GPU, by the clock.
//
//   round:  for each program, in an order that rotates:
//             change   inputs by the nonce, the old output too; flush L2     untimed
//             call     events around it, and our own clock around the request
//             check    all of the output, against the changed inputs         in some rounds
//
// Copying and checking an output takes far longer than most calls, and many short rounds are better
// evidence than a few. So the submission is checked in the first rounds, and then in rounds that
// nobody can foresee: wrong answers in enough calls to move their median are caught.
//
// From one check to the next no other grading uses the GPU (gpu_lock.h).
//
// All programs of a round get the same data. The ratio of a round is reference time / submission
// time, so that a slowdown of the whole GPU cancels.
//
// Without a verdict in the end, both programs start anew, and their rounds are added to the earlier
// ones; rounds that another process disturbed are dropped.

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "check/gpu/gpu_state.h"
#include "check/session/call_submission.h"
#include "check/session/session.h"
#include "check/speed/interval.h"
#include "check/speed/least_time.h"
#include "check/speed/speed_decision.h"
#include "check/speed/speed_judges.h"
#include "check/speed/speed_messages.h"
#include "check/speed/speed_runners.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

// The fewest and the most rounds, and the time they take without their checks: a clear verdict
// needs few. Chosen so that the speed tests of a lab take 3 s or less.
constexpr std::size_t kFewestRounds = 10, kMostRounds = 500, kMostSlowRounds = 31;
constexpr Milliseconds kLeastTime{200}, kMostTime{600};
// The widest interval, as a share of the ratio, in addition to the spread of processes (chosen).
constexpr double kNarrow = 0.06;
// Tries for a verdict after this many more rounds, or a quarter of those so far, if that is more.
constexpr std::size_t kMoreRounds = 4;
// One check in about kTimeACheck, at least one in kRoundsACheck rounds.
constexpr Milliseconds kTimeACheck{50};
constexpr double kRoundsACheck = 32;
// The least time between two questions to the driver: each takes 2.5 ms.
constexpr Milliseconds kTimeALook{20};
// How often programs are started for one speed test (chosen: there are 3 s).
constexpr int kSpeedTestStarts = 2;

/// Watches the GPU that the speed tests of this grading run on. Other gradings use it too, but not
/// while a call is timed.
GpuWatch& gpu_watch(const DeviceFacts& device) {
    static GpuWatch watch(device.pci_bus_id.data(),
                          [](unsigned pid) { return session().takes_turns(pid); });
    return watch;
}

/// The student sees the ratio, so it must be good enough to show.
bool is_narrow(const SpeedDecision& decision, double spread) {
    return decision.interval.high - decision.interval.low <=
           (2 * spread + kNarrow) * decision.ratio;
}

class TimedJudge : public SpeedTest::Judge {
public:
    explicit TimedJudge(SpeedPlan plan)
        : runners_(std::move(plan), secret_()), watch_(gpu_watch(runners_.device())) {
        watch_.restart();
    }

    SpeedTest::Verdict judge(double threshold) override {
        times_.threshold = threshold;
        measure();
        while (could_end_otherwise(decision_, times_) && starts_ < kSpeedTestStarts && start_anew())
            measure();
        return decision_.verdict;
    }

    std::string message() const override {
        return speed_message(runners_.plan().call_text(), decision_, times_, seen_);
    }

    std::string note() const override { return disturbed_note(decision_, seen_); }

    std::string diagnosis() const override { return ""; }

    Flags flags() const override {
        const bool is_false = decision_.is_suspicious || !decision_.impossible.empty();
        return is_false ? Flags{{kFalseTimes, message()}} : Flags{};
    }

    nlohmann::json to_json() const override {
        nlohmann::json json = speed_json(decision_, times_, seen_);
        const auto add = [&](const std::string& program, const std::vector<double>& event_ms) {
            json[program + "_ms"] = median(event_ms);
            json["samples_ms"][program] = event_ms;
        };
        json["samples_ms"]["submission"] = times_.submission.event_ms;  // they may be no numbers
        add("reference", times_.reference.event_ms);
        if (runners_.has_baseline()) add("baseline", {runners_.baseline_call().event_ms});
        json["submission_ms"] = decision_.submission_ms;
        json["starts"] = starts_;
        return json;
    }

private:
    static bool is_time_left() { return session().patience() >= session().call_limit(); }

    bool start_anew() {
        if (!is_time_left() || !runners_.start_anew(secret_())) return false;
        ++starts_;
        is_check_due_ = true;
        if (decision_.is_disturbed) {
            times_.submission = times_.reference = {};
            watch_.restart();
        }
        return true;
    }

    /// Runs rounds until the verdict is clear, or there were enough of them.
    void measure() {
        const std::vector<double>& rounds = times_.submission.event_ms;
        measured_ = {};
        for (;;) {
            const std::size_t more = std::max(kMoreRounds, rounds.size() / 4);
            timed_rounds(more);
            judge_times();
            if (!decision_.impossible.empty()) return;
            const bool are_few = rounds.size() < kFewestRounds || measured_ < kLeastTime;
            const bool is_room = rounds.size() < kMostRounds && measured_ < kMostTime;
            if (are_few && is_room && is_time_left()) continue;
            const bool is_clear =
                decision_.is_disturbed || (decision_.verdict != SpeedTest::Verdict::inconclusive &&
                                           (is_narrow(decision_, times_.spread) || !is_room));
            const bool are_enough = rounds.size() >= kMostRounds ||
                                    (rounds.size() >= kMostSlowRounds && measured_ >= kMostTime);
            if (is_clear || are_enough || !is_time_left()) return;
        }
    }

    /// Keeps the GPU to us from one check to the next: others wait once, not for each call.
    void timed_rounds(std::size_t count) {
        std::optional<GpuLock::Guard> guard;
        for (std::size_t i = 0; i < count; ++i) {
            if (!guard) guard.emplace(session().gpu_alone());
            timed_round(guard);
        }
    }

    /// Unlocks the GPU when it has to check.
    void timed_round(std::optional<GpuLock::Guard>& guard) {
        const Clock::time_point begin = Clock::now();
        const std::uint64_t nonce = secret_();
        Milliseconds checking{0};
        for (std::size_t i = 0; i < 2; ++i) {
            const bool is_submission = (i + rounds_) % 2 == 0;
            const auto who = is_submission ? SpeedRunners::kSubmission : SpeedRunners::kReference;
            LaneTimes& times = is_submission ? times_.submission : times_.reference;
            const TimedCall call = runners_.timed_call(who, nonce);
            times.event_ms.push_back(call.event_ms);
            // Modelled times are not held against a real clock.
            times.unseen_ms.push_back(on_vgpu() ? 0 : call.round_trip_ms - call.event_ms);
            if (!is_submission || !is_check_due_) continue;
            const Clock::time_point done = Clock::now();
            guard.reset();
            runners_.check(who);
            checking = Clock::now() - done;
        }
        ++rounds_;
        // Only when the output is here: a thread of the submission's that works on would gain time.
        if (Clock::now() - looked_ >= kTimeALook) {
            watch_.look();
            looked_ = Clock::now();
        }
        const Milliseconds took = Clock::now() - begin - checking;
        measured_ += took;
        is_check_due_ = std::bernoulli_distribution(
            std::clamp(took / kTimeACheck, 1 / kRoundsACheck, 1.0))(secret_);
    }

    void decide() {
        judge_times();
        if (decision_.verdict == SpeedTest::Verdict::pass) return;
        // The driver's samples may not show yet who disturbed.
        watch_.settle();
        judge_times();
    }

    void judge_times() {
        seen_ = watch_.seen();
        times_.spread = spread();
        times_.least_ms = least_ms(bytes_to_move(runners_.call()), runners_.device());
        times_.disturbances = seen_.disturbances;
        decision_ = decide_speed(times_);
    }

    double spread() const {
        const Request& request = runners_.call().request;
        const auto all = std::span(request.allocations).first(request.allocation_count);
        const bool on_device = std::ranges::all_of(
            all, [](const AllocationEntry& entry) { return entry.memory == Memory::device; });
        return on_device ? kProcessSpread : kHostMemorySpread;
    }

    std::mt19937_64 secret_{std::random_device{}()};
    SpeedRunners runners_;
    GpuWatch& watch_;
    GpuSeen seen_;
    SpeedTimes times_;
    SpeedDecision decision_;
    int starts_ = 1;
    std::size_t rounds_ = 0;
    Milliseconds measured_{0};  ///< the rounds of this measurement, without their checks
    Clock::time_point looked_;
    bool is_check_due_ = true;  ///< at first: warm-up calls alone prove nothing
};

}  // namespace

std::shared_ptr<SpeedTest::Judge> speed_by_clock(SpeedPlan plan) {
    return std::make_shared<TimedJudge>(std::move(plan));
}

}  // namespace lab
