// Host threads take turns in the order of their modelled clocks, so that chance does not decide
// which one takes the next job from a common queue: at most one at a time is in the program's own
// code, or in a runtime call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

//     clock     thread 1                     thread 2
//      0 us     takes a job, call            ready
//      2 us     ready                        takes a job, call, call: waits until 9 us
//      2 us     call: waits until 12 us      ready
//      9 us     ready                        locks a mutex, ...
//
// A turn ends where a thread makes a runtime call or returns from one, or waits for another thread:
// for its end, a mutex, a condition variable, a semaphore, an atomic variable, or for time to pass.
// The functions of the C library that do so are defined here as well (locks.cpp, conditions.cpp,
// sleeps.cpp, threads.cpp), and wait by Wait, below. The next turn is that of the ready thread with
// the earliest clock, and of these the one with the lowest number. A thread that another one wakes
// goes on no earlier than that one's clock; one that sleeps does so in modelled time, too. A thread
// that yields comes after all that have not.
//
// Left to chance: a thread that waits by other means (a pipe, a flag that it polls) or until a time
// of the machine's clock, and one that computes for long. It is waited for only as long as our
// patience lasts, and then runs beside the others until its next call. So nothing hangs that would
// not hang without us.
//
// Programs with one thread pay for reading one variable a call; threads beyond kMostThreads do not
// take turns.

namespace vgpu::client {

namespace host_thread_scheduler {

/// There is more than one thread.
extern std::atomic<bool> are_taken;

/// The calling thread's modelled clock, after what it has just asked of the device.
void clock_shows(std::uint64_t clock_ns);

/// The calling thread is about to create one; and it could not.
void expect(std::uint32_t number);
void forget(std::uint32_t number);
/// The new thread has begun: waits for its first turn.
void start(std::uint32_t number);
void end();
/// Around the C library's own waiting for another thread's end; begin_join returns when that one
/// has nothing more to do.
void begin_join(std::uint32_t number);
void end_join();

void enter();
void leave();

/// Whether the calling thread takes turns, and waits for others by Wait.
bool takes_part();
/// Makes ready who waits for this object, in the order in which they came; returns how many. Also
/// for threads that take no part.
constexpr std::size_t kAll = SIZE_MAX;
std::size_t wake(const void* object, std::size_t most = kAll);
void yield();
/// For so long, in modelled time and in that of the machine.
void sleep(std::uint64_t ns);

}  // namespace host_thread_scheduler

/// The calling thread is in our code: what it locks and waits for there is no business of the
/// scheduler's, and it is at work.
class Inside {
public:
    Inside();
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    const bool was_;
};

/// The calling thread, which takes part, is about to wait for an object: whoever wakes it from now
/// on wakes this thread. Nobody does between the constructor and sleep(), so there is time to look
/// whether there is a reason to wait, and to give locks back.
class Wait {
public:
    static constexpr std::uint64_t kForEver = UINT64_MAX;

    /// Timeouts are of the machine's time, and taken as modelled time.
    explicit Wait(const void* object, std::uint64_t timeout_ns = kForEver);
    /// Goes on at once, if it has not slept.
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    /// As host_thread_scheduler::wake, for one that waits for something that this thread gives
    /// back.
    void wake_other(const void* object);
    /// Waits until woken, and for the next turn; false when the time was over before.
    bool sleep();

private:
    const Inside inside_;
    std::unique_lock<std::mutex> lock_;
    std::uint64_t timeout_ns_;
    bool has_slept_ = false;
};

/// A runtime call, from before it takes the runtime's lock until after it has given it back.
class HostThreadTurn {
public:
    HostThreadTurn() : is_taken_(host_thread_scheduler::are_taken.load(std::memory_order_relaxed)) {
        if (is_taken_) host_thread_scheduler::enter();
    }
    ~HostThreadTurn() {
        if (is_taken_) host_thread_scheduler::leave();
    }
    HostThreadTurn(const HostThreadTurn&) = delete;
    HostThreadTurn& operator=(const HostThreadTurn&) = delete;

private:
    bool is_taken_;
};

}  // namespace vgpu::client
