// Sleeping and yielding, before the C library's: a thread sleeps in modelled time as well, whether
// there are others or not, and yields to those whose turn it may be (host_thread_scheduler.h).
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "runtime/client/threads/host_thread_scheduler.h"
#include "runtime/client/threads/real_functions.h"

using namespace vgpu::client;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

/// Returns as clock_nanosleep: an error number.
int sleep_for(const timespec& time, timespec* left) {
    if (time.tv_sec < 0 || time.tv_nsec < 0 || time.tv_nsec >= static_cast<long>(kSecond))
        return EINVAL;
    const std::uint64_t ns = static_cast<std::uint64_t>(time.tv_sec) * kSecond +
                             static_cast<std::uint64_t>(time.tv_nsec);
    if (host_thread_scheduler::takes_part()) {
        host_thread_scheduler::sleep(ns);
        return 0;
    }
    const int error = VGPU_REAL(clock_nanosleep, "GLIBC_2.17")(CLOCK_MONOTONIC, 0, &time, left);
    if (error == 0) host_thread_scheduler::sleep(ns);
    return error;
}

int fails_with(int error) {
    if (error == 0) return 0;
    errno = error;
    return -1;
}

}  // namespace

extern "C" {

int nanosleep(const timespec* time, timespec* left) {
    return fails_with(sleep_for(*time, left));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
    if (flags == 0) return sleep_for(*time, left);
    if (!host_thread_scheduler::takes_part())
        return VGPU_REAL(clock_nanosleep, "GLIBC_2.17")(clock, flags, time, left);
    host_thread_scheduler::sleep(remaining_ns(clock, *time));
    return 0;
}

int usleep(useconds_t us) {
    const std::uint64_t ns = std::uint64_t{us} * 1000;
    const timespec time{static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
    return fails_with(sleep_for(time, nullptr));
}

unsigned sleep(unsigned seconds) {
    timespec time{static_cast<time_t>(seconds), 0};
    return sleep_for(time, &time) == 0 ? 0 : static_cast<unsigned>(time.tv_sec);
}

int sched_yield() noexcept {
    const int error = VGPU_REAL(sched_yield, "GLIBC_2.2.5")();
    if (host_thread_scheduler::takes_part()) host_thread_scheduler::yield();
    return error;
}

}  // extern "C"
