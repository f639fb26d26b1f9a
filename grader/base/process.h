// Runs a trusted program (cmake, nm, the checker) to its end and gathers its output. Programs that
// read or run submitted code start through sandbox/sandbox.h instead.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct Command {
    std::vector<std::string> argv;            ///< argv[0] is looked up in PATH
    std::filesystem::path working_folder;     ///< empty: ours
    std::vector<std::string> environment;     ///< "NAME=value", on top of ours
    std::string input;                        ///< what it reads on stdin
    std::chrono::milliseconds time_limit{0};  ///< then it is killed, with its group; 0: none,
                                              ///< and it is in our group
    bool with_results = false;                ///< descriptor 3 is open for writing results
    /// Called a few times a second with all its output on stdout so far. May be empty.
    std::function<void(std::string_view)> on_output{};
};

struct Finished {
    int exit_code = 0;  ///< 128 + N when signal N ended it; 127 when it could not be started
    bool timed_out = false;
    std::string out, err;
    std::string results;  ///< what it wrote to descriptor 3
    double seconds = 0;

    bool ok() const { return exit_code == 0 && !timed_out; }
};

/// The number under which a child sees its results descriptor.
inline constexpr int kResultsDescriptor = 3;

/// The child dies with the calling thread. Throws Failure (our fault) when this machine cannot
/// start processes at all; a program that is not there is exit code 127.
Finished run(const Command& command);

/// The same for a program that may run again: one that somebody ended is started again, twice at
/// most. Then throws Interrupted (base/failure.h), whose text begins with `name`.
Finished run_again_if_ended(const Command& command, const std::string& name);

/// The last lines of a long output, where compilers and CMake report the error.
std::string last_lines(const std::string& text, std::size_t count);

/// Runs it on our own terminal, for commands that hand over to another program. Its exit code.
int run_attached(const Command& command);

}  // namespace lab
