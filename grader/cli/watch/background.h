// Runs a command of `lab` while the program goes on, and can stop it at any time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace lab::cli {

/// A command of this program as a process of its own, in its own process group, so that nothing
/// which happens to it harms us, and nothing outlives it. Its stdin is empty.
class BackgroundCommand {
public:
    /// `arguments` without the program's name; `environment`: "NAME=value", on top of ours. Throws
    /// Failure (our fault) if it cannot be started.
    BackgroundCommand(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment);
    /// Stops it with all that it started.
    ~BackgroundCommand();
    BackgroundCommand(const BackgroundCommand&) = delete;
    BackgroundCommand& operator=(const BackgroundCommand&) = delete;

    /// Readable when the command has ended.
    int descriptor() const { return handle_.get(); }
    bool has_ended() const;
    /// Waits for its end. 128 + N when signal N ended it.
    int exit_code();
    /// What it has written up to now.
    std::string out() const;
    std::string err() const;
    std::chrono::steady_clock::time_point begin() const { return begin_; }

private:
    pid_t pid_ = -1;
    Descriptor out_, err_, handle_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    int exit_code_ = -1;
};

/// Runs a command of this program on our terminal. A signal that arrives at `signals`, a signalfd,
/// and that ends programs stops it; Ctrl-C and Ctrl-Z are left to the command.
/// Returns its exit code; `ended_by`: the signal that was read, or 0.
int run_on_terminal(const std::vector<std::string>& arguments, int signals, int& ended_by);

}  // namespace lab::cli
