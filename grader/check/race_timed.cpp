// A race on a GPU, by the clock.
//
//   round:  for each program, in an order that rotates:
//             change   inputs by the nonce, the old output too; flush L2     untimed
//             call     events around it, and our own clock around the request
//             check    all of the output, against the changed inputs         in some rounds
//
// Copying and checking an output takes far longer than most calls, and many short rounds say more
// than a few. So the submission is checked in the first rounds, and then in rounds that nobody can
// foresee: whoever answers wrongly in enough calls to move their median is caught.
//
// From the change to the end of the call no other grading uses the GPU (gpu_turns.h).
//
// All programs of a round see the same data. The ratio of a round is reference time / submission
// time, so that what slows the whole GPU cancels.
//
// When nothing can be said in the end, both programs are started anew, and the rounds of the new
// ones are added to those before; but those in which somebody disturbed are forgotten.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "check/flow.h"
#include "check/gpu_state.h"
#include "check/grader_fault.h"
#include "check/inputs.h"
#include "check/interval.h"
#include "check/least_time.h"
#include "check/marshal.h"
#include "check/parallel.h"
#include "check/race_decision.h"
#include "check/race_judges.h"
#include "check/race_words.h"
#include "check/session.h"
#include "protocol/mutate.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

// What is enough when the verdict is clear, and when it is not. Time is that of the rounds without
// their checks. Chosen so that the races of a lab take 3 s or less.
constexpr std::size_t kFewestRounds = 10, kMostRounds = 500, kMostSlowRounds = 31;
constexpr Milliseconds kLeastTime{200}, kMostTime{600};
// A verdict is looked for after so many more rounds, or a quarter of those there are, if that is
// more.
constexpr std::size_t kMoreRounds = 4;
// One check in about so much time, not more seldom than one in so many rounds.
constexpr Milliseconds kTimeACheck{50};
constexpr double kRoundsACheck = 32;
// The driver is asked what goes on at most so often: it takes 2.5 ms.
constexpr Milliseconds kTimeALook{20};
// How often programs are started for one race (chosen: there are 3 s).
constexpr int kStarts = 2;
constexpr std::uint64_t kAllBits = ~0ull;

/// Flips the bits that the runners flip.
void mutate(std::span<std::byte> data, Change change, std::uint64_t mask) {
    for_each_range(data.size() / 8, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::uint64_t word;
            std::memcpy(&word, &data[8 * i], 8);
            word ^= change_of(change, i, mask);
            std::memcpy(&data[8 * i], &word, 8);
        }
    });
}

/// One program in the race.
struct Lane {
    std::string program;
    bool ours = true;
    Worker* worker = nullptr;
    std::uint64_t nonce = 0;  ///< that its data are changed by
    LaneTimes times;
};

/// What is seen of the GPU that the races of this grading run on. Other gradings use it, too, but
/// not while a call is timed.
GpuWatch& gpu_watch(const DeviceFacts& device) {
    static GpuWatch watch(device.pci_bus_id.data(),
                          [](unsigned pid) { return session().takes_turns(pid); });
    return watch;
}

class TimedJudge : public Race::Judge {
public:
    explicit TimedJudge(RacePlan plan) : plan_(std::move(plan)) {
        // Arrays of 100 MB come and go each round: keep their pages.
        mallopt(M_MMAP_MAX, 0);
        mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
        add_lane("submission", {});
        add_lane("reference", options().reference);
        if (!options().baseline.empty()) add_lane("baseline", options().baseline);
        set_up(lanes_);
        // What the reference's runner says of the device; the submission's need not be true.
        device_ = lanes_[1].worker->device_facts();
        watch_ = &gpu_watch(device_);
        watch_->restart();
    }

    ~TimedJudge() override {
        const auto turn = session().gpu_together();
        for (Lane& lane : lanes_) drop(lane);
    }

    Race::Verdict judge(double threshold) override {
        threshold_ = threshold;
        measure();
        while (could_end_otherwise(decision_, times_) && starts_ < kStarts && start_anew())
            measure();
        return decision_.verdict;
    }

    std::string message() const override {
        return race_message(plan_.call.call_text(), decision_, times_, seen_);
    }

    std::string note() const override { return disturbed_note(decision_, seen_); }

    std::string diagnosis() const override { return ""; }

    nlohmann::json to_json() const override {
        nlohmann::json json = race_json(decision_, times_, seen_);
        for (const Lane& lane : lanes_) {
            json[lane.program + "_ms"] = median(lane.times.event_ms);
            json["samples_ms"][lane.program] = lane.times.event_ms;
        }
        json["submission_ms"] = decision_.submission_ms;
        json["starts"] = starts_;
        return json;
    }

private:
    static bool is_time_left() { return session().patience() >= session().call_limit(); }

    /// The programs that are judged; the baseline is only shown.
    std::span<Lane> racers() { return std::span(lanes_).first(2); }

    /// New processes for both, with the data as they now are. False: there is no time for it, or
    /// the submission does not start again.
    bool start_anew() {
        if (!is_time_left()) return false;
        session().restart_with(options().reference);
        if (session().submission() == nullptr) return false;
        if (decision_.is_disturbed) {
            for (Lane& lane : racers()) lane.times = {};
            watch_->restart();
        }
        set_up(racers());
        return true;
    }

    /// Each has its data and has made its first calls.
    void set_up(std::span<Lane> lanes) {
        ++starts_;
        call_ = marshal(plan_.call, false, session().next_salt());
        nonce_ = 0;
        for (Lane& lane : lanes) {
            lane.nonce = 0;
            wait_for(lane);
        }
        fill_shared_memory(lanes);
        for (Lane& lane : lanes) load(lane);
        for (std::size_t i = 0; i < call_.areas.size(); ++i) {
            if (!input_of(i).pitched()) call_.areas[i].image = {};
        }
        warm_up(lanes);
    }

    /// Runs rounds until the verdict is clear, or there were enough of them.
    void measure() {
        const std::vector<double>& rounds = lanes_[0].times.event_ms;
        measured_ = {};
        for (;;) {
            const std::size_t more = std::max(kMoreRounds, rounds.size() / 4);
            for (std::size_t i = 0; i < more; ++i) timed_round();
            const bool are_few = rounds.size() < kFewestRounds || measured_ < kLeastTime;
            const bool is_room = rounds.size() < kMostRounds && measured_ < kMostTime;
            if (are_few && is_room && is_time_left()) continue;
            decide();
            const bool is_clear =
                decision_.verdict != Race::Verdict::inconclusive || decision_.is_disturbed;
            const bool are_enough = rounds.size() >= kMostRounds ||
                                    (rounds.size() >= kMostSlowRounds && measured_ >= kMostTime);
            if (is_clear || are_enough || !is_time_left()) return;
        }
    }

    void decide() {
        judge_times();
        if (decision_.verdict == Race::Verdict::pass) return;
        // Whoever disturbed may not be in the driver's samples yet.
        watch_->settle();
        judge_times();
    }

    void judge_times() {
        seen_ = watch_->seen();
        times_ = {lanes_[0].times,
                  lanes_[1].times,
                  threshold_,
                  spread(),
                  least_ms(bytes_to_move(call_), device_),
                  seen_.disturbances};
        decision_ = decide_race(times_);
    }

    double spread() const {
        const auto all = std::span(call_.request.allocations).first(call_.request.allocation_count);
        const bool on_device = std::ranges::all_of(
            all, [](const AllocationEntry& entry) { return entry.memory == Memory::device; });
        return on_device ? kProcessSpread : kHostMemorySpread;
    }

    void add_lane(const std::string& program, const std::filesystem::path& runner) {
        Lane lane;
        lane.program = program;
        lane.ours = !runner.empty();
        lane.worker = lane.ours ? &session().own_program(runner) : session().submission();
        lanes_.push_back(std::move(lane));
    }

    /// Asks, and ends the test or the grading when the answer is not in order.
    Outcome ask(Lane& lane, const Request& request) {
        Outcome outcome = lane.worker->ask(request, session().patience());
        auto failure = explain(plan_.call, call_, outcome, session().setting());
        if (failure && outcome.ended == Ended::timed_out && (request.steps & kRun) != 0) {
            // Its tests passed: it is not endless, but far too slow for this size.
            failure->message = fmt::format("{}: too slow: one call did not finish within {:g} s.",
                                           plan_.call.call_text(), session().setting().limit_s);
        }
        if (!lane.ours) keep_output(outcome);
        if (failure && lane.ours) {
            throw GraderFault("the " + lane.program + " failed: " + failure->message);
        }
        if (failure) {
            if (failure->fatal) session().replace_submission();
            fail_test(*failure);
        }
        return outcome;
    }

    void wait_for(Lane& lane) {
        if (!lane.ours) return;
        const Outcome outcome = lane.worker->wait_ready(session().patience());
        if (outcome.ended != Ended::replied || outcome.reply.status != Status::ok) {
            throw GraderFault("the " + lane.program + " does not start");
        }
    }

    /// New pages of shared memory are slow to come by: all lanes at once.
    void fill_shared_memory(std::span<Lane> lanes) {
        std::vector<std::thread> threads;
        for (Lane& lane : lanes) {
            threads.emplace_back(
                [this, &lane] { put_inputs(call_, lane.worker->shared().bytes()); });
        }
        for (std::thread& thread : threads) thread.join();
    }

    /// The worker lives on: it gives back its device memory. What we share with it is kept for the
    /// next race, as new pages are slow to come by.
    static void drop(Lane& lane) {
        if (!lane.worker->running()) return;
        Request request;
        request.steps = kDrop;
        lane.worker->ask(request, session().patience());
    }

    void load(Lane& lane) {
        Request request = call_.request;
        request.steps = kDrop | kLoad;
        for (std::size_t i = 0; i < request.allocation_count; ++i) {
            request.allocations[i].copy_in = call_.has_input(i);
            request.allocations[i].restore = call_.has_input(i) && call_.written(i);
        }
        const auto turn = session().gpu_together();
        ask(lane, request);
    }

    /// Inputs change within their masks, and are put back where the function overwrites them;
    /// what is output only changes everywhere, so that no old answer is left.
    Request change_request(Lane& lane, std::uint64_t nonce) const {
        Request request = call_.request;
        request.steps = kMutate | kFlushL2;
        request.change = {lane.nonce, nonce};
        lane.nonce = nonce;
        for (std::size_t i = 0; i < request.allocation_count; ++i) {
            AllocationEntry& entry = request.allocations[i];
            entry.copy_in = false;
            if (call_.has_input(i)) continue;
            const Area& area = call_.areas[i];
            // In words of 8 bytes, which views need not begin at.
            const std::uint64_t begin = (area.data_begin + 7) / 8 * 8;
            entry.mutate = {begin, area.data_end - std::min(begin, area.data_end)};
            entry.mutate_mask = kAllBits;
        }
        return request;
    }

    /// What changes in an area that has input.
    const Buffer& input_of(std::size_t area) const {
        return call_.buffers[call_.areas[area].buffers.front()];
    }

    /// The same change on our side, since the last time that it was made.
    void change_data(std::uint64_t nonce) {
        const Change change{nonce_, nonce};
        nonce_ = nonce;
        for (std::size_t i = 0; i < call_.areas.size(); ++i) {
            const std::uint64_t mask = call_.request.allocations[i].mutate_mask;
            if (!call_.has_input(i) || mask == 0) continue;
            const Buffer& buffer = input_of(i);
            const std::span<std::byte> data = plan_.data[buffer.position];
            if (!buffer.pitched()) {
                mutate(data, change.of_buffer(i), mask);
                continue;
            }
            // The runners change the padding too.
            const std::span<std::byte> image(call_.areas[i].image);
            mutate(image.subspan(buffer.data_begin, buffer.data_bytes()), change.of_buffer(i),
                   mask);
            const std::vector<std::byte> changed = compact(buffer, image);
            std::copy(changed.begin(), changed.end(), data.begin());
        }
    }

    /// What the output must be after a change.
    RacePlan::OutputCheck make_check(std::uint64_t nonce) {
        change_data(nonce);
        return plan_.make_check();
    }

    /// Everybody once, checked. The baseline is shown, never judged: this is all that it does.
    void warm_up(std::span<Lane> lanes) {
        const std::uint64_t nonce = secret_();
        const RacePlan::OutputCheck check = make_check(nonce);
        for (Lane& lane : lanes) {
            Outcome outcome = timed_call(lane, nonce);
            if (&lane < &*racers().end()) {
                store(lane);
                check_output(lane, check);
                continue;
            }
            // The first call has loaded the kernel, too.
            if (Milliseconds(outcome.round_trip_ms) < kTimeACheck)
                outcome = timed_call(lane, nonce);
            record(lane, outcome);
            const auto turn = session().gpu_together();
            drop(lane);
        }
        is_check_due_ = true;  // not only calls that are known not to count
    }

    void timed_round() {
        const Clock::time_point begin = Clock::now();
        const std::uint64_t nonce = secret_();
        Milliseconds checking{0};
        for (std::size_t i = 0; i < 2; ++i) {
            Lane& lane = racers()[(i + rounds_) % 2];
            const Outcome outcome = timed_call(lane, nonce);
            record(lane, outcome);
            if (lane.ours || !is_check_due_) continue;
            const Clock::time_point done = Clock::now();
            store(lane);
            check_output(lane, make_check(nonce));
            checking = Clock::now() - done;
        }
        ++rounds_;
        // Not before the output is here: a submission's thread that works on would have the time.
        if (Clock::now() - looked_ >= kTimeALook) {
            watch_->look();
            looked_ = Clock::now();
        }
        const Milliseconds took = Clock::now() - begin - checking;
        measured_ += took;
        is_check_due_ = std::bernoulli_distribution(
            std::clamp(took / kTimeACheck, 1 / kRoundsACheck, 1.0))(secret_);
    }

    static void record(Lane& lane, const Outcome& outcome) {
        lane.times.event_ms.push_back(outcome.reply.event_ms);
        lane.times.unseen_ms.push_back(outcome.round_trip_ms - outcome.reply.event_ms);
    }

    Outcome timed_call(Lane& lane, std::uint64_t nonce) {
        const auto turn = session().gpu_alone();
        ask(lane, change_request(lane, nonce));
        Request request = call_.request;
        request.steps = kRun;
        return ask(lane, request);
    }

    void store(Lane& lane) {
        Request request = call_.request;
        request.steps = kStore;
        for (std::size_t i = 0; i < request.allocation_count; ++i) {
            request.allocations[i].copy_out = call_.written(i);
        }
        const auto turn = session().gpu_together();
        ask(lane, request);
    }

    void check_output(const Lane& lane, const RacePlan::OutputCheck& check) {
        for (const Buffer& buffer : call_.buffers) {
            if (!buffer.written()) continue;
            const std::span<const std::byte> stored =
                lane.worker->shared().bytes().subspan(call_.areas[buffer.area].offset);
            std::string why;
            const bool right =
                buffer.pitched()
                    ? check(buffer.position, compact(buffer, stored), why)
                    : check(buffer.position, stored.subspan(buffer.data_begin, buffer.data_bytes()),
                            why);
            if (right) continue;
            if (lane.ours) throw GraderFault("the " + lane.program + " is wrong: " + why);
            Failure failure;
            failure.message = why;
            failure.diagnosis =
                "It is wrong in a timed call, on data that change from call to call.";
            failure.case_text = plan_.call.case_text();
            failure.place = source_place(plan_.call.function, session().setting());
            fail_test(std::move(failure));
        }
    }

    RacePlan plan_;
    Marshalled call_;
    std::vector<Lane> lanes_;
    std::size_t rounds_ = 0;
    std::uint64_t nonce_ = 0;   ///< that our data are changed by
    Milliseconds measured_{0};  ///< the rounds of this measurement, without their checks
    Clock::time_point looked_;
    bool is_check_due_ = false;
    std::mt19937_64 secret_{std::random_device{}()};
    double threshold_ = 0;
    int starts_ = 0;
    DeviceFacts device_;
    GpuWatch* watch_ = nullptr;
    GpuSeen seen_;
    RaceTimes times_;
    RaceDecision decision_;
};

}  // namespace

std::shared_ptr<Race::Judge> race_on_time(RacePlan plan) {
    return std::make_shared<TimedJudge>(std::move(plan));
}

}  // namespace lab
