// Mutexes, read-write locks, spin locks and pthread_once, before the C library's. A thread that
// takes turns never waits inside the C library: it tries, and if the lock is taken, it waits for
// its turn after whoever gives it back (host_thread_scheduler.h). The locks themselves stay the C
// library's, for threads that take no turns.
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>

#include "runtime/client/threads/host_thread_scheduler.h"
#include "runtime/client/threads/real_functions.h"

using namespace vgpu::client;

namespace {

/// Tries until it succeeds, fails for another reason than EBUSY, or the time is over.
template <class Try>
int acquire(const void* lock, std::uint64_t timeout_ns, Try try_it) {
    if (const int error = try_it(); error != EBUSY) return error;
    for (;;) {
        Wait wait(lock, timeout_ns);
        const int error = try_it();
        if (error != EBUSY) return error;
        if (!wait.sleep()) return ETIMEDOUT;
    }
}

int try_lock(pthread_mutex_t* mutex) {
    return VGPU_REAL(pthread_mutex_trylock, "GLIBC_2.34")(mutex);
}
int try_read(pthread_rwlock_t* lock) {
    return VGPU_REAL(pthread_rwlock_tryrdlock, "GLIBC_2.34")(lock);
}
int try_write(pthread_rwlock_t* lock) {
    return VGPU_REAL(pthread_rwlock_trywrlock, "GLIBC_2.34")(lock);
}

/// The C library knows best what then happens.
bool is_own(const pthread_mutex_t* mutex) {
    return mutex->__data.__owner == gettid();
}
bool is_own(const pthread_rwlock_t* lock) {
    return lock->__data.__cur_writer == gettid();
}

/// Functions that pthread_once is running for other threads.
struct OnceOnly {
    std::mutex mutex;
    std::set<const void*> running;

    static OnceOnly& instance() {
        static OnceOnly& once = *new OnceOnly;
        return once;
    }
    bool begin(const void* control) {
        const Inside inside;
        const std::lock_guard lock(mutex);
        return running.insert(control).second;
    }
    void end(const void* control) {
        const Inside inside;
        const std::lock_guard lock(mutex);
        running.erase(control);
    }
};

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    const auto real = VGPU_REAL(pthread_mutex_lock, "GLIBC_2.2.5");
    if (!host_thread_scheduler::takes_part() || is_own(mutex)) return real(mutex);
    return acquire(mutex, Wait::kForEver, [=] { return try_lock(mutex); });
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end) noexcept {
    const auto real = VGPU_REAL(pthread_mutex_timedlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(mutex)) return real(mutex, end);
    return acquire(mutex, remaining_ns(CLOCK_REALTIME, *end), [=] { return try_lock(mutex); });
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end) noexcept {
    const auto real = VGPU_REAL(pthread_mutex_clocklock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(mutex)) return real(mutex, clock, end);
    return acquire(mutex, remaining_ns(clock, *end), [=] { return try_lock(mutex); });
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    const int error = VGPU_REAL(pthread_mutex_unlock, "GLIBC_2.2.5")(mutex);
    if (error == 0) host_thread_scheduler::wake(mutex, 1);
    return error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    const auto real = VGPU_REAL(pthread_rwlock_rdlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(lock)) return real(lock);
    return acquire(lock, Wait::kForEver, [=] { return try_read(lock); });
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    const auto real = VGPU_REAL(pthread_rwlock_wrlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(lock)) return real(lock);
    return acquire(lock, Wait::kForEver, [=] { return try_write(lock); });
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* end) noexcept {
    const auto real = VGPU_REAL(pthread_rwlock_timedrdlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(lock)) return real(lock, end);
    return acquire(lock, remaining_ns(CLOCK_REALTIME, *end), [=] { return try_read(lock); });
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* end) noexcept {
    const auto real = VGPU_REAL(pthread_rwlock_timedwrlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(lock)) return real(lock, end);
    return acquire(lock, remaining_ns(CLOCK_REALTIME, *end), [=] { return try_write(lock); });
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* end) noexcept {
    const auto real = VGPU_REAL(pthread_rwlock_clockrdlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(lock)) return real(lock, clock, end);
    return acquire(lock, remaining_ns(clock, *end), [=] { return try_read(lock); });
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* end) noexcept {
    const auto real = VGPU_REAL(pthread_rwlock_clockwrlock, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part() || is_own(lock)) return real(lock, clock, end);
    return acquire(lock, remaining_ns(clock, *end), [=] { return try_write(lock); });
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
    const int error = VGPU_REAL(pthread_rwlock_unlock, "GLIBC_2.34")(lock);
    if (error == 0) host_thread_scheduler::wake(lock);
    return error;
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
    while (host_thread_scheduler::takes_part()) {
        const int error = VGPU_REAL(pthread_spin_trylock, "GLIBC_2.34")(lock);
        if (error != EBUSY) return error;
        host_thread_scheduler::yield();
    }
    return VGPU_REAL(pthread_spin_lock, "GLIBC_2.34")(lock);
}

int pthread_once(pthread_once_t* control, void (*function)()) {
    const auto real = VGPU_REAL(pthread_once, "GLIBC_2.34");
    if (!host_thread_scheduler::takes_part()) return real(control, function);
    OnceOnly& once = OnceOnly::instance();
    while (!once.begin(control)) Wait(control).sleep();
    // Also when the function throws.
    const struct End {
        OnceOnly& once;
        const void* control;
        ~End() {
            once.end(control);
            host_thread_scheduler::wake(control);
        }
    } end{once, control};
    return real(control, function);
}

}  // extern "C"
