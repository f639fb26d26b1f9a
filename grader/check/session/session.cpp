#include "check/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "base/files.h"
#include "check/explain/explain_lost.h"
#include "check/output/grader_fault.h"
#include "check/output/test_log.h"
#include "check/output/time_spent.h"

namespace lab {
namespace {

using std::chrono::milliseconds;

// A submission may fail to start once through no fault of its own (a machine under load).
constexpr int kMostStarts = 2;

double seconds_of(milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
}

/// Of blocks and warps, where a call is not to be right only as they run one after the other. The
/// same in each grading, so that no verdict depends on it.
constexpr std::uint64_t kOtherOrder = 1;

[[noreturn]] void device_fault(const Outcome& outcome) {
    throw GraderFault(fmt::format("the CUDA runtime does not start: {} ({})",
                                  outcome.reply.setup_error.name.data(),
                                  outcome.reply.setup_error.text.data()));
}

/// Whether a wait that the function forgets could show: it has streams to order, or leaves results
/// that must be there when it returns.
bool may_lack_a_wait(const Marshalled& call) {
    const auto& arguments = call.request.arguments;
    const auto is_stream = [](const ArgumentEntry& a) { return a.kind == ArgumentKind::stream; };
    return std::any_of(arguments.begin(), arguments.begin() + call.request.argument_count,
                       is_stream) ||
           std::ranges::any_of(call.buffers, [](const Buffer& buffer) {
               return buffer.written() &&
                      (buffer.parameter.space != Space::device || buffer.parameter.at_return);
           });
}

}  // namespace

Session::Session(const CheckerOptions& options)
    : options_(options),
      gpu_lock_(options.on_vgpu() ? "" : options.gpu_lock),
      submission_(std::make_unique<Worker>(worker_spec(options.submission))),
      salt_(options.seed << 20) {
    if (!options.steps.empty()) stepped_call_.emplace();
    if (!options.profile.empty()) profiled_calls_.emplace();
}

Session::~Session() {
    stop();
}

void Session::stop() {
    const TimeSpent spent("ending programs");
    const auto guard = gpu_together();
    // The driver clears up for a process before it ends.
    std::vector<std::future<void>> stops;
    const auto stop = [&](Worker& worker) {
        stops.push_back(std::async(std::launch::async, [&worker] { worker.stop(); }));
    };
    stop(*submission_);
    stops.push_back(std::async(std::launch::async, [this] { decoy_calls_.stop(); }));
    for (const auto& [runner, worker] : own_programs_) stop(*worker);
    for (const auto& [tool, worker] : sanitized_) {
        if (worker) stop(*worker);
    }
}

WorkerSpec Session::worker_spec(const std::filesystem::path& runner) const {
    WorkerSpec spec{runner, options_.on_vgpu() ? options_.vgpu_device : "",
                    options_.vgpu_warp_instructions};
    spec.profiles = !options_.profile.empty();
    return spec;
}

void Session::begin() {
    begin_starts();
    submission_->start();
    for (const auto& runner : {options_.reference, options_.baseline}) {
        // On the virtual GPU starting is cheap, and the baseline is not run.
        if (!options_.on_vgpu() && !runner.empty()) own_program(runner);
    }
    if (options_.on_vgpu() || options_.sanitizer.empty()) return;
    for (const char* tool : kSanitizerTools) {
        WorkerSpec spec = worker_spec(options_.submission);
        spec.sanitizer = options_.sanitizer;
        spec.sanitizer_tool = tool;
        sanitized_[tool] = std::make_unique<Worker>(std::move(spec));
        sanitized_[tool]->start();
    }
}

std::vector<SanitizerFinding> Session::sanitize(const Marshalled& call) {
    if (sanitized_.empty()) return {};
    const TimeSpent spent("compute-sanitizer");
    const auto guard = gpu_together();
    // Each tool takes a second or two to start and to look; they do not mind each other.
    std::vector<std::future<std::vector<SanitizerFinding>>> tools;
    for (auto& [tool, worker] : sanitized_) {
        if (!worker || time_is_up()) continue;
        tools.push_back(std::async(std::launch::async,
                                   [this, &call, &one = worker] { return sanitize(one, call); }));
    }
    std::vector<SanitizerFinding> all;
    for (auto& tool : tools) {
        const auto found = tool.get();
        all.insert(all.end(), found.begin(), found.end());
    }
    tools_are_ready_ = true;
    end_starts();
    return all;
}

std::vector<SanitizerFinding> Session::sanitize(std::unique_ptr<Worker>& worker,
                                                const Marshalled& call) {
    if (!worker->running()) worker->start();
    Outcome outcome = worker->wait_ready(patience());
    const bool is_ready = outcome.ended == Ended::replied && outcome.reply.status == Status::ok;
    if (is_ready) {
        put(call, worker->shared().bytes());
        Request request = call.request;
        // Without poison: under a tool its kernels would take longer than the call.
        request.steps = kDrop | kLoad | kRun | kStore;
        outcome = worker->ask(request, patience());
    }
    auto found = parse_sanitizer(outcome.output);
    // A tool that stops the program at a finding has done its work; one that does not start, or
    // takes too long, is not asked again.
    const bool has_worked = outcome.ended == Ended::replied || !found.empty();
    if (!is_ready || !has_worked) worker.reset();
    return found;
}

std::string Session::unchecked() const {
    if (options_.on_vgpu()) return "";
    const std::map<std::string, std::string> what{
        {"memcheck", "accesses outside arrays other than those of the call"},
        {"racecheck", "races"},
        {"initcheck", "memory read before it was written"},
        {"synccheck", "barriers"}};
    std::string missing;
    for (const char* tool : kSanitizerTools) {
        const auto found = sanitized_.find(tool);
        if (found != sanitized_.end() && found->second) continue;
        missing += (missing.empty() ? "" : ", ") + what.at(tool);
    }
    if (missing.empty()) return "";
    return missing + ": not checked, " +
           (options_.sanitizer.empty() ? "compute-sanitizer is not installed"
                                       : "compute-sanitizer does not work here") +
           ". The virtual GPU checks them all (--device vgpu).";
}

Worker* Session::submission() {
    const TimeSpent spent("starting programs");
    for (int start = 1; over_reason_.empty(); ++start) {
        if (time_is_up()) {
            end("time limit",
                fmt::format("The grading took longer than {:g} s in all; what was not run by then "
                            "gives no points.",
                            seconds_of(options_.total_limit)));
            break;
        }
        if (!submission_->running()) {
            begin_starts();
            calls_in_process_ = 0;
            submission_->start();
        }
        const milliseconds limit = patience();
        const Outcome outcome = submission_->wait_ready(limit);
        if (outcome.ended == Ended::replied) {
            if (outcome.reply.status != Status::ok) device_fault(outcome);
            if (sanitized_.empty() || tools_are_ready_) end_starts();
            return submission_.get();
        }
        if (outcome.ended == Ended::device_died) {
            throw GraderFault("the virtual GPU's process ended while the submission started");
        }
        if (start == kMostStarts) {
            const std::string why = explain_no_start(outcome, seconds_of(limit));
            end("submission does not start", "The submission did not start, twice: " + why,
                flags_of(outcome, why));
        }
    }
    return nullptr;
}

void Session::limit_launches_of(const std::string& function) {
    if (!options_.on_vgpu()) return;
    limit_launches(endless_.limit(function, options_.vgpu_warp_instructions));
}

void Session::limit_launches_as_usual() {
    limit_launches(options_.vgpu_warp_instructions);
}

void Session::limit_launches(std::uint64_t warp_instructions) {
    if (submission_->limit_launches(warp_instructions)) calls_in_process_ = 0;
}

void Session::replace_submission() {
    submission_->stop();
    calls_in_process_ = 0;
    // On a GPU it waits for submission(): starting takes a turn, and the lost call's is not over.
    if (options_.on_vgpu() && !time_is_up()) submission_->start();
}

Worker& Session::own_program(const std::filesystem::path& runner) {
    std::unique_ptr<Worker>& worker = own_programs_[runner];
    if (!worker) {
        worker = std::make_unique<Worker>(worker_spec(runner));
        worker->start();
    }
    return *worker;
}

void Session::restart_with(const std::filesystem::path& runner) {
    begin_starts();
    calls_in_process_ = 0;
    for (Worker* worker : {submission_.get(), &own_program(runner)}) {
        worker->stop();
        worker->start();
    }
}

Outcome Session::run(const Marshalled& call, bool for_speed) {
    const TimeSpent spent(for_speed ? "calls of speed tests" : "calls of tests");
    Worker& worker = *submission_;
    ++calls_in_process_;
    put(call, worker.shared().bytes());
    Request request = call.request;
    request.steps = kDrop | kLoad | kPoison | kRun | kAccount | kStore;
    // Speed tests without a GPU read the operations of this call.
    if (may_lack_a_wait(call) && !(for_speed && options_.on_vgpu())) request.steps |= kBusy;
    request.nonce = next_salt();
    worker.order(test_log().repetition == 2 ? kOtherOrder : 0);
    worker.record_writers(test_log().wants_writers);
    // Alone too: another's kernels would leave their own in the shared memory that was poisoned.
    const auto guard = starting_ ? gpu_together() : gpu_alone();
    Outcome outcome = worker.ask(request, patience());
    outcome.records.operations = operations_of(request, std::move(outcome.records.operations));
    memory_after_call_ = outcome.records.memory_bytes;
    return outcome;
}

void Session::begin_starts() {
    if (!options_.on_vgpu() && !starting_) starting_.emplace(gpu_together());
}

void Session::end_starts() {
    if (!starting_) return;
    const TimeSpent spent("starting programs");
    const auto wait_for = [this](const std::unique_ptr<Worker>& worker) {
        // Whoever needs one that does not start reports it.
        if (worker && worker->running()) worker->wait_ready(patience());
    };
    wait_for(submission_);
    for (const auto& [runner, worker] : own_programs_) wait_for(worker);
    for (const auto& [tool, worker] : sanitized_) wait_for(worker);
    starting_.reset();
}

GpuLock::Guard Session::gpu_together() {
    return wait_for(&GpuLock::together);
}

GpuLock::Guard Session::gpu_alone() {
    end_starts();
    return wait_for(&GpuLock::alone);
}

GpuLock::Guard Session::wait_for(GpuLock::Guard (GpuLock::*take)()) {
    const TimeSpent spent("waiting for other gradings");
    const auto begin = std::chrono::steady_clock::now();
    auto taken = (gpu_lock_.*take)();
    begin_ += std::chrono::steady_clock::now() - begin;
    return taken;
}

milliseconds Session::spent() const {
    const auto wall =
        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin_);
    milliseconds waited = submission_->waited_for_core();
    for (const auto& [runner, worker] : own_programs_) waited += worker->waited_for_core();
    return std::max(wall - waited, wall / kMostTimesAsLong);
}

milliseconds Session::patience() const {
    return std::clamp(options_.total_limit - spent(), milliseconds(1), options_.call_limit);
}

bool Session::time_is_up() const {
    return spent() >= options_.total_limit;
}

double Session::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Session::end(std::string reason, std::string message, Flags flags) {
    over_flags_ = std::move(flags);
    over_reason_ = std::move(reason);
    over_message_ = std::move(message);
    submission_->stop();
}

CallSetting Session::setting() const {
    return {options_.on_vgpu(),           seconds_of(options_.call_limit),
            options_.source.name,         options_.source.file.string(),
            options_.submission.string(), options_.source_text.string()};
}

const WrittenLaunches& Session::written_launches() {
    if (!written_launches_)
        written_launches_.emplace(read_file_if_there(setting().readable_source()).value_or(""));
    return *written_launches_;
}

Session& session() {
    static Session the_session(options());
    return the_session;
}

}  // namespace lab
