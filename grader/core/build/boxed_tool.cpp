#include "core/build/boxed_tool.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/ended_from_outside.h"
#include "base/process.h"

namespace lab {
namespace {

/// Calls `visit` with each line of the text.
template <typename Visit>
void each_line(std::string_view text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        visit(text.substr(at, end - at));
        at = end + 1;
    }
}

}  // namespace

ConfinedResult run_boxed(const BoxedTool& tool) {
    SandboxSpec spec;
    // Without links: the sandbox shows folders at their own paths.
    spec.program = std::filesystem::weakly_canonical(tool.argv.front());
    spec.arguments.assign(tool.argv.begin() + 1, tool.argv.end());
    const char* path = std::getenv("PATH");
    spec.environment = {std::string("PATH=") + (path ? path : "/usr/bin:/bin"), "TMPDIR=/tmp",
                        "LC_ALL=C.UTF-8"};
    spec.readable = tool.readable;
    // Tools of a toolchain find each other, and their libraries, from where they are.
    if (const auto prefix = spec.program.parent_path().parent_path(); prefix != prefix.root_path())
        spec.readable.push_back(prefix);
    spec.writable = tool.writable;
    spec.system_calls = SystemCalls::all;
    spec.limits.cpu_s = kToolLimit.count();
    spec.limits.data_bytes = half_of_memory(tool.memory_bytes);
    return run_confined(std::move(spec), kWaitsForOthers * kToolLimit, tool.output_limit_bytes);
}

// Programs that SIGXCPU ends are reported in the system's words, by nvcc or by themselves.
bool ran_out_of_time(const ConfinedResult& result) {
    if (result.timed_out) return true;
    if (result.exit_code == 0) return false;
    // Endless warnings leave no room for the last line.
    const bool was_long =
        result.output_cut && result.seconds >= static_cast<double>(kToolLimit.count());
    return was_long || result.exit_code == 128 + SIGXCPU ||
           result.output.find("CPU time limit exceeded") != std::string::npos;
}

// The words of gcc's, binutils' and the toolkit's programs, at the beginning of a line. Later in a
// line they may be the submission's own, quoted by nvcc.
bool ran_out_of_memory(const ConfinedResult& result) {
    bool said = false;
    each_line(result.output, [&](std::string_view line) {
        said = said || line.starts_with("cc1plus: out of memory allocating") ||
               line.starts_with("LLVM ERROR: out of memory") ||
               line.starts_with("terminate called after throwing an instance of 'std::bad_alloc'");
    });
    return said && result.exit_code != 0;
}

bool made_too_much(const ConfinedResult& result, const std::filesystem::path& results) {
    if (result.exit_code == 0) return false;
    if (result.exit_code == 128 + SIGXFSZ ||
        result.output.find("File size limit exceeded") != std::string::npos)
        return true;
    if (result.output.find(std::strerror(ENOSPC)) == std::string::npos) return false;
    std::error_code error;
    const auto space = std::filesystem::space(results, error);
    return isolation().namespaces && !error && space.available > SandboxLimits{}.file_bytes;
}

// The words of nvcc, gcc and its collect2 for a program that they have started:
//
//     nvcc error   : 'cicc' died due to signal 9 (Kill signal)
//     gcc: fatal error: Killed signal terminated program cc1plus
//     collect2: fatal error: ld terminated with signal 9 [Killed]
int signal_from_outside(const ConfinedResult& result) {
    int signal = signal_from_outside(result.exit_code);
    if (result.exit_code == 0 || signal != 0) return signal;
    const auto number_after = [](std::string_view line, std::string_view words) {
        const std::size_t at = line.find(words);
        if (at == std::string_view::npos) return 0;
        return std::atoi(std::string(line.substr(at + words.size(), 3)).c_str());
    };
    each_line(result.output, [&](std::string_view line) {
        int number = 0;
        if (line.starts_with("nvcc error")) number = number_after(line, "' died due to signal ");
        if (line.find(": fatal error: ") < line.find(' ')) {
            number = number_after(line, " terminated with signal ");
            for (const int one : {SIGKILL, SIGTERM, SIGINT, SIGHUP})
                if (line.find(std::string(strsignal(one)) + " signal terminated program") !=
                    std::string_view::npos)
                    number = one;
        }
        if (signal == 0) signal = signal_from_outside(128 + number);
    });
    return signal;
}

}  // namespace lab
