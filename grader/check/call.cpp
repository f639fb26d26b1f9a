// From a grader's call to the runner's and back, with every outcome that is not a value turned into
// the end of the test.
#include "check/call.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "check/explain.h"
#include "check/flow.h"
#include "check/marshal.h"
#include "check/session.h"
#include "check/show_element.h"
#include "check/submission.h"
#include "check/test_log.h"

namespace lab {
namespace {

/// Copies what the runner left: it may be writing still, and is not to be read twice.
std::vector<std::vector<std::byte>> snapshot(const Marshalled& call,
                                             std::span<const std::byte> shared) {
    std::vector<std::vector<std::byte>> after;
    for (const Area& area : call.areas) {
        const auto bytes = shared.subspan(area.offset, area.image.size());
        after.emplace_back(bytes.begin(), bytes.end());
    }
    return after;
}

const Buffer* buffer_named(const Marshalled& call, const std::string& name) {
    const auto found = std::ranges::find_if(
        call.buffers, [&](const Buffer& buffer) { return buffer.parameter.name == name; });
    return found == call.buffers.end() ? nullptr : &*found;
}

std::vector<std::byte> before_call(const Marshalled& call, const std::string& name) {
    const Buffer* buffer = buffer_named(call, name);
    if (buffer == nullptr) return {};
    return compact(*buffer, call.areas[buffer->area].image);
}

/// Its outputs were copied back.
bool came_back(const Outcome& outcome) {
    return outcome.ended == Ended::replied && outcome.reply.status == Status::ok &&
           outcome.reply.sync_error.code == 0;
}

std::optional<std::vector<std::byte>> call_again(const Marshalled& call, const std::string& name) {
    const Buffer* buffer = buffer_named(call, name);
    if (buffer == nullptr || session().submission() == nullptr) return std::nullopt;
    const Outcome outcome = session().run(call);
    if (!came_back(outcome)) {
        session().replace_submission();
        return std::nullopt;
    }
    const Area& area = call.areas[buffer->area];
    const auto bytes = session().submission()->shared().bytes();
    return compact(*buffer, bytes.subspan(area.offset, area.image.size()));
}

/// Ends the test. But a picture shows what came back, all the more when something was wrong.
void fail_or_show(Failure failure, bool there_are_outputs) {
    if (!test_log().is_picture || !there_are_outputs) fail_test(std::move(failure));
    const std::string message = failure.message;
    test_log().offer(std::move(failure));
    FAIL_CHECK(message);
}

}  // namespace

std::string CallPlan::case_text() const {
    std::string text;
    for (const PlannedArgument& argument : arguments) {
        if (argument.text.empty()) continue;
        if (!text.empty()) text += ", ";
        text += std::string(argument.parameter.name) + " = " + argument.text;
    }
    return text;
}

std::string CallPlan::call_text() const {
    return function + "(" + case_text() + ")";
}

std::string detail::text_of(float value) {
    return show_float(value);
}

std::string detail::text_of(double value) {
    return show_float(value);
}

std::string detail::view_text(const Parameter& parameter, std::int64_t offset) {
    const std::string base = parameter.base == nullptr ? "?" : parameter.base;
    if (offset == 0) return base;
    return base + (offset > 0 ? " + " : " - ") + std::to_string(std::abs(offset));
}

CallResult call_submission(const CallPlan& plan) {
    skip_if_blocked();
    test_log().latest_case = plan.case_text();
    const bool vgpu = session().setting().vgpu;
    const auto kept =
        std::make_shared<const Marshalled>(marshal(plan, vgpu, session().next_salt()));
    const Marshalled& call = *kept;
    Outcome outcome = session().run(call);
    keep_output(outcome);

    if (auto failure = explain(plan, call, outcome, session().setting())) {
        if (failure->fatal) session().replace_submission();
        fail_or_show(std::move(*failure), came_back(outcome));
    }
    const auto after = snapshot(call, session().submission()->shared().bytes());
    if (const auto violation = check_memory(call, after, plan.call_text())) {
        Failure failure;
        failure.message = violation->message;
        failure.diagnosis = violation->diagnosis;
        failure.case_text = plan.case_text();
        failure.place = source_place(plan.function, session().setting());
        fail_or_show(std::move(failure), true);
    }

    CallResult result;
    const CallSetting setting = session().setting();
    result.facts = std::make_shared<const CallFacts>(
        CallFacts{plan.call_text(), plan.case_text(), std::move(outcome.records.launches),
                  source_place(plan.function, setting),
                  [kept](const std::string& name) { return before_call(*kept, name); },
                  [kept](const std::string& name) { return call_again(*kept, name); },
                  std::move(outcome.records.operations)});
    result.arguments.resize(plan.arguments.size());
    for (const Buffer& buffer : call.buffers) {
        result.arguments[buffer.position] =
            collect(buffer, call.areas[buffer.area].image, after[buffer.area]);
    }
    result.returned = outcome.reply.returned;
    result.leaked_bytes = static_cast<std::int64_t>(outcome.reply.memory_after) -
                          static_cast<std::int64_t>(outcome.reply.memory_before);
    return result;
}

RepetitionScope::RepetitionScope(int repetition) {
    test_log().repetition = repetition;
}

RepetitionScope::~RepetitionScope() {
    test_log().repetition = 0;
}

Submission& submission() {
    static Submission the_submission;
    return the_submission;
}

bool on_vgpu() {
    return session().setting().vgpu;
}

}  // namespace lab
