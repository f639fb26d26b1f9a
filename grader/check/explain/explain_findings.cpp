#include "check/explain/explain_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "check/causes/finding_cause.h"
#include "check/causes/wrapped_index.h"
#include "check/explain/call_names.h"
#include "check/explain/ended_if.h"
#include "check/explain/explain.h"
#include "check/explain/finding_places.h"
#include "vgpu/record.h"

namespace lab {
namespace {

using nlohmann::json;
using vgpu::Check;
using vgpu::Finding;

/// The runner looks at memory that must be complete when a function returns. The stream in which it
/// does so is none of the call's.
bool is_of_the_runner(const std::optional<vgpu::Actor>& actor,
                      const std::vector<OperationRecord>& operations) {
    if (!actor || actor->what != "cudaMemcpyAsync to the host" || !actor->stream) return false;
    const auto& [number, host_thread, is_graph] = *actor->stream;
    if (number == 0 || host_thread || is_graph) return false;
    return std::ranges::none_of(operations, [&, n = static_cast<int>(number)](const auto& done) {
        return done.device_stream == n;
    });
}

std::string message_of(const Finding& finding, const Outcome& outcome, const CallNames& names) {
    if (finding.check != Check::hazard ||
        !is_of_the_runner(finding.actor, outcome.records.operations))
        return describe(finding, names);
    return fmt::format(
        "it returned before {} was complete: {} may still write to it. Wait for every stream that "
        "has work",
        finding.nearest ? names.allocation(finding.nearest->allocation) : "its result",
        finding.other ? describe(finding.other->actor, names) : "an operation");
}

/// Whether the line is in a lab's contract, where some kernels are given.
bool is_in_given_header(const std::string& file) {
    return file.find("/labs/") != std::string::npos && file.ends_with(".h");
}

/// A thread that went astray with what it had read before anyone wrote it: that read is the
/// mistake. So is that of another thread, which passes on what it read, if the address is neither
/// that of an allocation nor null; through shared memory, to its own block.
void put_cause_first(std::vector<Finding>& findings) {
    const Finding& first = findings.front();
    if (first.check != Check::host_pointer && first.check != Check::out_of_bounds &&
        first.check != Check::misaligned)
        return;
    constexpr vgpu::Address kNearNull = 1 << 20;
    const bool is_wild = first.check == Check::host_pointer && first.address >= kNearNull;
    const auto cause = std::ranges::find_if(findings, [&](const Finding& finding) {
        const bool is_same_block = finding.block == first.block,
                   is_shared = finding.space == vgpu::Space::shared;
        if (finding.check != Check::uninitialized_read) return false;
        if (!is_shared && finding.space != vgpu::Space::global) return false;
        return is_wild ? !is_shared || is_same_block
                       : is_same_block && finding.thread == first.thread;
    });
    if (cause != findings.end()) std::rotate(findings.begin(), cause, cause + 1);
}

/// What stopped the kernel comes before what it did on the way there.
std::vector<Finding> by_importance(std::vector<Finding> findings) {
    std::ranges::stable_partition(findings, [](const Finding& finding) {
        return finding.check != Check::uninitialized_read;
    });
    if (!findings.empty()) put_cause_first(findings);
    return findings;
}

Failure explain_absent(const CallPlan& plan, const AbsentFunction& absent, Failure failure) {
    failure.message = fmt::format(
        "{}: the virtual GPU does not have {} yet. It would be added in {}.\nOn a real GPU "
        "(--device gpu) this may well work.",
        plan.call_text(), absent.function, absent.add_in);
    return failure;
}

}  // namespace

Failure explain_findings(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                         const CallSetting& setting) {
    Failure failure;
    // The process lives on only if the error was not sticky.
    failure.fatal = outcome.ended != Ended::replied || outcome.reply.sync_error.code != 0;
    std::vector<Finding> findings = by_importance(outcome.records.findings);
    for (Finding& finding : findings) {
        finding = from_the_array_that_was_meant(std::move(finding), call, outcome);
    }
    if (findings.empty()) return explain_absent(plan, outcome.records.absent.front(), failure);
    const CallNames names(plan, call, outcome, setting);
    for (const Finding& finding : findings) {
        json made = vgpu::json_of(finding, names);
        made["message"] = message_of(finding, outcome, names);
        failure.findings.push_back(std::move(made));
    }
    const Finding& first = findings.front();
    failure.message = plan.call_text() + ": " + message_of(first, outcome, names);
    if (findings.size() > 1) {
        failure.message +=
            fmt::format("\nFindings in this call: {}; this is the first.", findings.size());
    }
    failure.place = {names.file(first.where.file), first.where.line};
    failure.places = finding_places(first, names);
    failure.diagnosis = diagnose_finding(plan, first, call, outcome);
    if (failure.diagnosis.empty() && !plan.for_speed && first.check == Check::instruction_limit)
        failure.diagnosis = "Does the variable in the loop's condition change?";
    const bool may_lack_a_guard = first.check == Check::out_of_bounds || first.check == Check::race;
    if (may_lack_a_guard && is_students_file(first.where.file, setting)) {
        const std::string why = ended_if(setting.readable_source(), first.where.line);
        const bool is_more = !failure.diagnosis.empty() && !why.empty();
        failure.diagnosis += (is_more ? " " : "") + why;
    }
    if (is_in_given_header(failure.place.file)) {
        // The line is right: who launches the kernel tells it where to work.
        const std::string file = std::filesystem::path(failure.place.file).filename().string();
        failure.place = source_place(plan.function, setting);
        failure.places = json::array();
        failure.diagnosis +=
            (failure.diagnosis.empty() ? "" : " ") +
            fmt::format(
                "The kernel in {} is given, and does as its arguments say: look at the "
                "pointers and the number of elements where you launch it.",
                file);
    }
    return failure;
}

}  // namespace lab
