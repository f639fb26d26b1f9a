#include "pseudo_terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "grading.h"

namespace lab::e2e {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kClear = "\x1b[H\x1b[2J";

}  // namespace

OnTerminal::OnTerminal(const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment) {
    winsize size{};
    size.ws_col = 80;
    size.ws_row = 24;
    const std::string state = (scratch_folder() / "state").string();
    const std::string folder = scratch_folder().string();
    std::vector<char*> argv = {const_cast<char*>(LAB_TEST_BINARY)};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ < 0) throw std::runtime_error("forkpty failed");
    if (pid_ > 0) return;
    setenv("LAB_ROOT", LAB_TEST_ROOT, 1);
    setenv("LAB_BUILD", LAB_TEST_BUILD, 1);
    setenv("LAB_STATE", state.c_str(), 1);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    for (const std::string& one : environment) putenv(const_cast<char*>(one.c_str()));
    if (chdir(folder.c_str()) != 0) _exit(127);
    execv(LAB_TEST_BINARY, argv.data());
    _exit(127);
}

OnTerminal::~OnTerminal() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    close(terminal_);
}

void OnTerminal::type(const std::string& keys) const {
    if (write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
        throw std::runtime_error("cannot type");
}

bool OnTerminal::read_some(milliseconds wait) {
    pollfd event{terminal_, POLLIN, 0};
    if (poll(&event, 1, static_cast<int>(wait.count())) <= 0) return false;
    char buffer[4096];
    const ssize_t got = read(terminal_, buffer, sizeof buffer);
    if (got <= 0) return false;
    output_.append(buffer, static_cast<std::size_t>(got));
    return true;
}

bool OnTerminal::shows(const std::string& words, std::chrono::seconds limit) {
    const auto end = Clock::now() + limit;
    while (screen().find(words) == std::string::npos) {
        if (Clock::now() > end) return false;
        if (!read_some(milliseconds(200)) && kill(pid_, 0) != 0) return false;
    }
    return true;
}

std::string OnTerminal::screen() const {
    const std::size_t cleared = output_.rfind(kClear);
    return cleared == std::string::npos ? output_ : output_.substr(cleared);
}

termios OnTerminal::settings() const {
    termios now{};
    tcgetattr(terminal_, &now);
    return now;
}

int OnTerminal::exit_code() {
    if (pid_ < 0) return -1;
    for (const auto end = Clock::now() + std::chrono::seconds(10); Clock::now() < end;) {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) == pid_) {
            pid_ = -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        read_some(milliseconds(20));
    }
    return -1;
}

}  // namespace lab::e2e
