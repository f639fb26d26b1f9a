#include "vgpu/runtime/client/thread_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace vgpu::client {

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
    return std::strtol(text, nullptr, 10) == SYS_futex ? Doing::waits : Doing::sleeps;
}

double ThreadState::core_s() const {
    timespec used{};
    clock_gettime(clock_, &used);  // 0 when the thread has ended
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace vgpu::client
