#include "cli/vgpu/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/failure.h"
#include "base/null_ended.h"

namespace lab {
namespace {

Failure cannot(const char* what) {
    return own_fault(fmt::format("Cannot {}: {}.", what, std::strerror(errno)));
}

struct Pair {
    Descriptor ours, theirs;
};

Pair socket_pair(int type) {
    int ends[2];
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) throw cannot("make a socket");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Starts a program with the descriptors in `keep`; its errno when that fails.
std::pair<pid_t, int> start(std::vector<std::string> words, const std::vector<int>& keep,
                            std::vector<std::string> environment, bool in_background) {
    const auto argv = null_ended(words), envp = null_ended(environment);
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) throw cannot("make a pipe");
    Descriptor from_child(report[0]), to_parent(report[1]);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) throw cannot("start a process");
    if (pid == 0) {
        // Ctrl-C is for the program: the device process is in another group.
        if (in_background) setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, in_background ? SIGKILL : SIGTERM);
        if (getppid() != parent) _exit(127);
        for (const int fd : keep) fcntl(fd, F_SETFD, 0);
        execvpe(argv[0], argv.data(), envp.data());
        const int error = errno;
        if (write(to_parent.get(), &error, sizeof(error)) < 0) _exit(126);
        _exit(127);
    }
    to_parent.reset();
    int error = 0;
    if (read(from_child.get(), &error, sizeof(error)) <= 0) return {pid, 0};
    waitpid(pid, nullptr, 0);
    return {-1, error};
}

std::vector<std::string> our_environment() {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    return all;
}

/// Puts `value` in front of a list in the environment, `separator` between.
void prepend(std::vector<std::string>& environment, const std::string& name,
             const std::string& value, char separator) {
    for (std::string& entry : environment) {
        if (!entry.starts_with(name + "=")) continue;
        const std::string old = entry.substr(name.size() + 1);
        entry = name + "=" + value + (old.empty() ? "" : separator + old);
        return;
    }
    environment.push_back(name + "=" + value);
}

std::vector<std::string> program_environment(const VgpuRun& run, int client) {
    auto environment = our_environment();
    std::erase_if(environment, [](const auto& e) { return e.starts_with("VGPU_CLIENT_FD="); });
    environment.push_back(fmt::format("VGPU_CLIENT_FD={}", client));
    prepend(environment, "LD_LIBRARY_PATH", run.stand_ins.string(), ':');
    prepend(environment, "LD_LIBRARY_PATH", run.library.parent_path().string(), ':');
    const bool has_tool = std::any_of(environment.begin(), environment.end(), [](const auto& e) {
        return e.starts_with("NVTX_INJECTION64_PATH=");
    });
    if (run.annotates && !has_tool)
        environment.push_back("NVTX_INJECTION64_PATH=" + run.library.string());
    if (run.preload) prepend(environment, "LD_PRELOAD", run.library.string(), ':');
    return environment;
}

/// Handles signals that end this process while the program runs. An interrupt of the terminal
/// reaches the program anyway; all others are passed on.
pid_t signalled_program = -1;  // one at a time, and only this thread starts any

class Signals {
public:
    explicit Signals(pid_t program) {
        signalled_program = program;
        for (std::size_t i = 0; i < std::size(kAll); ++i) {
            struct sigaction action {};
            action.sa_handler =
                i < kIgnored ? SIG_IGN : [](int signal) { kill(signalled_program, signal); };
            action.sa_flags = SA_RESTART;
            sigaction(kAll[i], &action, &before_[i]);
        }
    }
    ~Signals() {
        for (std::size_t i = 0; i < std::size(kAll); ++i) sigaction(kAll[i], &before_[i], nullptr);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

private:
    static constexpr int kAll[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    static constexpr std::size_t kIgnored = 2;
    struct sigaction before_[std::size(kAll)];
};

/// The records, cut into lines.
class Records {
public:
    Records(int socket, const std::function<void(std::string_view)>& record)
        : socket_(socket), record_(record) {}

    /// Takes what has arrived; false when there will be no more.
    bool take() {
        char buffer[1 << 16];
        const ssize_t size = read(socket_, buffer, sizeof(buffer));
        if (size <= 0) return size < 0 && errno == EINTR;
        text_.append(buffer, static_cast<std::size_t>(size));
        std::size_t begin = 0;
        for (std::size_t end; (end = text_.find('\n', begin)) != std::string::npos;
             begin = end + 1) {
            const std::string_view line = std::string_view(text_).substr(begin, end - begin);
            record_(line);
            if (line.starts_with(R"({"record":"mark")")) has_mark_ = true;
        }
        text_.erase(0, begin);
        return true;
    }
    enum class Rest { taken, kernel_runs, device_gone };
    /// Asks for the remaining records, and takes them. A killed program may leave a kernel behind,
    /// which keeps the device process from answering: do not wait for that.
    Rest finish() {
        constexpr std::string_view kMark = "mark 1\n";
        constexpr int kPatience_ms = 1000;
        if (send(socket_, kMark.data(), kMark.size(), MSG_NOSIGNAL) < 0) return Rest::device_gone;
        while (!has_mark_) {
            pollfd answer{socket_, POLLIN, 0};
            const int ready = poll(&answer, 1, kPatience_ms);
            if (ready == 0) return Rest::kernel_runs;
            if (ready > 0 && !take()) return Rest::device_gone;
        }
        return Rest::taken;
    }

private:
    int socket_;
    const std::function<void(std::string_view)>& record_;
    std::string text_;
    bool has_mark_ = false;
};

/// Takes records until the program has ended; false when the device process ended first.
bool follow(pid_t program, int socket, Records& records) {
    // glibc 2.36 declares pidfd_open() for C only.
    const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, program, 0)));
    if (handle.get() < 0) throw cannot("watch the program");
    bool is_there = true;
    for (;;) {
        pollfd fds[] = {{is_there ? socket : -1, POLLIN, 0}, {handle.get(), POLLIN, 0}};
        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR) continue;
            throw cannot("watch the program");
        }
        if (fds[0].revents != 0) is_there = records.take();
        if (fds[1].revents != 0) return is_there;
    }
}

}  // namespace

VgpuEnd run_on_vgpu(const VgpuRun& run, const std::function<void(std::string_view)>& record) {
    Pair client = socket_pair(SOCK_SEQPACKET), checker = socket_pair(SOCK_STREAM);
    std::vector<std::string> device{run.device.string(), "--client",
                                    std::to_string(client.ours.get()), "--checker",
                                    std::to_string(checker.theirs.get())};
    device.insert(device.end(), run.device_arguments.begin(), run.device_arguments.end());
    const auto [device_pid, device_error] =
        start(device, {client.ours.get(), checker.theirs.get()}, our_environment(), true);
    if (device_error != 0) {
        throw own_fault(
            fmt::format("Cannot start {}: {}.", run.device.string(), std::strerror(device_error)));
    }
    client.ours.reset();
    checker.theirs.reset();

    VgpuEnd end;
    const auto [program, error] = start(run.program, {client.theirs.get()},
                                        program_environment(run, client.theirs.get()), false);
    end.start_error = error;
    if (error == 0) {
        client.theirs.reset();
        const Signals signals(program);
        Records records(checker.ours.get(), record);
        const bool is_there = follow(program, checker.ours.get(), records);
        int status = 0;
        while (waitpid(program, &status, 0) < 0 && errno == EINTR) {
        }
        end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        end.exit_code = end.signal != 0 ? 128 + end.signal : WEXITSTATUS(status);
        const auto rest = is_there ? records.finish() : Records::Rest::device_gone;
        end.device_was_lost = rest == Records::Rest::device_gone;
        end.kernel_was_running = rest == Records::Rest::kernel_runs;
    }
    kill(device_pid, SIGKILL);  // all records are here: it need not free its memory
    while (waitpid(device_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return end;
}

}  // namespace lab
