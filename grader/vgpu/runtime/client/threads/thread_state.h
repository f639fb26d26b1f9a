// The state of another thread of this process, from /proc/self/task/ID/syscall: "running", whether
// it has a core or waits for one, or the system call in which it sleeps. A thread that waits for a
// page of memory counts as running.
#pragma once

#include <sys/types.h>

#include <ctime>

namespace vgpu::client {

enum class Doing {
    runs,
    sleeps,  ///< or has ended, or nobody can tell
    waits,   ///< for another thread: for a lock, a condition variable, an atomic variable, ...
};

class ThreadState {
public:
    ThreadState() = default;
    ~ThreadState();
    ThreadState(const ThreadState&) = delete;
    ThreadState& operator=(const ThreadState&) = delete;

    /// The thread that calls this is the one.
    void is_of_this_thread();
    Doing look();
    /// What it has used of a core so far.
    double core_s() const;

private:
    pid_t id_ = 0;
    clockid_t clock_ = 0;
    int file_ = -1;  ///< opened at the first look
};

}  // namespace vgpu::client
