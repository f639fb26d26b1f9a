#include "check/explain/explain_lost.h"

#include <fmt/format.h>
#include <seccomp.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/ended_from_outside.h"
#include "base/source_text.h"
#include "vgpu/device.h"

#include "check/explain/call_names.h"
#include "check/explain/finding_places.h"

namespace lab {
namespace {

double gibibytes(std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(1ull << 30);
}

// An access this close to 0 is a null pointer, with an index.
constexpr std::uint64_t kNullPageBytes = 64 << 10;
// A fault this close to the stack pointer is the stack's end: a frame is rarely larger.
constexpr std::uint64_t kFrameBytes = 1 << 20;

std::string system_call_name(int number) {
    char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
    std::string text = name != nullptr ? name : std::to_string(number);
    std::free(name);
    return text;
}

std::string blocked_call(int number) {
    if (number < 0) {
        // system() and popen() block all signals first, so that nobody could note which call it
        // was.
        return "tried to start another program (system, popen), or made another system call that "
               "submissions may not use. A submission runs alone.";
    }
    const std::string name = system_call_name(number);
    if (name == "clone" || name == "fork" || name == "vfork") {
        return "tried to start another process (" + name + "). A submission runs alone.";
    }
    if (name == "execve" || name == "execveat") {
        return "tried to start another program (" + name + "). A submission runs alone.";
    }
    if (name == "tgkill")
        return "sent itself a signal that only others send (SIGKILL, SIGTERM, SIGINT or SIGHUP).";
    return "made the system call " + name + ", which submissions may not use.";
}

/// The parameter whose memory holds the address, when that is device memory; empty when it is not.
std::string device_argument_at(std::uint64_t address, const Marshalled& call,
                               const StatusPage& page) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        const std::uint64_t base = page.addresses[i];
        const bool inside = address >= base && address - base < call.areas[i].image.size();
        const bool on_device = call.request.allocations[i].memory == Memory::device;
        if (on_device && base != 0 && inside) return call.described(i);
    }
    return "";
}

std::string fault(const Marshalled& call, const StatusPage& page) {
    constexpr const char* kRemedy =
        "Host code cannot read or write device memory: copy with cudaMemcpy, or do it in a kernel. "
        "(To free it, call cudaFree, not free or delete.)";
    const std::uint64_t address = page.fault_address;
    if (const std::string name = device_argument_at(address, call, page); !name.empty()) {
        return fmt::format("segmentation fault: host code followed the device pointer {}.\n{}",
                           name, kRemedy);
    }
    if (address >= vgpu::kWindowBegin && address < vgpu::kWindowEnd) {
        return fmt::format("segmentation fault: host code followed a device pointer.\n{}", kRemedy);
    }
    if (address < kNullPageBytes) {
        return "segmentation fault: host code followed a null pointer.";
    }
    if (page.stack_pointer != 0 && address + kFrameBytes > page.stack_pointer &&
        address < page.stack_pointer + kFrameBytes) {
        return "segmentation fault: the stack is full, by a recursion without end or a local array "
               "that is too large.";
    }
    return fmt::format(
        "segmentation fault: host code accessed memory that is not its own, at address {:#x}: past "
        "the end of an array, or through a pointer to device memory, which only kernels and "
        "cudaMemcpy may follow.",
        address);
}

std::string signal_text(int signal, const Marshalled& call, const StatusPage& page) {
    // The page's own word first: a shell's code cannot tell which of two faults it was.
    if (page.signal == SIGSYS || signal == SIGSYS) return blocked_call(page.blocked_system_call);
    switch (signal) {
        case SIGSEGV:
        case SIGBUS:
            return fault(call, page);
        case SIGFPE:
            return "crashed: an integer division by zero on the host (SIGFPE).";
        case SIGABRT:
            return "aborted: abort(), a failed assert, or an exception that nothing could catch "
                   "(SIGABRT).";
        case SIGILL:
            return "crashed: an illegal instruction on the host (SIGILL).";
        case SIGXFSZ:
            return "was stopped: it wrote a file larger than allowed.";
        default:
            return fmt::format("was ended by signal {} ({}).", signal, strsignal(signal));
    }
}

/// The last line that was printed; empty when nothing was.
std::string last_line(const std::string& output) {
    const std::size_t end = output.find_last_not_of("\n\r ");
    if (end == std::string::npos) return "";
    const std::size_t begin = output.find_last_of('\n', end);
    return output.substr(begin + 1, end - begin);
}

std::string died(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                 const CallSetting& setting) {
    const int code = outcome.exit_code;
    // By a signal from outside nobody dies here (check/call/worker.h): that is exit(128 + N).
    if (code > 128 && code < 128 + 65 && signal_from_outside(code) == 0)
        return signal_text(code - 128, call, outcome.page);
    // Most often that is the student's own error check.
    if (code != 0 && !outcome.records.failed_calls.empty()) {
        const vgpu::FailedCall& failed = outcome.records.failed_calls.back();
        const std::string why = describe(failed, CallNames(plan, call, outcome, setting));
        return fmt::format(
            "a CUDA call failed, {} with {}{}{}\nThe program then exited, with exit code {}.",
            failed.function, failed.error, why.empty() ? "." : ":\n  ", why, code);
    }
    // Most often it is the student's own file that is named, by __FILE__.
    std::string said = last_line(outcome.output);
    if (const std::size_t at = said.find(setting.real_source);
        at != std::string::npos && !setting.real_source.empty())
        said.replace(at, setting.real_source.size(), setting.display_source);
    return fmt::format(
        "ended the whole program with exit code {}: exit() or _exit() was called, and the function "
        "never returned.{}",
        code, code == 0 || said.empty() ? "" : "\nThe last that it printed:\n  " + said);
}

std::string hung(const CallPlan& plan, const Outcome& outcome, const CallSetting& setting) {
    const std::string limit = fmt::format("did not finish within {:g} s: ", setting.limit_s);
    if (plan.for_speed && outcome.device_busy) {
        return limit +
               "a kernel was still running. The smaller calls of the tests before came to "
               "an end, so it is probably not endless, but much too slow.";
    }
    if (outcome.device_busy)
        return limit +
               "a kernel was still running, in a loop that never ends or with far more work than "
               "there should be.";
    if (outcome.page.phase == Phase::synchronising) {
        return limit + "the function returned, but a kernel that it launched never ended.";
    }
    constexpr std::size_t kMany = 100;
    const std::size_t launches = outcome.records.launches.size();
    if (setting.vgpu && launches >= kMany) {
        return limit + fmt::format(
                           "it was still launching kernels, {} and more by then. Do the work in "
                           "fewer launches, with more blocks.",
                           launches);
    }
    // The interpreter takes seconds for as many.
    constexpr std::uint64_t kMuchWork = 20'000'000;
    std::uint64_t work = 0;
    for (const LaunchRecord& launch : outcome.records.launches) work += launch.warp_instructions;
    if (setting.vgpu && work >= kMuchWork) {
        return limit + fmt::format(
                           "it was between two kernels: {} had ended by then, with far more work "
                           "than there should be.",
                           launches);
    }
    return limit + (setting.vgpu
                        ? "it was still in host code, in a loop or a wait that never ends."
                        : "it had not returned: an endless loop on the host, or a wait for a "
                          "kernel that never ends.");
}

/// The last "file.cu:123:" of the student's file that the program printed before it ended itself.
/// __FILE__ has no folder: the build takes its own out.
Place printed_place(const std::string& output, const CallSetting& setting) {
    if (setting.real_source.empty()) return {};
    const auto name = [](const std::string& path) {
        return std::filesystem::path(path).filename().string();
    };
    for (const std::string& file : {setting.real_source, setting.display_source,
                                    name(setting.real_source), name(setting.display_source)}) {
        const std::size_t at = output.rfind(file + ":");
        const bool is_whole = at == 0 || (at != std::string::npos && !is_word(output[at - 1]));
        if (file.empty() || !is_whole) continue;
        const int line = std::atoi(output.c_str() + at + file.size() + 1);
        if (line > 0) return {setting.display_source, line};
    }
    return {};
}

/// The line of the error check, with the call that failed.
nlohmann::json place_of_failed_call(const Place& place, const vgpu::FailedCall& failed) {
    nlohmann::json shown = place_to_show(place);
    const bool is_launch = failed.function == "cudaLaunchKernel";
    shown["name"] = is_launch ? "cudaGetLastError" : failed.function;
    shown["label"] =
        (is_launch ? "the launch before this failed, with " : "failed with ") + failed.error;
    return nlohmann::json::array({std::move(shown)});
}

}  // namespace

Failure explain_lost(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                     const CallSetting& setting) {
    Failure failure;
    failure.fatal = true;
    std::string what;
    switch (outcome.ended) {
        case Ended::died:
            what = died(plan, call, outcome, setting);
            failure.place = printed_place(outcome.output, setting);
            if (failure.place.line != 0 && !outcome.records.failed_calls.empty())
                failure.places =
                    place_of_failed_call(failure.place, outcome.records.failed_calls.back());
            break;
        case Ended::timed_out:
            what = hung(plan, outcome, setting);
            break;
        case Ended::too_much_output:
            what = fmt::format("was stopped: it printed more than {} MiB.",
                               outcome.output_bytes >> 20);
            break;
        case Ended::too_many_threads:
            what =
                fmt::format("was stopped: it had more than {} host threads at once.", kMostThreads);
            break;
        case Ended::too_much_memory:
            what = fmt::format("was stopped: it used {:.1f} GiB of this machine's memory.",
                               gibibytes(outcome.memory_bytes));
            break;
        default:
            what =
                "answered with something that is not an answer: it wrote to a file descriptor "
                "that is not its own (only 1 and 2, stdout and stderr, are).";
    }
    failure.message = plan.call_text() + ": " + what;
    return failure;
}

Flags flags_of(const Outcome& outcome, const std::string& evidence) {
    if (outcome.ended == Ended::nonsense) return {{kForgedMessage, evidence}};
    const bool is_forbidden = outcome.ended == Ended::died &&
                              (outcome.page.signal == SIGSYS || outcome.exit_code == 128 + SIGSYS);
    return is_forbidden ? Flags{{kForbiddenCall, evidence}} : Flags{};
}

std::string explain_no_start(const Outcome& outcome, double patience_s) {
    constexpr const char* kWhere =
        "before any function of it was called: in the constructor of a global variable";
    switch (outcome.ended) {
        case Ended::timed_out:
            return fmt::format("it hung for {:g} s {}.", patience_s, kWhere);
        case Ended::died: {
            const int code = outcome.exit_code;
            if (code > 128) {
                return fmt::format("it {} {}.",
                                   code - 128 == SIGSYS
                                       ? "made a system call that is not allowed"
                                       : fmt::format("crashed ({})", strsignal(code - 128)),
                                   kWhere);
            }
            return fmt::format("it ended with exit code {} {}.", code, kWhere);
        }
        case Ended::too_much_output:
            return fmt::format("it printed without end {}.", kWhere);
        case Ended::too_many_threads:
            return fmt::format("it had more than {} host threads at once {}.", kMostThreads,
                               kWhere);
        case Ended::too_much_memory:
            return fmt::format("it used {:.1f} GiB of this machine's memory {}.",
                               gibibytes(outcome.memory_bytes), kWhere);
        default:
            return fmt::format("it sent something that is not an answer {}.", kWhere);
    }
}

}  // namespace lab
