// Runs the `lab` program on a terminal of its own, types, and reads the screen.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <string>
#include <vector>

namespace lab::e2e {

/// A command of `lab` on a pseudo-terminal of 80x24, as a terminal emulator starts it. Its state is
/// in the test's scratch folder.
class OnTerminal {
public:
    /// `environment`: "NAME=value", for example "TERM=dumb"; TERM is xterm unless given.
    explicit OnTerminal(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment = {});
    /// Kills what still runs.
    ~OnTerminal();
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;

    void type(const std::string& keys) const;
    /// Reads until the text shows what was printed since the last clearing of the screen with
    /// `words` in it. False after `limit`.
    bool shows(const std::string& words, std::chrono::seconds limit = std::chrono::seconds(60));
    /// The text since the screen was last cleared.
    std::string screen() const;
    /// All output so far.
    const std::string& output() const { return output_; }
    void forget() { output_.clear(); }

    pid_t pid() const { return pid_; }
    /// The terminal's settings.
    termios settings() const;
    /// Waits for its end: the exit code, 128 + N after signal N, -1 if it still runs after 10 s.
    int exit_code();

private:
    bool read_some(std::chrono::milliseconds wait);

    pid_t pid_ = -1;
    int terminal_ = -1;
    std::string output_;
};

}  // namespace lab::e2e
