#include "check/explain_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>

#include "check/allocation_sites.h"
#include "check/diagnose_finding.h"
#include "check/finding_places.h"

namespace lab {
namespace {

using nlohmann::json;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    if (from.empty()) return;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
}

/// The number of the area that lives at a device address.
std::optional<std::size_t> area_at(std::uint64_t base, const Marshalled& call,
                                   const StatusPage& page) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        if (base != 0 && page.addresses[i] == base) return i;
    }
    return std::nullopt;
}

/// Numbers streams as `./lab picture` does: in the order in which the call first used them. The
/// device counts all that the process ever made.
std::string with_own_streams(const std::string& message,
                             const std::vector<OperationRecord>& operations) {
    static const std::regex named(R"((in stream )(\d+))");
    std::string text;
    auto rest = message.cbegin();
    for (std::sregex_iterator at(message.begin(), message.end(), named), end; at != end; ++at) {
        const auto found = std::ranges::find_if(operations, [&](const OperationRecord& operation) {
            return std::to_string(operation.device_stream) == (*at)[2].str();
        });
        text.append(rest, (*at)[2].first);
        text += found == operations.end() ? (*at)[2].str() : std::to_string(found->stream);
        rest = (*at)[2].second;
    }
    return text.append(rest, message.cend());
}

/// The runner looks at memory that must be complete when a function returns. The stream in which it
/// does so is none of the call's.
std::optional<std::string> not_complete(const json& finding,
                                        const std::vector<OperationRecord>& operations) {
    const auto reader = member_of<std::string>(finding, "kernel", "");
    static const std::regex stream(R"(^cudaMemcpyAsync to the host in stream (\d+)$)");
    std::smatch at;
    if (member_of<std::string>(finding, "check", "") != "hazard" ||
        !std::regex_match(reader, at, stream) ||
        std::ranges::any_of(operations, [&](const OperationRecord& operation) {
            return std::to_string(operation.device_stream) == at[1].str();
        })) {
        return std::nullopt;
    }
    const json nearest = member_of<json>(finding, "nearest", json::object());
    const json other = member_of<json>(finding, "other", json::object());
    return fmt::format(
        "it returned before {} was complete: {} may still write to it. Wait for every stream that "
        "has work",
        member_of<std::string>(nearest, "name", "its result"),
        member_of<std::string>(other, "operation", "an operation"));
}

/// The student's file under the name they know it by.
std::string shown_file(const std::string& file, const CallSetting& setting) {
    return is_students_file(file, setting) ? setting.display_source : file;
}

/// Names arrays as the contract does, or else the student, not by the order of allocation.
json renamed(json finding, const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
             const std::map<std::string, AllocationSite>& sites, const CallSetting& setting) {
    std::string message = member_of<std::string>(finding, "message", "");
    message = not_complete(finding, outcome.records.operations).value_or(message);
    static const std::regex runner(R"(host code in lab::runner::[^ ]+\([^)]*\))");
    message = std::regex_replace(message, runner, "the caller, when the function has returned,");
    const json nearest = member_of<json>(finding, "nearest", json::object());
    const auto name = member_of<std::string>(nearest, "name", "");
    if (const auto area =
            area_at(member_of<std::uint64_t>(nearest, "base", 0), call, outcome.page)) {
        const auto size = member_of<std::uint64_t>(nearest, "size_bytes", 0);
        const std::string shorter = call.name(*area);
        replace_all(message, fmt::format("{} ({} bytes)", name, size), call.described(*area));
        replace_all(message, name, shorter);
        finding["nearest"]["name"] = shorter;
    } else if (const auto site = sites.find(name); site != sites.end()) {
        replace_all(message, name + " (", fmt::format("{} ({}, ", name, site->second.text()));
        replace_all(message, name, site->second.name());
        finding["nearest"]["name"] = site->second.name();
    }
    const auto file = member_of<std::string>(finding, "file", "");
    const std::string shown = shown_file(file, setting);
    replace_all(message, file, shown);
    message = with_own_streams(message, outcome.records.operations);
    if (plan.racing) replace_all(message, " never finished: ", " was stopped: ");
    finding["file"] = shown;
    const json other = member_of<json>(finding, "other", nullptr);
    if (const auto with = member_of<std::string>(other, "file", ""); !with.empty())
        finding["other"]["file"] = shown_file(with, setting);
    finding["message"] = message;
    return finding;
}

/// Whether the line is in a lab's contract, where some kernels are given.
bool is_in_given_header(const std::string& file) {
    return file.find("/labs/") != std::string::npos && file.ends_with(".h");
}

/// A thread that went astray with what it had read from shared memory before anyone wrote it: that
/// read is the mistake.
void put_cause_first(std::vector<json>& findings) {
    if (findings.empty()) return;
    const auto by_whom = [](const json& finding) {
        return std::pair(member_of<std::vector<int>>(finding, "block", {}),
                         member_of<std::vector<int>>(finding, "thread", {}));
    };
    const auto check = member_of<std::string>(findings.front(), "check", "");
    if (check != "host_pointer" && check != "out_of_bounds" && check != "misaligned") return;
    const auto cause = std::ranges::find_if(findings, [&](const json& finding) {
        return member_of<std::string>(finding, "check", "") == "uninitialized_read" &&
               member_of<std::string>(finding, "space", "") == "shared" &&
               by_whom(finding) == by_whom(findings.front());
    });
    if (cause != findings.end()) std::rotate(findings.begin(), cause, cause + 1);
}

}  // namespace

Failure explain_findings(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                         const CallSetting& setting) {
    Failure failure;
    // The process lives on only if the error was not sticky.
    failure.fatal = outcome.ended != Ended::replied || outcome.reply.sync_error.code != 0;
    // What stopped the kernel comes before what it did on the way there.
    std::vector<json> findings = outcome.records.findings;
    std::stable_partition(findings.begin(), findings.end(), [](const json& finding) {
        return member_of<std::string>(finding, "check", "") != "uninitialized_read";
    });
    put_cause_first(findings);
    const auto sites = allocation_sites(outcome.records.allocations, setting);
    for (const json& finding : findings) {
        failure.findings.push_back(renamed(finding, plan, call, outcome, sites, setting));
    }
    if (failure.findings.empty()) {
        const json& absent = outcome.records.absent.front();
        failure.message = fmt::format(
            "{}: the virtual GPU does not have {} yet. It would be added in {}.\nOn a real GPU "
            "(--device gpu) this may well work.",
            plan.call_text(), member_of<std::string>(absent, "function", "a function"),
            member_of<std::string>(absent, "add_in", "grader/vgpu/runtime"));
        return failure;
    }
    const json& first = failure.findings.front();
    failure.message = plan.call_text() + ": " + member_of<std::string>(first, "message", "");
    if (failure.findings.size() > 1) {
        failure.message +=
            fmt::format("\nFindings in this call: {}; this is the first.", failure.findings.size());
    }
    failure.place = {member_of<std::string>(first, "file", ""), member_of<int>(first, "line", 0)};
    failure.places = finding_places(first);
    failure.diagnosis = diagnose_finding(plan, findings.front(), call, outcome);
    if (failure.diagnosis.empty() && !plan.racing &&
        member_of<std::string>(first, "check", "") == "instruction_limit")
        failure.diagnosis = "Does the variable in the loop's condition change?";
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
