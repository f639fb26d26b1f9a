// From a grader's call to the runner's and back, with every outcome that is not a value turned into
// the end of the test.
#include "check/call.h"

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
    const Marshalled call = marshal(plan, vgpu, session().next_salt());
    Outcome outcome = session().run(call);
    keep_output(outcome);

    if (auto failure = explain(plan, call, outcome, session().setting())) {
        if (failure->fatal) session().replace_submission();
        fail_test(std::move(*failure));
    }
    const auto after = snapshot(call, session().submission()->shared().bytes());
    if (const auto violation = check_memory(call, after, plan.call_text())) {
        Failure failure;
        failure.message = violation->message;
        failure.diagnosis = violation->diagnosis;
        failure.case_text = plan.case_text();
        failure.place = source_place(plan.function, session().setting());
        fail_test(std::move(failure));
    }

    CallResult result;
    const CallSetting setting = session().setting();
    result.facts = std::make_shared<const CallFacts>(
        CallFacts{plan.call_text(), plan.case_text(), std::move(outcome.records.launches),
                  source_place(plan.function, setting), std::move(outcome.records.operations)});
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
