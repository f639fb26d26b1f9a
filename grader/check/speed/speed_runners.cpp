#include "check/speed/speed_runners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include "check/call/inputs.h"
#include "check/explain/explain.h"
#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/output/time_spent.h"
#include "check/session/flow.h"
#include "check/session/session.h"
#include "check/speed/changed_data.h"

namespace lab {
namespace {

// The address of small data decides which part of the L2 cache serves them, and how fast: on an
// H200 a kernel whose blocks all add to one float takes 0.475 or 0.497 ms. So small data move from
// call to call; large data lie in all parts anyhow (both sizes chosen).
constexpr std::uint64_t kSmallBytes = 128 << 10, kRoomBytes = 1 << 20;

bool is_moved(const AllocationEntry& entry) {
    return entry.memory == Memory::device && entry.bytes <= kSmallBytes;
}

/// A random place in the area, out of those that do not overlap.
template <class Random>
std::uint64_t any_place(const AllocationEntry& entry, Random& random) {
    const std::uint64_t step = (entry.bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (step == 0) return 0;
    return step * std::uniform_int_distribution<std::uint64_t>(0, kRoomBytes / step)(random);
}

}  // namespace

SpeedRunners::SpeedRunners(SpeedPlan plan, std::uint64_t nonce) : plan_(std::move(plan)) {
    add_runner("submission", {});
    add_runner("reference", options().reference);
    if (!options().baseline.empty()) add_runner("baseline", options().baseline);
    set_up(runners_, nonce);
}

SpeedRunners::~SpeedRunners() {
    const auto guard = session().gpu_together();
    for (Runner& runner : runners_) drop(runner);
}

bool SpeedRunners::start_anew(std::uint64_t nonce) {
    session().restart_with(options().reference);
    if (session().submission() == nullptr) return false;
    set_up(std::span(runners_).first(kBaseline), nonce);
    return true;
}

void SpeedRunners::add_runner(const std::string& program, const std::filesystem::path& executable) {
    Runner runner;
    runner.program = program;
    runner.ours = !executable.empty();
    runner.worker = runner.ours ? &session().own_program(executable) : session().submission();
    runners_.push_back(std::move(runner));
}

void SpeedRunners::set_up(std::span<Runner> runners, std::uint64_t nonce) {
    const TimeSpent spent("data of speed tests");
    call_ = marshal(plan_.call, false, session().next_salt());
    nonce_ = 0;
    for (Runner& runner : runners) {
        runner.nonce = 0;
        wait_for(runner);
    }
    fill_shared_memory(runners);
    for (Runner& runner : runners) load(runner);
    for (std::size_t i = 0; i < call_.areas.size(); ++i) {
        if (!input_of(i).pitched()) call_.areas[i].image = {};
    }
    for (const Who who : {kSubmission, kReference}) {
        timed_call(who, nonce);
        store(runners[who]);
    }
    const TimeSpent checking("checking timed calls");
    change_data(nonce);
    const SpeedPlan::OutputCheck check = plan_.make_check();
    for (const Who who : {kSubmission, kReference}) check_output(runners[who], check);
    if (runners.size() == kBaseline) return;
    // The first call also loads the kernel; in a long call that is little.
    constexpr double kLongMs = 50;
    baseline_call_ = timed_call(kBaseline, nonce);
    if (baseline_call_.round_trip_ms < kLongMs) baseline_call_ = timed_call(kBaseline, nonce);
    const auto guard = session().gpu_together();
    drop(runners[kBaseline]);
}

void SpeedRunners::wait_for(Runner& runner) {
    if (!runner.ours) return;
    const TimeSpent spent("starting programs");
    const Outcome outcome = runner.worker->wait_ready(session().patience());
    if (outcome.ended != Ended::replied || outcome.reply.status != Status::ok) {
        throw GraderFault("the " + runner.program + " does not start");
    }
}

/// New pages of shared memory come slowly: fills those of all runners at once.
void SpeedRunners::fill_shared_memory(std::span<Runner> runners) {
    std::vector<std::thread> threads;
    for (Runner& runner : runners) {
        threads.emplace_back(
            [this, &runner] { put_inputs(call_, runner.worker->shared().bytes()); });
    }
    for (std::thread& thread : threads) thread.join();
}

void SpeedRunners::load(Runner& runner) {
    Request request = call_.request;
    request.steps = kDrop | kLoad;
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        request.allocations[i].copy_in = call_.has_input(i);
        request.allocations[i].restore = call_.has_input(i) && call_.written(i);
        if (is_moved(request.allocations[i])) request.allocations[i].room = kRoomBytes;
    }
    const auto guard = session().gpu_together();
    ask(runner, request);
}

/// Frees the device memory of a worker, which lives on. The memory shared with it stays for the
/// next speed test, as new pages come slowly.
void SpeedRunners::drop(Runner& runner) {
    if (!runner.worker->running()) return;
    Request request;
    request.steps = kDrop;
    runner.worker->ask(request, session().patience());
}

/// Sends a request; ends the test or the grading if the answer is not in order.
Outcome SpeedRunners::ask(Runner& runner, const Request& request) {
    Outcome outcome = runner.worker->ask(request, session().patience());
    auto failure = explain(plan_.call, call_, outcome, session().setting());
    if (failure && outcome.ended == Ended::timed_out && (request.steps & kRun) != 0) {
        // It passed its tests: it is not endless, but far too slow for this size.
        failure->message = fmt::format("{}: too slow: one call did not finish within {:g} s.",
                                       plan_.call.call_text(), session().setting().limit_s);
    }
    if (!runner.ours) keep_output(outcome);
    if (failure && runner.ours) {
        throw GraderFault("the " + runner.program + " failed: " + failure->message);
    }
    if (failure) {
        if (failure->fatal) session().replace_submission();
        fail_test(*failure);
    }
    return outcome;
}

/// Inputs change within their masks, and are put back where the function overwrites them; pure
/// outputs change everywhere, so that no old answer is left. Small data move.
Request SpeedRunners::change_request(Runner& runner, std::uint64_t nonce) {
    Request request = call_.request;
    request.steps = kMutate | kFlushL2;
    request.change = {runner.nonce, nonce};
    runner.nonce = nonce;
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        AllocationEntry& entry = request.allocations[i];
        entry.copy_in = false;
        if (is_moved(entry)) entry.place = any_place(entry, places_);
        if (call_.has_input(i)) continue;
        const Area& area = call_.areas[i];
        // In words of 8 bytes, which views need not begin at.
        const std::uint64_t begin = (area.data_begin + 7) / 8 * 8;
        entry.mutate = {begin, area.data_end - std::min(begin, area.data_end)};
        entry.mutate_mask = kAllBits;
    }
    return request;
}

/// The input in an area.
const Buffer& SpeedRunners::input_of(std::size_t area) const {
    return call_.buffers[call_.areas[area].buffers.front()];
}

/// Brings our data from the last nonce to this one.
void SpeedRunners::change_data(std::uint64_t nonce) {
    lab::change_data(plan_, call_, {nonce_, nonce});
    nonce_ = nonce;
}

TimedCall SpeedRunners::timed_call(Who who, std::uint64_t nonce) {
    const TimeSpent spent("timed calls");
    Runner& runner = runners_[who];
    const auto guard = session().gpu_alone();
    ask(runner, change_request(runner, nonce));
    Request request = call_.request;
    request.steps = kRun;
    const Outcome outcome = ask(runner, request);
    const TimedCall call{outcome.reply.event_ms, outcome.round_trip_ms};
    if (runner.ours && !(std::isfinite(call.event_ms) && call.event_ms > 0))
        throw GraderFault("the " + runner.program + " could not be timed");
    return call;
}

void SpeedRunners::check(Who who) {
    const TimeSpent spent("checking timed calls");
    Runner& runner = runners_[who];
    store(runner);
    change_data(runner.nonce);
    check_output(runner, plan_.make_check());
}

void SpeedRunners::store(Runner& runner) {
    Request request = call_.request;
    request.steps = kStore;
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        request.allocations[i].copy_out = call_.written(i);
    }
    const auto guard = session().gpu_together();
    ask(runner, request);
}

void SpeedRunners::check_output(const Runner& runner, const SpeedPlan::OutputCheck& check) const {
    for (const Buffer& buffer : call_.buffers) {
        if (!buffer.written()) continue;
        const std::span<const std::byte> stored =
            runner.worker->shared().bytes().subspan(call_.areas[buffer.area].offset);
        std::string why;
        const bool right =
            buffer.pitched()
                ? check(buffer.position, compact(buffer, stored), {}, why)
                : check(buffer.position, stored.subspan(buffer.data_begin, buffer.data_bytes()), {},
                        why);
        if (right) continue;
        if (runner.ours) throw GraderFault("the " + runner.program + " is wrong: " + why);
        Failure failure;
        failure.message = why;
        failure.diagnosis = "It is wrong in a timed call, on data that change from call to call.";
        failure.case_text = plan_.call.case_text();
        failure.place = source_place(plan_.call.function, session().setting());
        fail_test(std::move(failure));
    }
}

}  // namespace lab
