#include "runtime/client/threads/thread_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace vgpu::client {
namespace {

/// Where a thread sleeps only for a moment, because others change the process's memory, too; -1 is
/// a page fault.
constexpr long kBusyCalls[] = {-1,          SYS_mmap, SYS_munmap, SYS_mprotect,
                               SYS_madvise, SYS_brk,  SYS_clone,  SYS_clone3};

}  // namespace

ThreadState::~ThreadState() {
    if (file_ >= 0) close(file_);
}

void ThreadState::is_of_this_thread() {
    id_ = gettid();
    pthread_getcpuclockid(pthread_self(), &clock_);
}

Doing ThreadState::look() {
    if (file_ < 0) {
        char path[64];
        std::snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", static_cast<int>(id_));
        file_ = open(path, O_RDONLY | O_CLOEXEC);
    }
    char text[256];
    const ssize_t size = pread(file_, text, sizeof(text) - 1, 0);
    if (size <= 0) return Doing::sleeps;
    text[size] = '\0';
    if (std::string_view(text).starts_with("running")) return Doing::runs;
    const long call = std::strtol(text, nullptr, 10);
    if (call == SYS_futex) return Doing::waits;
    return std::ranges::find(kBusyCalls, call) != std::end(kBusyCalls) ? Doing::runs
                                                                       : Doing::sleeps;
}

double ThreadState::core_s() const {
    timespec used{};
    clock_gettime(clock_, &used);  // 0 when the thread has ended
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace vgpu::client
