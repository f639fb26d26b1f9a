// Gathers output in memory files, not pipes. A child may write as much as it likes to each of them
// in any order, and nothing blocks. A grandchild that outlives it does not keep us waiting.

#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/null_ended.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

Failure cannot(std::string_view what, const Command& command) {
    return own_fault(
        fmt::format("Cannot {} to run {}: {}.", what, command.argv.front(), std::strerror(errno)));
}

Descriptor memory_file(const Command& command) {
    const int number = memfd_create("lab", MFD_CLOEXEC);
    if (number < 0) throw cannot("make a memory file", command);
    return Descriptor(number);
}

std::string content(const Descriptor& file) {
    std::string text(static_cast<std::size_t>(lseek(file.get(), 0, SEEK_END)), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got =
            pread(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
}

/// Our own environment with `changes` on top.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
    std::vector<std::string> all = changes;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('=') + 1);
        bool changed = false;
        for (const std::string& change : changes) changed |= change.starts_with(name);
        if (!changed) all.emplace_back(text);
    }
    return all;
}

/// Descriptors of the child, by their number there; -1 leaves ours.
struct Streams {
    int in = -1, out = -1, err = -1, results = -1;
};

pid_t start(const Command& command, const Streams& streams, bool is_attached) {
    std::vector<std::string> arguments = command.argv;
    std::vector<std::string> environment = environment_with(command.environment);
    const std::vector<char*> argv = null_ended(arguments), envp = null_ended(environment);
    const std::string folder = command.working_folder.string();
    const pid_t parent = getpid();

    const pid_t pid = fork();
    if (pid < 0) throw cannot("start a process", command);
    if (pid > 0) return pid;
    // Only calls that are safe after fork() in a program with threads.
    if (!is_attached) {
        // A program with a time limit gets its own group, which can be killed. One without (a
        // build, which has children of its own) stays in ours: Ctrl-C and `timeout` stop all of it
        // together with us.
        if (command.time_limit.count() > 0) setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
    }
    const std::pair<int, int> moves[] = {{streams.in, STDIN_FILENO},
                                         {streams.out, STDOUT_FILENO},
                                         {streams.err, STDERR_FILENO},
                                         {streams.results, kResultsDescriptor}};
    for (const auto& [from, to] : moves) {
        if (from == to)
            fcntl(to, F_SETFD, 0);
        else if (from >= 0)
            dup2(from, to);
    }
    if (!is_attached) close_range(streams.results < 0 ? 3u : 4u, ~0u, 0);
    if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(127);
    execvpe(argv[0], argv.data(), envp.data());
    _exit(127);
}

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return exit_code(status);
}

/// True when the process ended in time; it is not reaped yet.
bool ended_within(pid_t pid, std::chrono::milliseconds limit) {
    // glibc 2.36 declares pidfd_open() for C only.
    const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    const auto end = Clock::now() + limit;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        pollfd event{handle.get(), POLLIN, 0};
        const int ready = poll(&event, 1, static_cast<int>(std::max<long>(0, left.count())));
        if (ready > 0) return true;
        if (ready == 0) return false;
    }
}

/// False when its time limit passed first. Calls on_output meanwhile.
bool ended_in_time(pid_t pid, const Command& command, const Descriptor& out) {
    constexpr std::chrono::milliseconds kOften{250};
    const bool has_limit = command.time_limit.count() > 0;
    if (!command.on_output) return !has_limit || ended_within(pid, command.time_limit);
    const auto end = Clock::now() + command.time_limit;
    while (!ended_within(pid, kOften)) {
        if (has_limit && Clock::now() >= end) return false;
        command.on_output(content(out));
    }
    return true;
}

}  // namespace

Finished run(const Command& command) {
    // The lowest numbers are the child's: a memory file must not sit there when it is moved.
    std::vector<Descriptor> low;
    for (;;) {
        Descriptor file = memory_file(command);
        const bool free = file.get() > kResultsDescriptor;
        low.push_back(std::move(file));
        if (free) break;
    }
    const Descriptor in = memory_file(command), out = memory_file(command),
                     err = memory_file(command), results = memory_file(command);
    for (std::string_view rest = command.input; !rest.empty();) {
        const ssize_t wrote = write(in.get(), rest.data(), rest.size());
        if (wrote <= 0) throw cannot("hand over input", command);
        rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
    lseek(in.get(), 0, SEEK_SET);

    Finished finished;
    const auto begin = Clock::now();
    const pid_t pid =
        start(command, {in.get(), out.get(), err.get(), command.with_results ? results.get() : -1},
              false);
    if (!ended_in_time(pid, command, out)) {
        finished.timed_out = true;
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);  // in case it had not reached setpgid() yet
    }
    finished.exit_code = wait_for(pid);
    finished.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    finished.out = content(out);
    finished.err = content(err);
    finished.results = content(results);
    return finished;
}

Finished run_again_if_ended(const Command& command, const std::string& name) {
    constexpr int kMostStarts = 3;
    for (int starts = 1;; ++starts) {
        Finished finished = run(command);
        const int signal = signal_from_outside(finished.exit_code);
        if (finished.timed_out || signal == 0) return finished;
        if (starts == kMostStarts) throw Interrupted(name + " " + ended_from_outside(signal));
    }
}

std::string last_lines(const std::string& text, std::size_t count) {
    std::size_t at = text.size() - (text.ends_with('\n') ? 1 : 0);
    while (count > 0 && at > 0) {
        at = text.rfind('\n', at - 1);
        if (at == std::string::npos) return text;
        --count;
    }
    return text.substr(at == 0 ? 0 : at + 1);
}

int run_attached(const Command& command) {
    return wait_for(start(command, {}, true));
}

}  // namespace lab
