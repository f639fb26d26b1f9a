#include "check/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>

#include "base/files.h"
#include "check/causes/failed_call_cause.h"
#include "check/causes/unset_pitch.h"
#include "check/explain/call_names.h"
#include "check/explain/explain_findings.h"
#include "check/explain/explain_lost.h"
#include "check/explain/finding_places.h"
#include "check/output/grader_fault.h"

namespace lab {
namespace {

std::string error_text(const CudaError& error) {
    return fmt::format("{} ({})", error.name.data(), error.text.data());
}

/// What the device process noted about the call that failed: more than the error code says.
std::string why_it_failed(const std::vector<vgpu::FailedCall>& calls, const CudaError& error,
                          const CallNames& names) {
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
        if (call->error != error.name.data()) continue;
        const std::string why = describe(*call, names);
        return "\n  " + call->function + (why.empty() ? "" : ": " + why);
    }
    return "";
}

/// What the errors that students meet mean; empty for the others.
std::string error_advice(const CudaError& error) {
    const std::string name = error.name.data();
    if (name == "cudaErrorInvalidConfiguration") {
        return "\nA kernel was launched with 0 blocks, or with more than 1024 threads in a block: "
               "no GPU takes that.";
    }
    if (name == "cudaErrorMemoryAllocation") {
        return "\nAn allocation asked for more memory than the device has left.";
    }
    if (name == "cudaErrorInvalidValue") {
        return "\nA CUDA call got an argument that it cannot use, or a kernel was launched with 0 "
               "blocks or 0 threads.";
    }
    if (name == "cudaErrorIllegalAddress") {
        return "\nA kernel accessed memory outside its arrays. On the virtual GPU (--device vgpu) "
               "the message names the line and the thread.";
    }
    if (name == "cudaErrorLaunchOutOfResources") {
        return "\nA block needs more registers or shared memory than a multiprocessor has: use "
               "fewer threads per block.";
    }
    return "";
}

Failure cuda_failure(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                     const CallSetting& setting) {
    const bool in_kernel = outcome.reply.sync_error.code != 0;
    const CudaError& error = in_kernel ? outcome.reply.sync_error : outcome.reply.call_error;
    Failure failure;
    failure.fatal = in_kernel;  // sticky: nothing works in that process any more
    const std::string why =
        why_it_failed(outcome.records.failed_calls, error, CallNames(plan, call, outcome, setting));
    failure.message = fmt::format("{}: {} {}.{}", plan.call_text(),
                                  in_kernel ? "a kernel stopped with the CUDA error"
                                            : "the function left a CUDA error behind,",
                                  error_text(error), why.empty() ? error_advice(error) : why);
    return failure;
}

/// An error that a kernel leaves behind and that every later CUDA call answers with.
bool is_of_a_kernel(const CudaError& error) {
    constexpr int kIllegalAddress = 700, kTimeout = 702, kFirst = 710, kLast = 719;
    return error.code == kIllegalAddress || error.code == kTimeout ||
           (kFirst <= error.code && error.code <= kLast);
}

/// Before the function of this call was called: work of an earlier one, as from a thread that it
/// started, went on when it had returned.
Failure late_failure(const CallPlan& plan, const CudaError& error) {
    Failure failure;
    failure.fatal = true;
    failure.message = fmt::format(
        "{}: before this call began, a kernel of an earlier call stopped with the CUDA error {}: "
        "it was launched when its function had returned, and the arrays were gone. Launch nothing "
        "after the function has returned.",
        plan.call_text(), error_text(error));
    return failure;
}

std::optional<Failure> explain_reply(const CallPlan& plan, const Marshalled& call,
                                     const Outcome& outcome, const CallSetting& setting) {
    const Reply& reply = outcome.reply;
    const bool own_call_failed =
        reply.status == Status::no_device || reply.status == Status::out_of_memory;
    if (own_call_failed && is_of_a_kernel(reply.setup_error)) {
        return late_failure(plan, reply.setup_error);
    }
    if (reply.status == Status::bad_request || own_call_failed) {
        throw GraderFault(plan.call_text() + ": the runner could not carry out the call: " +
                          (own_call_failed ? error_text(reply.setup_error) : reply.text.data()));
    }
    Failure failure;
    if (reply.status == Status::exception) {
        failure.message = fmt::format("{}: a C++ exception left the function: {}.",
                                      plan.call_text(), reply.text.data());
        return failure;
    }
    if (reply.device_reset) {
        failure.fatal = true;
        failure.message = fmt::format(
            "{}: the device was reset, so all that belongs to the caller is gone. Take out "
            "cudaDeviceReset, and free only what you have allocated.",
            plan.call_text());
        return failure;
    }
    if (reply.call_error.code != 0 || reply.sync_error.code != 0) {
        return cuda_failure(plan, call, outcome, setting);
    }
    if (reply.status == Status::device_broken) {
        failure.fatal = true;
        failure.message = fmt::format(
            "{}: after the call the arrays it was given could not be read back: {}.\nDid it free "
            "memory that it was given, or call cudaDeviceReset?",
            plan.call_text(), error_text(reply.setup_error));
        return failure;
    }
    if (setting.vgpu && outcome.threads_left > 0) {
        failure.message = fmt::format(
            "{}: {} of the threads that it started were still running when it returned. Join them "
            "first.",
            plan.call_text(), outcome.threads_left);
        return failure;
    }
    if (reply.handle_destroyed) {
        failure.message = fmt::format(
            "{}: a stream or an event of the caller's was destroyed. Destroy only what you have "
            "created.",
            plan.call_text());
        return failure;
    }
    return std::nullopt;
}

/// A type, the name, and no semicolon before the body: not a declaration, not a call.
bool is_definition(const std::string& line, const std::string& function) {
    static const std::regex type("[\\w:<>*&\" ]+[ *&]");
    static const std::regex rest("\\s*\\([^;{]*(\\{.*)?");
    const std::size_t returned = line.find("return ");
    const char *const begin = line.data(), *const end = begin + line.size();
    for (std::size_t at = 0; (at = line.find(function, at)) < returned; ++at) {
        if (std::regex_match(begin, begin + at, type) &&
            std::regex_match(begin + at + function.size(), end, rest))
            return true;
    }
    return false;
}

}  // namespace

bool is_students_file(const std::string& file, const CallSetting& setting) {
    if (setting.real_source.empty() || file.empty()) return false;
    std::error_code error;
    return file == setting.real_source ||
           std::filesystem::equivalent(file, setting.real_source, error);
}

Place source_place(const std::string& function, const CallSetting& setting) {
    std::ifstream file(setting.readable_source());
    // std::regex calls itself for each character, and overflows the stack at some 100,000.
    constexpr std::size_t kLongestLine = 2000;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.size() <= kLongestLine && is_definition(line, function))
            return {setting.display_source, number};
    }
    return {setting.display_source, 0};
}

std::optional<Failure> explain(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                               const CallSetting& setting) {
    std::optional<Failure> failure;
    if (outcome.ended == Ended::device_died) {
        throw GraderFault(plan.call_text() + ": the virtual GPU's process ended");
    }
    // Host code that follows a device pointer ends the process; the address says more than the
    // finding.
    const bool only_host_access = std::ranges::all_of(
        outcome.records.findings,
        [](const vgpu::Finding& finding) { return finding.check == vgpu::Check::host_access; });
    const bool has_findings =
        !outcome.records.findings.empty() && !(only_host_access && outcome.ended != Ended::replied);
    if (has_findings || !outcome.records.absent.empty()) {
        failure = explain_findings(plan, call, outcome, setting);
    } else if (outcome.ended != Ended::replied) {
        failure = explain_lost(plan, call, outcome, setting);
    } else {
        failure = explain_reply(plan, call, outcome, setting);
    }
    if (!failure) return std::nullopt;
    failure->flags = flags_of(outcome, failure->message);
    if (!has_findings && failure->diagnosis.empty()) {
        failure->diagnosis = diagnose_failed_call(plan, outcome);
    }
    const std::string source = read_file_if_there(setting.readable_source()).value_or("");
    if (std::string why = unset_pitch(source, plan.function); !why.empty())
        failure->diagnosis = std::move(why);
    failure->case_text = plan.case_text();
    if (failure->place.line == 0) {
        failure->place = source_place(plan.function, setting);
    } else if (failure->places.empty() && failure->findings.empty()) {
        failure->places = nlohmann::json::array({place_to_show(failure->place)});
    }
    return failure;
}

}  // namespace lab
