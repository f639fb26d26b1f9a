// Host threads take turns in the order of their modelled clocks, so that chance does not decide
// which one takes the next job from a common queue. A thread that returns from a runtime call, or
// is about to make one, is held until no thread with an earlier clock is at work in the program.
#pragma once

#include <atomic>
#include <cstdint>

//     clock     thread 1                     thread 2
//      0 us     takes a job, call            held back
//      2 us     held back                    takes a job, call, call: waits until 9 us
//      2 us     call: waits until 12 us      held back
//      9 us     held back                    takes a job, ...
//
// An earlier thread is waited for unless it sleeps, waits for another thread, or has ended
// (thread_state.h). A new thread does not begin before its turn either. So usually one thread at a
// time is in the program's own code, and what it finds there does not depend on the machine's load.
// A thread that slept until another one woke it continues at that one's time.
//
// Nothing hangs: clocks and numbers order the threads, so one of them may always continue. A thread
// that computes or polls a flag is waited for only as long as our patience lasts (below). No result
// depends on turns.
//
// Programs with one thread pay for reading one variable a call; those with more than kMostThreads
// do not take turns.

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
/// The calling thread waits for another one's end.
void begin_join(std::uint32_t number);
void end_join();

void enter();
void leave();

}  // namespace host_thread_scheduler

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
