// From a grader's call to the runner's and back, with every outcome that is not a value turned into
// the end of the test.
#include "check/session/call_submission.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "check/call/marshal.h"
#include "check/explain/explain.h"
#include "check/explain/finding_places.h"
#include "check/output/test_log.h"
#include "check/session/flow.h"
#include "check/session/session.h"

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

std::optional<std::vector<std::byte>> call_again(const Marshalled& call, const std::string& name) {
    const Buffer* buffer = buffer_named(call, name);
    if (buffer == nullptr || session().submission() == nullptr) return std::nullopt;
    const Outcome outcome = session().run(call);
    if (!came_back(outcome)) {
        session().replace_submission();
        return std::nullopt;
    }
    const Area& area = call.areas[buffer->area];
    const auto bytes = session().last_call_bytes();
    return compact(*buffer, bytes.subspan(area.offset, area.image.size()));
}

/// What NVIDIA's tools find in a call that was made before; nothing when they find nothing.
std::optional<Failure> sanitized(const Marshalled& call, const CallFacts& facts) {
    const std::vector<SanitizerFinding> findings = session().sanitize(call);
    if (findings.empty()) return std::nullopt;
    const CallSetting setting = session().setting();
    const SanitizerFinding& first = findings.front();
    Failure failure;
    failure.message = facts.call_text + ": compute-sanitizer reports: " +
                      describe(first, setting.real_source, setting.display_source);
    if (findings.size() > 1) {
        failure.message +=
            "\nFindings in this call: " + std::to_string(findings.size()) + "; this is the first.";
    }
    failure.case_text = facts.case_text;
    failure.place = facts.place;
    if (first.place.line != 0) {
        failure.place = {setting.display_source, first.place.line};
        failure.places = nlohmann::json::array({place_to_show(failure.place)});
    }
    return failure;
}

/// What a block reads that no other has written yet may be there in order: then the order is the
/// mistake.
bool is_clean_in_order(const Marshalled& call, const Outcome& outcome) {
    const auto is_too_early = [](const vgpu::Finding& finding) {
        return finding.check == vgpu::Check::uninitialized_read &&
               finding.space == vgpu::Space::global;
    };
    if (test_log().repetition != 2 || outcome.records.findings.empty() ||
        !std::ranges::all_of(outcome.records.findings, is_too_early))
        return false;
    const RepetitionScope in_order(1);
    const Outcome again = session().run(call);
    return came_back(again) && again.records.findings.empty();
}

/// Says so when what is in an output on the device can only have been copied there from the host:
/// no kernel stored anything. (Told by the virtual GPU; a data race shows it on a GPU.)
std::optional<Failure> computed_on_host(const CallPlan& plan, const Marshalled& call,
                                        const CallResult& result) {
    const CallFacts& facts = *result.facts;
    for (const LaunchRecord& launch : facts.launches) {
        if (launch.global_store_bytes + launch.global_atomics > 0) return std::nullopt;
    }
    bool from_host = false;
    for (const OperationRecord& operation : facts.operations) {
        if (operation.engine == "on_device") return std::nullopt;
        from_host = from_host || operation.engine == "copy_to_device";
    }
    for (const Buffer& buffer : call.buffers) {
        const auto& untouched = result.arguments[buffer.position].untouched;
        const bool is_output =
            buffer.parameter.direction == Direction::out && buffer.parameter.space == Space::device;
        // A single number may well be set to 0 by a copy.
        if (!from_host || !is_output || untouched.size() < 2) continue;
        if (std::ranges::find(untouched, false) == untouched.end()) continue;
        Failure failure;
        failure.message = plan.call_text() + ": " +
                          (facts.launches.empty() ? std::string("no kernel was launched: ")
                                                  : std::string("no kernel stored anything: ")) +
                          buffer.parameter.name +
                          " was copied from the host, but it must be computed on the device.";
        failure.case_text = plan.case_text();
        failure.place = facts.place;
        return failure;
    }
    return std::nullopt;
}

/// Output::writers() of a buffer whose area lies at `area_address` on the device.
std::vector<std::int64_t> writers_of(const Buffer& buffer, std::uint64_t area_address,
                                     const std::vector<LaunchRecord>& launches) {
    constexpr std::uint64_t kWord = 4;
    const std::uint64_t begin = area_address + buffer.data_begin,
                        end = area_address + buffer.data_end();
    const auto is_inside = [&](const LaunchRecord::Writers& row) {
        return row.address >= begin && row.address + kWord * row.words <= end;
    };
    const LaunchRecord* only = nullptr;
    for (const LaunchRecord& launch : launches) {
        if (std::ranges::none_of(launch.writers, is_inside)) continue;
        if (std::exchange(only, &launch) != nullptr) return {};
    }
    if (only == nullptr || buffer.pitched()) return {};
    std::vector<std::int64_t> writers(buffer.data_bytes() / kWord, -1);
    for (const LaunchRecord::Writers& row : only->writers) {
        if (!is_inside(row)) continue;
        for (std::uint64_t word = 0; word < row.words; ++word) {
            writers[(row.address - begin) / kWord + word] =
                static_cast<std::int64_t>(row.first) + static_cast<std::int64_t>(word) * row.step;
        }
    }
    return writers;
}

/// Ends the test. But a picture shows what came back, all the more when something was wrong.
void fail_or_show(Failure failure, bool there_are_outputs) {
    if (!test_log().is_picture || !there_are_outputs) fail_test(std::move(failure));
    const std::string message = failure.message;
    test_log().offer(std::move(failure));
    FAIL_CHECK(message);
}

}  // namespace

CallResult call_submission(const CallPlan& plan) {
    if (test_log().blocked.empty()) session().limit_launches_of(plan.function);
    skip_if_blocked();
    if (const std::string why = session().endless().hung_before(plan.function); !why.empty())
        leave_test(why);
    test_log().latest_case = plan.case_text();
    test_log().latest_call = plan.call_text();
    test_log().latest_place = source_place(plan.function, session().setting());
    const bool vgpu = session().setting().vgpu;
    const auto kept =
        std::make_shared<const Marshalled>(marshal(plan, vgpu, session().next_salt()));
    const Marshalled& call = *kept;
    Outcome outcome = session().run(call, plan.for_speed);
    if (session().endless().may_be_long(plan.function, outcome)) {
        session().limit_launches_as_usual();
        skip_if_blocked();
        outcome = session().run(call, plan.for_speed);
    }
    keep_output(outcome);
    test_log().swapped_launch = session().written_launches().swapped(outcome.records);
    if (SteppedCall* const stepped = session().stepped_call()) stepped->offer(plan, kept, outcome);
    if (ProfiledCalls* const profiled = session().profiled_calls(); profiled && came_back(outcome))
        profiled->offer(plan, outcome.records.launches);
    const std::string stopped_again = session().endless().stopped_again(plan.function, outcome);
    if (!plan.for_speed) session().endless().note(plan.function, outcome, test_log().name);
    if (!stopped_again.empty() && !test_log().first_failure()) {
        session().replace_submission();
        test_log().blocked = stopped_again;  // its other cases would say no more
        leave_test(stopped_again);
    }

    if (auto failure = explain(plan, call, outcome, session().setting())) {
        if (failure->fatal) {
            session().replace_submission();
        } else if (vgpu && is_clean_in_order(call, outcome)) {
            failure->diagnosis = kDependsOnOrder;
        }
        fail_or_show(std::move(*failure), came_back(outcome));
    }
    const auto after = snapshot(call, session().last_call_bytes());
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
    result.facts = std::make_shared<const CallFacts>(CallFacts{
        plan.call_text(), plan.case_text(), std::move(outcome.records.launches),
        source_place(plan.function, setting),
        [kept](const std::string& name) { return before_call(*kept, name); },
        [kept](const std::string& name) { return call_again(*kept, name); },
        std::move(outcome.records.operations), outcome.records.allocating_us, outcome.output_bytes,
        vgpu && session().calls_in_process() > 1
            ? std::function<void()>([] { session().replace_submission(); })
            : nullptr});
    // Checks the first call of a passing test once more.
    if (!vgpu && !test_log().recheck) {
        test_log().recheck = [kept, facts = result.facts] { return sanitized(*kept, *facts); };
    }
    // A kernel must do the work, and not only store what the host has computed.
    if (vgpu && !plan.for_speed && !result.facts->launches.empty()) {
        session().decoy_calls().offer(plan, kept, result.facts->place);
        test_log().recheck = [] { return session().decoy_calls().judge(); };
    }
    result.arguments.resize(plan.arguments.size());
    for (const Buffer& buffer : call.buffers) {
        ArgumentResult& argument = result.arguments[buffer.position];
        argument = collect(buffer, call.areas[buffer.area].image, after[buffer.area]);
        argument.writers =
            writers_of(buffer, outcome.page.addresses[buffer.area], result.facts->launches);
    }
    if (vgpu) {
        if (auto failure = computed_on_host(plan, call, result)) {
            fail_or_show(std::move(*failure), true);
        }
    }
    result.returned = outcome.reply.returned;
    session().kept_by_call.clear();
    for (const AllocationRecord& allocation : outcome.records.allocations) {
        if (allocation.is_kept) session().kept_by_call.push_back(allocation);
    }
    result.leaked_bytes = static_cast<std::int64_t>(outcome.reply.memory_after) -
                          static_cast<std::int64_t>(outcome.reply.memory_before);
    session().reported_left += result.leaked_bytes;
    result.leaked_handles = static_cast<std::int64_t>(outcome.reply.handles_after) -
                            static_cast<std::int64_t>(outcome.reply.handles_before);
    return result;
}

void have_gpu_alone() {
    session().end_starts();
}

bool on_vgpu() {
    return session().setting().vgpu;
}

}  // namespace lab
