#include "check/speed/versions.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <numeric>

#include "check/call/marshal.h"
#include "check/explain/explain.h"
#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/session/call_submission.h"
#include "check/session/flow.h"
#include "check/session/session.h"
#include "check/speed/interval.h"

namespace lab {
namespace {

// Of the calls on a GPU: the first is not counted, and long ones are made less often (chosen: a
// plot needs no confidence interval, and the student is waiting).
constexpr std::size_t kMostCalls = 31, kFewestCalls = 3;
constexpr double kEnoughMs = 200;

class Timing {
public:
    Timing(const Version& version, const CallPlan& plan, Worker& worker)
        : version_(version),
          plan_(plan),
          worker_(worker),
          call_(marshal(plan, on_vgpu(), session().next_salt())) {
        put(call_, worker_.shared().bytes());
    }
    ~Timing() {
        // The worker lives on: gives back its device memory and ours.
        if (!worker_.running()) return;
        Request request;
        request.steps = kDrop;
        worker_.ask(request, session().patience());
        worker_.shared().forget_buffers();
    }
    Timing(const Timing&) = delete;
    Timing& operator=(const Timing&) = delete;

    /// Of the last call, on the virtual GPU.
    const std::vector<LaunchRecord>& launches() const { return launches_; }

    /// Nothing when the student's version failed, which is then reported.
    std::optional<double> median_ms() {
        std::vector<double> times_ms;
        for (bool first = true; !enough(times_ms); first = false) {
            const std::optional<double> time_ms = once(first);
            if (!time_ms) return std::nullopt;
            // A first call on a GPU loads the code.
            if (!first || on_vgpu()) times_ms.push_back(*time_ms);
        }
        if (!on_vgpu()) test_log().call_times_ms = times_ms;
        return median(times_ms);
    }

private:
    static bool enough(const std::vector<double>& times_ms) {
        if (on_vgpu()) return !times_ms.empty();  // a second call would give the same
        const double sum_ms = std::accumulate(times_ms.begin(), times_ms.end(), 0.0);
        return times_ms.size() >= kMostCalls ||
               (times_ms.size() >= kFewestCalls && sum_ms >= kEnoughMs);
    }

    std::optional<double> once(bool first) {
        Request request = call_.request;
        request.steps = (first ? kDrop | kLoad : kMutate) | kFlushL2 | kRun;
        for (std::size_t i = 0; i < request.allocation_count; ++i) {
            // Input that a call overwrites is put back before the next one (kMutate does).
            request.allocations[i].restore = call_.has_input(i) && call_.written(i);
            request.allocations[i].mutate_mask = 0;
        }
        const auto guard = session().gpu_alone();
        const Outcome outcome = worker_.ask(request, session().patience());
        launches_ = outcome.records.launches;
        auto failure = explain(plan_, call_, outcome, session().setting());
        if (!failure) return outcome.reply.event_ms;
        if (!version_.is_student())
            throw GraderFault("the version \"" + version_.name() +
                              "\" failed: " + failure->message);
        keep_output(outcome);
        if (failure->fatal) session().replace_submission();
        const std::string message = failure->message;
        test_log().offer(std::move(*failure));
        FAIL_CHECK(message);
        return std::nullopt;
    }

    const Version& version_;
    const CallPlan& plan_;
    Worker& worker_;
    Marshalled call_;
    std::vector<LaunchRecord> launches_;
};

void add(std::vector<Version>& all, const char* name, const std::filesystem::path& runner) {
    if (!runner.empty()) all.emplace_back(name, runner);
}

}  // namespace

std::vector<Version> versions() {
    std::vector<Version> all = {{"student", ""}};
    add(all, "baseline", options().baseline);
    add(all, "reference", options().reference);
    add(all, "expert", options().expert);
    return all;
}

std::vector<Version> other_versions() {
    std::vector<Version> all;
    for (const auto& [name, runner] : options().others) all.emplace_back(name, runner);
    return all;
}

namespace {

/// NaN and no launches when the student's version failed.
struct Timed {
    double ms = std::numeric_limits<double>::quiet_NaN();
    std::vector<LaunchRecord> launches;
};

Timed timed(const Version& version, const CallPlan& plan) {
    const auto run = [&](Worker& worker) -> Timed {
        Timing timing(version, plan, worker);
        const std::optional<double> ms = timing.median_ms();
        if (!ms) return {};
        return {*ms, timing.launches()};
    };
    if (!version.is_student()) {
        Worker& worker = session().own_program(version.runner());
        const Outcome ready = worker.wait_ready(session().patience());
        if (ready.ended != Ended::replied || ready.reply.status != Status::ok)
            throw GraderFault("the version \"" + version.name() + "\" does not start");
        return run(worker);
    }
    if (!test_log().blocked.empty()) return {};  // lost in an earlier call, and reported there
    skip_if_blocked();
    test_log().latest_case = plan.case_text();
    return run(*session().submission());
}

}  // namespace

double time_call_ms(const Version& version, const CallPlan& plan) {
    return timed(version, plan).ms;
}

std::vector<LaunchRecord> count_call(const Version& version, const CallPlan& plan) {
    return timed(version, plan).launches;
}

}  // namespace lab
