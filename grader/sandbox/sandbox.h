// Starts a program that we do not trust: a submission's runner, or nvcc on a submission.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"

// With bubblewrap the child has its own users, processes, network, IPC and files: it sees /usr, the
// given paths, and an empty /tmp. Where namespaces are not allowed (some containers and clusters)
// it still gets a system call filter, limits, a clean environment, and the user "nobody" when we
// are root. That guards against accidents only, and isolation() says so. Where the kernel takes no
// filter either (qemu-user, some containers), nothing starts, unless the user asks for no sandbox.

namespace lab {

/// Our own fault or the machine's, never the submission's: what() names the fault and the fix.
class SandboxError : public std::runtime_error {
    using runtime_error::runtime_error;
};

struct Isolation {
    bool namespaces = false;
    /// The system call filter, and "nobody" when we are root. False: LAB_SANDBOX=off, so programs
    /// are plain child processes with limits and a clean environment.
    bool filter = true;
    std::string note;  ///< without namespaces: why not, and the remedy
    /// As results say it: "namespaces", "accidents only" or "none".
    std::string name() const {
        return namespaces ? "namespaces" : filter ? "accidents only" : "none";
    }
};

/// The isolation that this machine allows; tried once per process, a few ms. LAB_SANDBOX=off turns
/// it off, for users who run their own code only; LAB_ISOLATION=plain turns namespaces off, for
/// tests and for machines where they misbehave. Both are read here alone, before anything of a
/// submission runs, and no program in a sandbox inherits them. Throws SandboxError if the machine
/// allows no sandbox, Failure (usage) for another value of LAB_SANDBOX, and Interrupted
/// (base/failure.h) if somebody ends each try.
const Isolation& isolation();

/// 0 means: not limited.
struct SandboxLimits {
    std::uint64_t file_bytes = 256ull << 20;  ///< the largest file it may write
    std::uint64_t data_bytes = 0;  ///< heap and private mappings; CUDA needs it unlimited
    std::uint64_t cpu_s = 0;       ///< of each process; SIGXCPU, and SIGKILL a little later
    /// Of a program that is run to its end: one that reads what never comes (a pipe, a terminal)
    /// uses no core. It is stopped after this long without a tick of one (chosen: slow disks take
    /// less).
    std::chrono::milliseconds stall{60'000};
};

/// Half of the machine's memory, and `most` at most: the rest belongs to others.
std::uint64_t half_of_memory(std::uint64_t most);

/// A program does not cause its waits for cores and GPUs that others use, but the clock outside
/// counts them. So a program counts as hanging only after this many times the limit of its own time
/// (chosen; the checker has the same bound for cores, kMostTimesAsLong).
inline constexpr int kWaitsForOthers = 10;

enum class SystemCalls {
    all,  ///< a compiler: may start programs
    /// No new processes, no network, no debugging of others, no memory outside the limits: those
    /// raise SIGSYS.
    runner,
    gpu_runner,  ///< as runner, but with local sockets and files in memory, which the driver needs
    device,      ///< as runner, but with files in memory: ours, on submitted bytes
};

struct SandboxSpec {
    std::filesystem::path program;
    std::vector<std::string> arguments;    ///< without argv[0]
    std::vector<std::string> environment;  ///< "NAME=value"; nothing else is inherited
    /// Open here -> number there. All other descriptors are closed. 0 to 2 that are not named are
    /// /dev/null.
    std::vector<std::pair<int, int>> descriptors;
    std::vector<std::filesystem::path>
        readable;  ///< seen at their own path, besides /usr and /lib*
    std::vector<std::filesystem::path> writable;
    std::vector<std::filesystem::path> hidden;  ///< folders that look empty if they would show
    bool nvidia_gpu = false;  ///< the driver's device nodes, /sys and /proc/driver
    std::filesystem::path working_folder = "/";
    SystemCalls system_calls = SystemCalls::runner;
    SandboxLimits limits;
};

/// A started child: killed and reaped when this goes away.
class Child {
public:
    Child() = default;
    /// `status`: the end of a pipe to which the sandbox's first process writes how the program
    /// ended; none without namespaces.
    explicit Child(pid_t pid, Descriptor status = {}) : pid_(pid), status_(std::move(status)) {}
    Child(Child&& other) noexcept
        : pid_(std::exchange(other.pid_, -1)), status_(std::move(other.status_)) {}
    Child& operator=(Child&& other) noexcept;
    ~Child() { kill(); }

    pid_t pid() const { return pid_; }
    bool running() const { return pid_ > 0; }
    /// The program's status, as from waitpid, if it ended within `patience`. Of a sandbox that was
    /// ended itself: the signal that did it.
    std::optional<int> wait(std::chrono::milliseconds patience);
    /// Ends it, and everything in its process namespace; without one, its process group and what
    /// still descends from it.
    void kill();

private:
    int program_status(int status) const;
    void end_group() const;

    pid_t pid_ = -1;
    Descriptor status_;
};

/// Starts the program. It dies with the calling thread, so start children from one that stays.
Child spawn(const SandboxSpec& spec);

struct ConfinedResult {
    int exit_code = 0;  ///< 128 + N when signal N ended it
    bool timed_out = false;
    bool stalled = false;  ///< timed out by SandboxLimits::stall
    std::string output;    ///< stdout and stderr, as they came, at most `output_limit_bytes`
    bool output_cut = false;
    double seconds = 0;
};

/// Runs a program to its end and gathers what it prints. For nvcc: SystemCalls::all, the toolkit,
/// lab folder, contract headers and source readable, the output folder writable; anything else
/// outside /usr is not there, so `#include "../../solutions/x.cu"` and `.incbin` find nothing.
ConfinedResult run_confined(SandboxSpec spec, std::chrono::milliseconds time_limit,
                            std::size_t output_limit_bytes = 256 << 10);

/// Keeps other processes of the same user out of this one's memory (/proc/PID/mem, ptrace).
void make_undumpable();

}  // namespace lab
