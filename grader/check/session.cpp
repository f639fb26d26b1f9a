#include "check/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/explain_lost.h"
#include "check/grader_fault.h"

namespace lab {
namespace {

using std::chrono::milliseconds;

// A submission may fail to start once through no fault of its own (a machine under load).
constexpr int kStarts = 2;

double seconds_of(milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
}

[[noreturn]] void device_fault(const Outcome& outcome) {
    throw GraderFault(fmt::format("the CUDA runtime does not start: {} ({})",
                                  outcome.reply.setup_error.name.data(),
                                  outcome.reply.setup_error.text.data()));
}

}  // namespace

Session::Session(const Options& options)
    : options_(options),
      submission_(std::make_unique<Worker>(worker_spec(options.submission))),
      salt_(options.seed << 20) {}

WorkerSpec Session::worker_spec(const std::filesystem::path& runner) const {
    return {runner, options_.vgpu ? options_.vgpu_device : "", options_.vgpu_warp_instructions};
}

void Session::begin() {
    submission_->start();
    for (const auto& runner : {options_.reference, options_.baseline}) {
        // On the virtual GPU starting is cheap, and the baseline is not run.
        if (!options_.vgpu && !runner.empty()) own_program(runner);
    }
}

Worker* Session::submission() {
    for (int start = 1; over_reason_.empty(); ++start) {
        if (time_is_up()) {
            end("time limit",
                fmt::format("The grading took longer than {:g} s in all; what was not run by then "
                            "gives no points.",
                            seconds_of(options_.total_limit)));
            break;
        }
        if (!submission_->running()) submission_->start();
        const milliseconds limit = patience();
        const Outcome outcome = submission_->wait_ready(limit);
        if (outcome.ended == Ended::replied) {
            if (outcome.reply.status != Status::ok) device_fault(outcome);
            return submission_.get();
        }
        if (outcome.ended == Ended::device_died) {
            throw GraderFault("the virtual GPU's process ended while the submission started");
        }
        if (start == kStarts) {
            end("submission does not start", "The submission did not start, twice: " +
                                                 explain_no_start(outcome, seconds_of(limit)));
        }
    }
    return nullptr;
}

void Session::replace_submission() {
    submission_->stop();
    if (!time_is_up()) submission_->start();
}

Worker& Session::own_program(const std::filesystem::path& runner) {
    std::unique_ptr<Worker>& worker = own_programs_[runner];
    if (!worker) {
        worker = std::make_unique<Worker>(worker_spec(runner));
        worker->start();
    }
    return *worker;
}

Outcome Session::run(const Marshalled& call) {
    Worker& worker = *submission_;
    put(call, worker.shared().bytes());
    Request request = call.request;
    request.steps = kDrop | kLoad | kPoison | kRun | kAccount | kStore;
    Outcome outcome = worker.ask(request, patience());
    outcome.records.operations = operations_of(request, std::move(outcome.records.operations));
    return outcome;
}

milliseconds Session::patience() const {
    const auto spent =
        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin_);
    const milliseconds left = options_.total_limit - spent;
    return std::clamp(left, milliseconds(1), options_.call_limit);
}

bool Session::time_is_up() const {
    return std::chrono::steady_clock::now() - begin_ >= options_.total_limit;
}

double Session::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Session::end(std::string reason, std::string message) {
    over_reason_ = std::move(reason);
    over_message_ = std::move(message);
    submission_->stop();
}

CallSetting Session::setting() const {
    return {options_.vgpu, seconds_of(options_.call_limit), options_.display_source,
            options_.real_source};
}

Session& session() {
    static Session the_session(options());
    return the_session;
}

}  // namespace lab
