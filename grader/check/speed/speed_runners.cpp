#include "check/speed/speed_runners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "check/call/inputs.h"
#include "check/explain/explain.h"
#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/session/flow.h"
#include "check/session/session.h"
#include "protocol/mutate.h"
#include "protocol/parallel.h"

namespace lab {
namespace {

// Where a few bytes are decides which part of the L2 cache serves them, and how fast: on an H200 a
// kernel whose blocks all add to one float takes 0.475 or 0.497 ms, by its address. So what is
// small is elsewhere in each call; large data are in all parts anyhow (both sizes chosen).
constexpr std::uint64_t kSmallBytes = 128 << 10, kRoomBytes = 1 << 20;

bool is_moved(const AllocationEntry& entry) {
    return entry.memory == Memory::device && entry.bytes <= kSmallBytes;
}

/// One of the places in the room that do not overlap.
template <class Random>
std::uint64_t any_place(const AllocationEntry& entry, Random& random) {
    const std::uint64_t step = (entry.bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (step == 0) return 0;
    return step * std::uniform_int_distribution<std::uint64_t>(0, kRoomBytes / step)(random);
}

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

}  // namespace

RaceLanes::RaceLanes(RacePlan plan, std::uint64_t nonce) : plan_(std::move(plan)) {
    add_lane("submission", {});
    add_lane("reference", options().reference);
    if (!options().baseline.empty()) add_lane("baseline", options().baseline);
    set_up(lanes_, nonce);
}

RaceLanes::~RaceLanes() {
    const auto turn = session().gpu_together();
    for (Lane& lane : lanes_) drop(lane);
}

bool RaceLanes::start_anew(std::uint64_t nonce) {
    session().restart_with(options().reference);
    if (session().submission() == nullptr) return false;
    set_up(std::span(lanes_).first(kBaseline), nonce);
    return true;
}

void RaceLanes::add_lane(const std::string& program, const std::filesystem::path& runner) {
    Lane lane;
    lane.program = program;
    lane.ours = !runner.empty();
    lane.worker = lane.ours ? &session().own_program(runner) : session().submission();
    lanes_.push_back(std::move(lane));
}

void RaceLanes::set_up(std::span<Lane> lanes, std::uint64_t nonce) {
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
    for (const Who who : {kSubmission, kReference}) {
        timed_call(who, nonce);
        store(lanes[who]);
    }
    change_data(nonce);
    const RacePlan::OutputCheck check = plan_.make_check();
    for (const Who who : {kSubmission, kReference}) check_output(lanes[who], check);
    if (lanes.size() == kBaseline) return;
    // The first call loads the kernel, too; of one that takes long, that is little.
    constexpr double kLongMs = 50;
    baseline_call_ = timed_call(kBaseline, nonce);
    if (baseline_call_.round_trip_ms < kLongMs) baseline_call_ = timed_call(kBaseline, nonce);
    const auto turn = session().gpu_together();
    drop(lanes[kBaseline]);
}

void RaceLanes::wait_for(Lane& lane) {
    if (!lane.ours) return;
    const Outcome outcome = lane.worker->wait_ready(session().patience());
    if (outcome.ended != Ended::replied || outcome.reply.status != Status::ok) {
        throw GraderFault("the " + lane.program + " does not start");
    }
}

/// New pages of shared memory are slow to come by: all lanes at once.
void RaceLanes::fill_shared_memory(std::span<Lane> lanes) {
    std::vector<std::thread> threads;
    for (Lane& lane : lanes) {
        threads.emplace_back([this, &lane] { put_inputs(call_, lane.worker->shared().bytes()); });
    }
    for (std::thread& thread : threads) thread.join();
}

void RaceLanes::load(Lane& lane) {
    Request request = call_.request;
    request.steps = kDrop | kLoad;
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        request.allocations[i].copy_in = call_.has_input(i);
        request.allocations[i].restore = call_.has_input(i) && call_.written(i);
        if (is_moved(request.allocations[i])) request.allocations[i].room = kRoomBytes;
    }
    const auto turn = session().gpu_together();
    ask(lane, request);
}

/// The worker lives on: it gives back its device memory. What we share with it is kept for the
/// next race, as new pages are slow to come by.
void RaceLanes::drop(Lane& lane) {
    if (!lane.worker->running()) return;
    Request request;
    request.steps = kDrop;
    lane.worker->ask(request, session().patience());
}

/// Asks, and ends the test or the grading when the answer is not in order.
Outcome RaceLanes::ask(Lane& lane, const Request& request) {
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

/// Inputs change within their masks, and are put back where the function overwrites them;
/// what is output only changes everywhere, so that no old answer is left. What is small moves.
Request RaceLanes::change_request(Lane& lane, std::uint64_t nonce) {
    Request request = call_.request;
    request.steps = kMutate | kFlushL2;
    request.change = {lane.nonce, nonce};
    lane.nonce = nonce;
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

/// What changes in an area that has input.
const Buffer& RaceLanes::input_of(std::size_t area) const {
    return call_.buffers[call_.areas[area].buffers.front()];
}

/// The same change on our side, since the last time that it was made.
void RaceLanes::change_data(std::uint64_t nonce) {
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
        mutate(image.subspan(buffer.data_begin, buffer.data_bytes()), change.of_buffer(i), mask);
        const std::vector<std::byte> changed = compact(buffer, image);
        std::copy(changed.begin(), changed.end(), data.begin());
    }
}

RaceCall RaceLanes::timed_call(Who who, std::uint64_t nonce) {
    Lane& lane = lanes_[who];
    const auto turn = session().gpu_alone();
    ask(lane, change_request(lane, nonce));
    Request request = call_.request;
    request.steps = kRun;
    const Outcome outcome = ask(lane, request);
    return {outcome.reply.event_ms, outcome.round_trip_ms};
}

void RaceLanes::check(Who who) {
    Lane& lane = lanes_[who];
    store(lane);
    change_data(lane.nonce);
    check_output(lane, plan_.make_check());
}

void RaceLanes::store(Lane& lane) {
    Request request = call_.request;
    request.steps = kStore;
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        request.allocations[i].copy_out = call_.written(i);
    }
    const auto turn = session().gpu_together();
    ask(lane, request);
}

void RaceLanes::check_output(const Lane& lane, const RacePlan::OutputCheck& check) const {
    for (const Buffer& buffer : call_.buffers) {
        if (!buffer.written()) continue;
        const std::span<const std::byte> stored =
            lane.worker->shared().bytes().subspan(call_.areas[buffer.area].offset);
        std::string why;
        const bool right =
            buffer.pitched()
                ? check(buffer.position, compact(buffer, stored), {}, why)
                : check(buffer.position, stored.subspan(buffer.data_begin, buffer.data_bytes()), {},
                        why);
        if (right) continue;
        if (lane.ours) throw GraderFault("the " + lane.program + " is wrong: " + why);
        Failure failure;
        failure.message = why;
        failure.diagnosis = "It is wrong in a timed call, on data that change from call to call.";
        failure.case_text = plan_.call.case_text();
        failure.place = source_place(plan_.call.function, session().setting());
        fail_test(std::move(failure));
    }
}

}  // namespace lab
