#include "cli/watch/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/failure.h"
#include "base/null_ended.h"

namespace lab::cli {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";
/// A grading ends at once when it is asked to. Then it is killed.
constexpr int kPatience_ms = 300;

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
    std::vector<std::string> all = changes;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('=') + 1);
        if (std::ranges::none_of(changes, [&](const auto& one) { return one.starts_with(name); }))
            all.emplace_back(text);
    }
    return all;
}

/// glibc 2.36 declares pidfd_open() for C only.
Descriptor handle_of(pid_t pid) {
    return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

bool ends_within(const Descriptor& handle, int time_ms) {
    pollfd event{handle.get(), POLLIN, 0};
    return poll(&event, 1, time_ms) > 0;
}

int wait_for_end(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_in(const Descriptor& file) {
    std::string text(static_cast<std::size_t>(std::max<off_t>(0, lseek(file.get(), 0, SEEK_END))),
                     '\0');
    const ssize_t got = pread(file.get(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
}

Descriptor new_memory_file() {
    Descriptor file(memfd_create("lab", MFD_CLOEXEC));
    if (!file) throw own_fault(fmt::format("Cannot make a memory file: {}.", std::strerror(errno)));
    // Two writers share a position, so each must write at the end.
    fcntl(file.get(), F_SETFL, O_APPEND);
    return file;
}

/// The streams are -1 for a command on the terminal.
pid_t start_lab(std::vector<std::string> arguments, const std::vector<std::string>& changes,
                int out, int err) {
    arguments.insert(arguments.begin(), "lab");
    std::vector<std::string> environment = changed_environment(changes);
    const std::vector<char*> argv = null_ended(arguments), envp = null_ended(environment);
    const bool is_in_background = out >= 0;
    const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) throw own_fault(fmt::format("Cannot start a process: {}.", std::strerror(errno)));
    if (pid > 0) {
        if (is_in_background) setpgid(pid, pid);  // here too: whoever is first
        return pid;
    }
    if (is_in_background) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (is_in_background) {
        dup2(nothing.get(), STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
    }
    execve(kThisProgram, argv.data(), envp.data());
    _exit(127);
}

}  // namespace

BackgroundCommand::BackgroundCommand(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& environment)
    : out_(new_memory_file()), err_(new_memory_file()) {
    pid_ = start_lab(arguments, environment, out_.get(), err_.get());
    handle_ = handle_of(pid_);
}

BackgroundCommand::~BackgroundCommand() {
    if (exit_code_ >= 0) return;
    kill(-pid_, SIGTERM);
    if (!ends_within(handle_, kPatience_ms)) kill(-pid_, SIGKILL);
    exit_code();
}

bool BackgroundCommand::has_ended() const {
    return exit_code_ >= 0 || ends_within(handle_, 0);
}

int BackgroundCommand::exit_code() {
    if (exit_code_ >= 0) return exit_code_;
    exit_code_ = wait_for_end(pid_);
    kill(-pid_, SIGKILL);  // whatever it left in its group
    return exit_code_;
}

std::string BackgroundCommand::out() const {
    return text_in(out_);
}

std::string BackgroundCommand::err() const {
    return text_in(err_);
}

int run_on_terminal(const std::vector<std::string>& arguments, int signals, int& ended_by) {
    ended_by = 0;
    const pid_t pid = start_lab(arguments, {}, -1, -1);
    const Descriptor handle = handle_of(pid);
    for (;;) {
        pollfd events[] = {{handle.get(), POLLIN, 0}, {signals, POLLIN, 0}};
        if (poll(events, 2, -1) < 0) continue;
        if (events[0].revents != 0) return wait_for_end(pid);
        signalfd_siginfo info{};
        if (read(signals, &info, sizeof info) != sizeof info) continue;
        const int signal = static_cast<int>(info.ssi_signo);
        if (signal == SIGTERM || signal == SIGHUP) {
            ended_by = signal;
            kill(pid, SIGTERM);
            if (!ends_within(handle, kPatience_ms)) kill(pid, SIGKILL);
        } else if (signal == SIGTSTP) {
            raise(SIGSTOP);  // the command has stopped, too: we share its group
        }
    }
}

}  // namespace lab::cli
