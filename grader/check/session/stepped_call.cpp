#include "check/session/stepped_call.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "check/explain/call_names.h"
#include "check/session/session.h"
#include "protocol/extent.h"
#include "vgpu/record.h"

namespace lab {
namespace {

using nlohmann::ordered_json;

/// What is easily seen at a glance, and has more warps than one (chosen).
constexpr double kLikelyThreads = 128;

/// The elements of a row where the extent is a product: its last factor; else 0.
std::int64_t columns_of(const Parameter& parameter, const NamedIntegers& values) {
    const std::string_view extent = parameter.extent == nullptr ? "" : parameter.extent;
    const std::size_t product = extent.rfind('*');
    if (product == std::string_view::npos || extent.find('(') != std::string_view::npos) return 0;
    return evaluate_extent(extent.substr(product + 1), values);
}

ordered_json arrays_of(const CallPlan& plan, const Marshalled& call) {
    NamedIntegers values;
    for (const PlannedArgument& argument : plan.arguments)
        if (argument.is_integer) values.emplace_back(argument.parameter.name, argument.integer);
    ordered_json arrays = ordered_json::object();
    for (const Buffer& buffer : call.buffers) {
        arrays[buffer.parameter.name] = {{"columns", columns_of(buffer.parameter, values)},
                                         {"bytes", buffer.element.size_bytes},
                                         {"is_float", buffer.element.floating}};
    }
    return arrays;
}

double threads_of(const std::vector<LaunchRecord>& launches) {
    double threads = 0;
    for (const LaunchRecord& launch : launches) {
        const auto size = [](const auto& dimensions) {
            return std::accumulate(dimensions.begin(), dimensions.end(), 1.0,
                                   [](double a, double b) { return a * b; });
        };
        threads = std::max(threads, size(launch.grid) * size(launch.block));
    }
    return threads;
}

/// What the reader calls the allocations and files of a recording.
void add_names(ordered_json& run, const vgpu::Recording& recording, const CallNames& names) {
    run["names"] = run["files"] = ordered_json::object();
    for (const vgpu::Allocation& allocation : recording.allocations)
        run["names"][allocation.name] = names.allocation(allocation);
    for (const vgpu::SourceLine& line : recording.lines)
        run["files"][line.file] = names.file(line.file);
    run["findings"] = ordered_json::array();
    for (const vgpu::RecordedFinding& found : recording.findings)
        run["findings"].push_back(vgpu::describe(found.finding, names));
}

void add_runs(ordered_json& runs, bool is_reference, const Outcome& outcome,
              const CallNames& names) {
    std::uint64_t first = 0;
    for (const RecordedLaunch& launch : outcome.records.recordings) {
        if (first == 0) first = launch.launch;
        ordered_json run{{"is_reference", is_reference}, {"launch", launch.launch - first + 1}};
        run["recording"] = vgpu::record_of(launch.recording);
        add_names(run, launch.recording, names);
        runs.push_back(std::move(run));
    }
}

/// The call, as the tests make it: of two repetitions the second needs the first before it.
Outcome record_submission(const Marshalled& call, int repetition) {
    session().replace_submission();
    Worker* worker = session().submission();
    if (worker == nullptr) return {};
    if (repetition == 2) {
        const RepetitionScope scope(1);
        if (!came_back(session().run(call))) session().replace_submission();
        worker = session().submission();
        if (worker == nullptr) return {};
    }
    worker->record_steps(true);
    const RepetitionScope scope(repetition);
    return session().run(call);
}

Outcome record_reference(const Marshalled& call) {
    Worker& worker = session().own_program(session().reference());
    if (worker.wait_ready(session().patience()).ended != Ended::replied) return {};
    worker.record_steps(true);
    put(call, worker.shared().bytes());
    Request request = call.request;
    request.steps = kDrop | kLoad | kPoison | kRun | kStore;
    return worker.ask(request, session().patience());
}

}  // namespace

void SteppedCall::offer(const CallPlan& plan, std::shared_ptr<const Marshalled> call,
                        const Outcome& outcome) {
    Candidate candidate;
    candidate.test = test_log().name;
    candidate.function = plan.function;
    candidate.call_text = plan.call_text();
    candidate.arrays = arrays_of(plan, *call);
    candidate.repetition = test_log().repetition;
    for (const Buffer& buffer : call->buffers) candidate.data_bytes += buffer.data_bytes();
    candidate.has_kernel = !outcome.records.launches.empty() || outcome.device_busy;
    const double threads = threads_of(outcome.records.launches);
    candidate.distance = threads == 0 ? std::numeric_limits<double>::infinity()
                                      : std::abs(std::log2(threads / kLikelyThreads));
    candidate.call = std::move(call);
    latest_ = std::make_shared<const Candidate>(std::move(candidate));
    const bool is_better =
        !right_ || latest_->distance < right_->distance ||
        (latest_->distance == right_->distance && latest_->data_bytes > right_->data_bytes);
    if (is_better) right_ = latest_;
}

void SteppedCall::failed(const Failure& failure) {
    if (!latest_ || latest_->test != test_log().name) return;
    const bool is_first = !failed_ || (!failed_->has_kernel && latest_->has_kernel);
    const bool is_smaller = failed_ && failed_->has_kernel == latest_->has_kernel &&
                            failed_->test == latest_->test &&
                            latest_->data_bytes < failed_->data_bytes;
    if (!is_first && !is_smaller) return;
    auto chosen = std::make_shared<Candidate>(*latest_);
    chosen->message = without_call(failure);
    chosen->diagnosis = failure.diagnosis;
    chosen->values = failure.values;
    failed_ = std::move(chosen);
}

ordered_json SteppedCall::record() const {
    const std::shared_ptr<const Candidate> chosen = failed_ ? failed_ : right_;
    if (!chosen) return ordered_json::object();
    ordered_json record{{"test", chosen->test},           {"call", chosen->call_text},
                        {"failed", failed_ != nullptr},   {"message", chosen->message},
                        {"diagnosis", chosen->diagnosis}, {"values", chosen->values},
                        {"arrays", chosen->arrays},       {"runs", ordered_json::array()}};
    const CallPlan plan{chosen->function, {}};
    const CallSetting setting = session().setting();
    const auto add = [&](bool is_reference, const Outcome& outcome) {
        add_runs(record["runs"], is_reference, outcome,
                 CallNames(plan, *chosen->call, outcome, setting));
    };
    add(false, record_submission(*chosen->call, chosen->repetition));
    if (!session().reference().empty()) add(true, record_reference(*chosen->call));
    return record;
}

}  // namespace lab
