// Starts a child in one of two ways, after the same preparation: bubblewrap with the program as its
// argument, or the program itself after giving up rights. Everything that allocates happens before
// fork(); the child only makes system calls.
#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

#include "base/descriptor.h"
#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/null_ended.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/processes.h"
#include "sandbox/system_calls.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr std::uint64_t kSecondsToSayWhy = 5;  // of a core, from SIGXCPU to SIGKILL (chosen)

SandboxError system_error(const std::string& what) {
    return SandboxError(what + ": " + std::strerror(errno));
}

std::pair<Descriptor, Descriptor> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

int wait_status_to_code(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// ---------------------------------------------------------------------------
// The child between fork and exec: system calls only.

/// Everything that the child needs, prepared before fork().
struct Prepared {
    std::vector<std::string> line, environment;
    std::vector<char*> argv, envp;
    std::vector<std::pair<int, int>> descriptors;
    std::vector<sock_filter> filter;  ///< to be loaded by the child itself
    std::string working_folder;
    int program = -1;  ///< open: "nobody" may not be able to reach its path
    int highest_descriptor = 2;
    bool become_nobody = false;
    SandboxLimits limits;
    int failure_pipe = -1;
    pid_t parent = 0;
};

[[noreturn]] void give_up(int failure_pipe, const char* what) {
    const int error = errno;
    [[maybe_unused]] ssize_t written = write(failure_pipe, &error, sizeof(error));
    written = write(failure_pipe, what, std::strlen(what));
    _exit(127);
}

/// `grace`: the amount allowed after the warning signal.
void limit(int resource, std::uint64_t value, std::uint64_t grace = 0) {
    const rlimit soft_and_hard{value, value + grace};
    setrlimit(static_cast<__rlimit_resource>(resource), &soft_and_hard);
}

void set_limits(const SandboxLimits& limits) {
    limit(RLIMIT_CORE, 0);
    if (limits.file_bytes != 0) limit(RLIMIT_FSIZE, limits.file_bytes);
    if (limits.data_bytes != 0) limit(RLIMIT_DATA, limits.data_bytes);
    if (limits.cpu_s != 0) limit(RLIMIT_CPU, limits.cpu_s, kSecondsToSayWhy);
}

/// Puts every descriptor at its number; the failure pipe survives above them, until exec.
int place_descriptors(Prepared& prepared) {
    const int above = prepared.highest_descriptor + 64;
    for (auto& [from, to] : prepared.descriptors) {
        from = fcntl(from, F_DUPFD_CLOEXEC, above);
        if (from < 0) give_up(prepared.failure_pipe, "cannot pass a descriptor");
    }
    const int failure_pipe = fcntl(prepared.failure_pipe, F_DUPFD_CLOEXEC, above);
    if (prepared.program >= 0) prepared.program = fcntl(prepared.program, F_DUPFD_CLOEXEC, above);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int standard = 0; standard <= 2; ++standard) dup2(nothing, standard);
    for (int other = 3; other <= prepared.highest_descriptor; ++other) close(other);
    for (const auto& [from, to] : prepared.descriptors) dup2(from, to);
    close_range(static_cast<unsigned>(prepared.highest_descriptor) + 1, ~0u, CLOSE_RANGE_CLOEXEC);
    return failure_pipe;
}

[[noreturn]] void become_child(Prepared& prepared) {
    const int failure_pipe = place_descriptors(prepared);
    set_limits(prepared.limits);
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    setsid();
    if (prepared.become_nobody) {
        if (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
            setresuid(kNobody, kNobody, kNobody) != 0) {
            give_up(failure_pipe, "cannot become nobody");
        }
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // after setresuid, which clears it
    if (getppid() != prepared.parent) _exit(127);
    if (!prepared.working_folder.empty() && chdir(prepared.working_folder.c_str()) != 0) {
        give_up(failure_pipe, "cannot enter the working folder");
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!prepared.filter.empty()) {
        const sock_fprog program{static_cast<unsigned short>(prepared.filter.size()),
                                 prepared.filter.data()};
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
            give_up(failure_pipe, "cannot set the system call filter");
        }
    }
    // By its path where that is possible: a script's interpreter must find the script.
    if (prepared.become_nobody)
        fexecve(prepared.program, prepared.argv.data(), prepared.envp.data());
    else
        execve(prepared.argv.front(), prepared.argv.data(), prepared.envp.data());
    give_up(failure_pipe, "cannot start it");
}

/// The filter as a file for bubblewrap, which loads it last.
Descriptor filter_file(const std::vector<sock_filter>& filter) {
    Descriptor file(memfd_create("filter", MFD_CLOEXEC));
    const std::size_t bytes = filter.size() * sizeof(sock_filter);
    if (file.get() < 0 || write(file.get(), filter.data(), bytes) != static_cast<ssize_t>(bytes) ||
        lseek(file.get(), 0, SEEK_SET) != 0) {
        throw system_error("cannot write the system call filter");
    }
    return file;
}

/// bubblewrap's own message for a missing path would name neither us nor the remedy.
void check_paths(const SandboxSpec& spec) {
    std::vector<fs::path> needed{spec.program};
    needed.insert(needed.end(), spec.readable.begin(), spec.readable.end());
    needed.insert(needed.end(), spec.writable.begin(), spec.writable.end());
    for (const fs::path& path : needed) {
        if (access(path.c_str(), F_OK) != 0) throw system_error("cannot open " + path.string());
    }
}

Child start(const SandboxSpec& spec, const Isolation& isolation) {
    check_paths(spec);
    Prepared prepared;
    prepared.descriptors = spec.descriptors;
    for (const auto& [from, to] : spec.descriptors) {
        prepared.highest_descriptor = std::max(prepared.highest_descriptor, to);
    }
    std::vector<sock_filter> filter;
    if (isolation.filter) filter = filter_program(spec.system_calls);
    Descriptor filter_descriptor, status_in, status_out;
    fs::path executable = spec.program;
    if (isolation.namespaces) {
        const auto pass_on = [&](const Descriptor& descriptor) {
            prepared.descriptors.emplace_back(descriptor.get(), ++prepared.highest_descriptor);
            return prepared.highest_descriptor;
        };
        if (!filter.empty()) filter_descriptor = filter_file(filter);
        std::tie(status_in, status_out) = make_pipe();
        // Somebody may keep the other end, when a sandbox is ended.
        fcntl(status_in.get(), F_SETFL, O_NONBLOCK);
        const int filter_number = filter_descriptor ? pass_on(filter_descriptor) : -1;
        prepared.line = bubblewrap_line(spec, filter_number, pass_on(status_out));
        executable = bubblewrap_program();
    } else {
        prepared.line = {spec.program};
        prepared.line.insert(prepared.line.end(), spec.arguments.begin(), spec.arguments.end());
        prepared.environment = spec.environment;
        prepared.filter = std::move(filter);
        prepared.working_folder = spec.working_folder;
        // A compiler must write its output as us.
        prepared.become_nobody =
            isolation.filter && geteuid() == 0 && spec.system_calls != SystemCalls::all;
    }
    prepared.limits = spec.limits;
    prepared.argv = null_ended(prepared.line);
    prepared.envp = null_ended(prepared.environment);
    const Descriptor program(open(executable.c_str(), O_RDONLY | O_CLOEXEC));
    if (program.get() < 0) throw system_error("cannot open " + executable.string());
    prepared.program = program.get();
    auto [failure_in, failure_out] = make_pipe();
    prepared.failure_pipe = failure_out.get();
    prepared.parent = getpid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);

    const pid_t pid = fork();
    if (pid < 0) throw system_error("cannot start a process");
    if (pid == 0) become_child(prepared);
    Child child(pid, std::move(status_in));
    failure_out.reset();
    int error = 0;
    if (read(failure_in.get(), &error, sizeof(error)) == sizeof(error)) {
        std::array<char, 100> what{};
        [[maybe_unused]] const ssize_t size = read(failure_in.get(), what.data(), what.size() - 1);
        throw SandboxError(executable.string() + ": " + what.data() + ": " + std::strerror(error));
    }
    return child;
}

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Watches whether a program and what it started use a core now and then.
class StallWatch {
public:
    StallWatch(pid_t program, milliseconds limit) : program_(program), limit_(limit) {}

    bool is_stalled() {
        double used_s = 0;
        for (const auto& [pid, stat] : processes_below({program_})) used_s += stat.used_s;
        if (used_s != used_s_) since_ = Clock::now();
        used_s_ = used_s;
        return Clock::now() - since_ >= limit_;
    }

private:
    pid_t program_;
    milliseconds limit_;
    double used_s_ = 0;
    Clock::time_point since_ = Clock::now();
};

/// Reads until the other end closes, the limit or the deadline.
void gather(Child& child, int pipe_end, milliseconds stall_limit, Clock::time_point deadline,
            std::size_t output_limit_bytes, ConfinedResult& result) {
    const milliseconds look = stall_limit / 30;
    std::array<char, 16 << 10> chunk{};
    StallWatch watch(child.pid(), stall_limit);
    while (true) {
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
        pollfd waiting{pipe_end, POLLIN, 0};
        const int wait_ms = static_cast<int>(std::clamp(left, milliseconds(0), look).count());
        const int ready = poll(&waiting, 1, wait_ms);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            result.stalled = watch.is_stalled();
            result.timed_out = result.stalled || left <= look;
            if (!result.timed_out) continue;
            child.kill();
            return;
        }
        const ssize_t size = read(pipe_end, chunk.data(), chunk.size());
        if (size <= 0) return;
        const std::size_t room = output_limit_bytes - result.output.size();
        const auto taken = std::min(room, static_cast<std::size_t>(size));
        result.output.append(chunk.data(), taken);
        result.output_cut = result.output_cut || taken < static_cast<std::size_t>(size);
    }
}

ConfinedResult run_to_end(SandboxSpec spec, const Isolation& isolation,
                          std::chrono::milliseconds time_limit, std::size_t output_limit_bytes) {
    const auto begin = Clock::now();
    ConfinedResult result;
    auto [read_end, write_end] = make_pipe();
    spec.descriptors.emplace_back(write_end.get(), 1);
    spec.descriptors.emplace_back(write_end.get(), 2);
    Child child = start(spec, isolation);
    write_end.reset();
    gather(child, read_end.get(), spec.limits.stall, begin + time_limit, output_limit_bytes,
           result);
    if (!result.timed_out) {
        const auto left =
            std::chrono::duration_cast<milliseconds>(begin + time_limit - Clock::now());
        const std::optional<int> status = child.wait(std::max(left, std::chrono::milliseconds(1)));
        result.timed_out = !status;
        if (status) result.exit_code = wait_status_to_code(*status);
    }
    const auto end = Clock::now();
    result.seconds = std::chrono::duration<double>(end - begin).count();
    return result;
}

/// Whether the user asked for no sandbox.
bool is_turned_off() {
    const char* wish = std::getenv("LAB_SANDBOX");
    if (wish == nullptr || *wish == '\0') return false;
    if (std::strcmp(wish, "off") == 0) return true;
    throw usage_failure("LAB_SANDBOX=" + std::string(wish) +
                        " is not known. The only value is off: no sandbox, for your own code only. "
                        "With a sandbox: unset LAB_SANDBOX");
}

/// Runs a program that does nothing.
ConfinedResult try_once(const Isolation& isolation) {
    SandboxSpec spec;
    spec.program = "/usr/bin/true";
    return run_to_end(spec, isolation, std::chrono::seconds(10), 4096);
}

/// Without namespaces. Throws SandboxError where not even the filter is possible.
Isolation weaker(const std::string& why) {
    const Isolation isolation{false, true, why};
    try {
        try_once(isolation);
    } catch (const SandboxError& error) {
        throw SandboxError("This machine allows no sandbox.\n  " + why + "\n  " + error.what() +
                           "\nFor your own code only, run without one: export LAB_SANDBOX=off");
    }
    return isolation;
}

Isolation try_isolation() {
    if (is_turned_off())
        return {false, false, "LAB_SANDBOX=off is set, which is for your own code only"};
    const char* wish = std::getenv("LAB_ISOLATION");
    if (wish != nullptr && std::strcmp(wish, "plain") == 0)
        return weaker("LAB_ISOLATION=plain is set");
    if (access(bubblewrap_program().c_str(), X_OK) != 0)
        return weaker("bubblewrap is not installed (apt install bubblewrap)");
    const Isolation full{true, true, ""};
    ConfinedResult result = try_once(full);
    // Somebody who ends it must not end isolation.
    for (int again = 0; again < 2 && signal_from_outside(result.exit_code) != 0; ++again)
        result = try_once(full);
    if (result.exit_code == 0 && !result.timed_out) return full;
    if (const int signal = signal_from_outside(result.exit_code); signal != 0)
        throw Interrupted("bubblewrap " + ended_from_outside(signal));
    return weaker("namespaces are not allowed here: " +
                  result.output.substr(0, result.output.find('\n')));
}

}  // namespace

const Isolation& isolation() {
    static const Isolation tried = try_isolation();
    return tried;
}

Child& Child::operator=(Child&& other) noexcept {
    if (this != &other) {
        kill();
        pid_ = std::exchange(other.pid_, -1);
        status_ = std::move(other.status_);
    }
    return *this;
}

std::optional<int> Child::wait(std::chrono::milliseconds patience) {
    if (pid_ <= 0) return std::nullopt;
    const Descriptor watched(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    if (watched.get() >= 0) {
        pollfd waiting{watched.get(), POLLIN, 0};
        if (poll(&waiting, 1, static_cast<int>(patience.count())) == 0) return std::nullopt;
    }
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid != pid_)
        return std::nullopt;
    // What it started and left: with namespaces the kernel has ended it. As long as the program is
    // not reaped, no other group can have its number.
    if (!status_) end_group();
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return program_status(status);
}

/// From bubblewrap's own status, which counts where the sandbox's first process said nothing: then
/// that process was ended, and bubblewrap reports signal N as exit code 128 + N.
int Child::program_status(int status) const {
    if (!status_) return status;
    int own = 0;
    if (read(status_.get(), &own, sizeof(own)) == sizeof(own)) return own;
    const bool is_signal = WIFEXITED(status) && WEXITSTATUS(status) > 128;
    return is_signal ? WEXITSTATUS(status) - 128 : status;
}

void Child::end_group() const {
    ::kill(-pid_, SIGKILL);
}

void Child::kill() {
    if (pid_ <= 0) return;
    // Programs that left the group, where no namespace ends them with the first. Before that one is
    // ended: afterwards nothing says whose they were.
    std::map<pid_t, ProcessStat> others;
    if (!status_) others = processes_below({pid_});
    // The whole group: bubblewrap's second process asks to die with the first one only after the
    // set-up, and would otherwise wait for ever.
    end_group();
    ::kill(pid_, SIGKILL);  // in case it had not reached setsid() yet
    for (const auto& [other, stat] : others) ::kill(other, SIGKILL);
    waitpid(pid_, nullptr, 0);
    // The second one is ours now (start()). The kernel reports its end when nothing lives in its
    // namespace.
    while (waitpid(-pid_, nullptr, 0) > 0) {
    }
    for (const auto& [other, stat] : others) waitpid(other, nullptr, 0);  // ours now, too
    pid_ = -1;
}

std::uint64_t half_of_memory(std::uint64_t most) {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return most;
    return std::min(most,
                    static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) / 2);
}

Child spawn(const SandboxSpec& spec) {
    return start(spec, isolation());
}

ConfinedResult run_confined(SandboxSpec spec, std::chrono::milliseconds time_limit,
                            std::size_t output_limit_bytes) {
    return run_to_end(std::move(spec), isolation(), time_limit, output_limit_bytes);
}

void make_undumpable() {
    prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace lab
