#include "runtime/client/threads/threads.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/client/threads/host_thread_scheduler.h"
#include "runtime/client/threads/real_functions.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

constexpr std::uint32_t kNone = 0xFFFF'FFFF;

std::atomic<std::uint32_t> threads_made = 0;
thread_local std::uint32_t own_number = kNone;

/// Threads that were seen to be created, and not to be joined. Never destroyed: threads may end
/// after main.
struct Threads {
    const pid_t owner = getpid();  ///< a forked child must not wait for a lock of its parent's
    std::mutex mutex;
    std::map<pthread_t, std::uint32_t> numbers;

    static Threads& instance() {
        static Threads& threads = *new Threads;
        return threads;
    }
};

/// What a thread begins with.
struct Beginning {
    void* (*start)(void*);
    void* argument;
    std::uint32_t number;
};

void* begin(void* about) {
    const Beginning beginning = *std::unique_ptr<Beginning>(static_cast<Beginning*>(about));
    own_number = beginning.number;
    host_thread_scheduler::start(beginning.number);
    // Also when pthread_exit or pthread_cancel ends it.
    const struct End {
        ~End() { host_thread_scheduler::end(); }
    } end;
    return beginning.start(beginning.argument);
}

void tell(Runtime& rt, wire::Op op, std::uint32_t thread) {
    wire::Request request = rt.request(op);
    request.value = thread;
    rt.exchange(request);
}

/// Nobody waits for a call under way: it may itself wait for what the calling thread does next.
template <class Act>
void tell_if_free(Act act) {
    if (Call::is_under_way()) return;
    Call running("", std::try_to_lock);
    if (!running.may_not_connect()) act(running.runtime());
}

/// If anybody listens; this is no reason to connect.
void tell_if_connected(const char* function, wire::Op op, std::uint32_t thread) {
    if (Call::is_under_way()) return;
    Call running(function);
    if (!running.may_not_connect()) tell(running.runtime(), op, thread);
}

/// Of a thread that is about to be joined; its handle may soon be another one's.
std::uint32_t take_number(pthread_t thread) {
    Threads& threads = Threads::instance();
    if (getpid() != threads.owner) return kNone;
    const Inside inside;
    const std::lock_guard lock(threads.mutex);
    const auto found = threads.numbers.find(thread);
    if (found == threads.numbers.end()) return kNone;
    const std::uint32_t number = found->second;
    threads.numbers.erase(found);
    return number;
}

}  // namespace

std::uint32_t vgpu::client::thread_number() {
    if (own_number == kNone) own_number = gettid() == getpid() ? 0 : ++threads_made;
    return own_number;
}

void vgpu::client::tell_of_waking(std::uint32_t woken, std::uint32_t waker) {
    tell_if_free([&](Runtime& rt) {
        wire::Request request = rt.request(wire::Op::woken_by);
        request.thread = woken;
        request.value = waker;
        rt.exchange(request);
    });
}

void vgpu::client::tell_of_sleep(std::uint64_t ns) {
    tell_if_free([&](Runtime& rt) {
        wire::Request request = rt.request(wire::Op::host_sleeps);
        request.bytes = ns;
        rt.exchange(request);
    });
}

void vgpu::client::tell_of_threads(Runtime& rt) {
    Threads& threads = Threads::instance();
    const std::lock_guard lock(threads.mutex);
    for (const auto& [handle, number] : threads.numbers) tell(rt, wire::Op::create_thread, number);
}

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
    const auto real = VGPU_REAL(pthread_create, "GLIBC_2.34");
    Threads& threads = Threads::instance();
    if (getpid() != threads.owner) return real(thread, attributes, start, argument);
    const std::uint32_t number = ++threads_made;
    auto beginning = std::make_unique<Beginning>(Beginning{start, argument, number});
    tell_if_connected("pthread_create", wire::Op::create_thread, number);
    host_thread_scheduler::expect(number);
    // The new thread may end, and be joined, before this one goes on.
    const Inside inside;
    const std::lock_guard lock(threads.mutex);
    const int error = real(thread, attributes, begin, beginning.get());
    if (error != 0) {
        host_thread_scheduler::forget(number);
        return error;
    }
    static_cast<void>(beginning.release());
    threads.numbers[*thread] = number;
    return 0;
}

int pthread_join(pthread_t thread, void** result) {
    const auto real = VGPU_REAL(pthread_join, "GLIBC_2.34");
    const std::uint32_t number = take_number(thread);
    if (number == kNone) return real(thread, result);
    host_thread_scheduler::begin_join(number);
    const int error = real(thread, result);
    if (error == 0) tell_if_connected("pthread_join", wire::Op::join_thread, number);
    host_thread_scheduler::end_join();
    return error;
}

}  // extern "C"
