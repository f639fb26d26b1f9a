// Condition variables, semaphores, and the system call below std::future, std::atomic and static
// variables, before the C library's: a thread that takes turns waits for its turn after whoever
// wakes it (host_thread_scheduler.h). Threads that take no turns wait in the C library, and are
// woken there.
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

#include "runtime/client/threads/host_thread_scheduler.h"
#include "runtime/client/threads/real_functions.h"

using namespace vgpu::client;

namespace {

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex,
                       std::uint64_t timeout_ns) {
    bool was_woken = false;
    {
        Wait wait(condition, timeout_ns);
        if (const int error = VGPU_REAL(pthread_mutex_unlock, "GLIBC_2.2.5")(mutex); error != 0)
            return error;
        wait.wake_other(mutex);
        was_woken = wait.sleep();
    }
    const int error = pthread_mutex_lock(mutex);
    return error != 0 || was_woken ? error : ETIMEDOUT;
}

/// Returns as sem_wait.
int wait_for_semaphore(sem_t* semaphore, std::uint64_t timeout_ns) {
    if (VGPU_REAL(sem_trywait, "GLIBC_2.34")(semaphore) == 0) return 0;
    for (;;) {
        Wait wait(semaphore, timeout_ns);
        if (VGPU_REAL(sem_trywait, "GLIBC_2.34")(semaphore) == 0) return 0;
        if (errno != EAGAIN) return -1;
        if (!wait.sleep()) {
            errno = ETIMEDOUT;
            return -1;
        }
    }
}

/// Returns as FUTEX_WAIT.
long wait_for_change(std::uint32_t* word, std::uint32_t expected, std::uint64_t timeout_ns) {
    Wait wait(word, timeout_ns);
    if (std::atomic_ref(*word).load() != expected) {
        errno = EAGAIN;
        return -1;
    }
    if (wait.sleep()) return 0;
    errno = ETIMEDOUT;
    return -1;
}

struct FutexCall {
    std::uint32_t* word;
    int operation;
    std::uint32_t value;
    const timespec* timeout;
    std::uint32_t bits;

    int command() const { return operation & FUTEX_CMD_MASK; }
    bool waits() const {
        return command() == FUTEX_WAIT ||
               (command() == FUTEX_WAIT_BITSET && bits == FUTEX_BITSET_MATCH_ANY);
    }
    bool wakes() const {
        return command() == FUTEX_WAKE ||
               (command() == FUTEX_WAKE_BITSET && bits == FUTEX_BITSET_MATCH_ANY);
    }
    std::uint64_t timeout_ns() const {
        if (timeout == nullptr) return Wait::kForEver;
        if (command() == FUTEX_WAIT)
            return static_cast<std::uint64_t>(timeout->tv_sec) * 1'000'000'000 +
                   static_cast<std::uint64_t>(timeout->tv_nsec);
        const bool is_date = (operation & FUTEX_CLOCK_REALTIME) != 0;
        return remaining_ns(is_date ? CLOCK_REALTIME : CLOCK_MONOTONIC, *timeout);
    }
};

}  // namespace

extern "C" {

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    if (!host_thread_scheduler::takes_part())
        return VGPU_REAL(pthread_cond_wait, "GLIBC_2.3.2")(condition, mutex);
    return wait_for_condition(condition, mutex, Wait::kForEver);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
    if (!host_thread_scheduler::takes_part())
        return VGPU_REAL(pthread_cond_timedwait, "GLIBC_2.3.2")(condition, mutex, end);
    // Bit 1 of the flags: the monotonic clock, by pthread_condattr_setclock.
    const bool is_monotonic = (condition->__data.__wrefs & 2) != 0;
    return wait_for_condition(condition, mutex,
                              remaining_ns(is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, *end));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* end) {
    if (!host_thread_scheduler::takes_part())
        return VGPU_REAL(pthread_cond_clockwait, "GLIBC_2.34")(condition, mutex, clock, end);
    return wait_for_condition(condition, mutex, remaining_ns(clock, *end));
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    if (host_thread_scheduler::wake(condition, 1) != 0) return 0;
    return VGPU_REAL(pthread_cond_signal, "GLIBC_2.3.2")(condition);
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    host_thread_scheduler::wake(condition);
    return VGPU_REAL(pthread_cond_broadcast, "GLIBC_2.3.2")(condition);
}

int sem_wait(sem_t* semaphore) {
    if (!host_thread_scheduler::takes_part()) return VGPU_REAL(sem_wait, "GLIBC_2.34")(semaphore);
    return wait_for_semaphore(semaphore, Wait::kForEver);
}

int sem_timedwait(sem_t* semaphore, const timespec* end) {
    if (!host_thread_scheduler::takes_part())
        return VGPU_REAL(sem_timedwait, "GLIBC_2.34")(semaphore, end);
    return wait_for_semaphore(semaphore, remaining_ns(CLOCK_REALTIME, *end));
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end) {
    if (!host_thread_scheduler::takes_part())
        return VGPU_REAL(sem_clockwait, "GLIBC_2.34")(semaphore, clock, end);
    return wait_for_semaphore(semaphore, remaining_ns(clock, *end));
}

int sem_post(sem_t* semaphore) noexcept {
    const int error = VGPU_REAL(sem_post, "GLIBC_2.34")(semaphore);
    if (error == 0) host_thread_scheduler::wake(semaphore, 1);
    return error;
}

long syscall(long number, ...) noexcept {
    const auto real = VGPU_REAL(syscall, "GLIBC_2.2.5");
    std::va_list list;
    va_start(list, number);
    long arguments[6];
    for (long& argument : arguments) argument = va_arg(list, long);
    va_end(list);
    const auto [a, b, c, d, e, f] = arguments;
    if (number != SYS_futex) return real(number, a, b, c, d, e, f);

    const FutexCall futex{reinterpret_cast<std::uint32_t*>(a), static_cast<int>(b),
                          static_cast<std::uint32_t>(c), reinterpret_cast<const timespec*>(d),
                          static_cast<std::uint32_t>(f)};
    if (futex.waits() && host_thread_scheduler::takes_part())
        return wait_for_change(futex.word, futex.value, futex.timeout_ns());
    if (!futex.wakes()) return real(number, a, b, c, d, e, f);
    const auto woken = static_cast<long>(host_thread_scheduler::wake(futex.word, futex.value));
    if (woken >= c) return woken;
    const long others = real(number, a, b, c - woken, d, e, f);
    return others < 0 && woken > 0 ? woken : woken + others;
}

}  // extern "C"
