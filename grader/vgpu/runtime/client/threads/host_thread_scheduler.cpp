#include "runtime/client/threads/host_thread_scheduler.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/client/threads/thread_state.h"
#include "runtime/client/threads/threads.h"

namespace vgpu::client {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;

/// All of these are chosen. Beyond this number, threads go on as they like.
constexpr std::size_t kMostThreads = 64;
/// What a thread does between two calls is nothing to speak of if it takes no more of a core.
constexpr double kShort_s = 100e-6;
/// A thread that works for longer while others are ready uses up our patience, which is one for the
/// whole program. One turn may use this part of what is left.
constexpr double kPatience_s = 2, kPart = 1.0 / 16;
/// A thread that gets no core is waited for this long; and a call, whose kernel may wait for the
/// host.
constexpr auto kStarved = 1s, kLongCall = 3s;
/// The next thread looks whether the one at work has fallen asleep, at first and later on.
constexpr microseconds kFirstPause = 50us, kLastPause = 1000us;
/// Nobody else can go on: who waits looks again, in case it was woken by means that we do not see.
constexpr auto kStandstill = 200ms;
/// Who was asleep at as many looks in a row is looked at one time in kSeldom only.
constexpr unsigned kManyNaps = 256, kSeldom = 16;

enum class Place {
    program,  ///< in the program's own code
    ready,    ///< before its first turn, before or after a call, or woken
    calling,  ///< also: in the C library's own waiting for another thread's end
    blocked,  ///< waits for an object, or for time to pass
};

struct HostThread {
    std::uint32_t number = 0;
    std::uint64_t clock_ns = 0;
    Place place = Place::program;
    // While it is blocked, and how long: in modelled time, and in the machine's.
    const void* object = nullptr;
    std::uint64_t until_ns = Wait::kForEver;
    Clock::time_point deadline{};
    std::uint64_t arrival = 0;  ///< a number of its waiting, or yielding

    bool yields = false;
    bool is_let_be = false;   ///< it computes or polls: not waited for until its turn ends
    bool has_waited = false;  ///< by means that we do not see, since it called
    /// It sleeps in our code, if at all. The only member that our lock does not guard.
    std::atomic<bool> is_inside = false;
    unsigned naps = 0;
    double core_s = 0;          ///< when it came to that place
    Clock::time_point since{};  ///< likewise
    ThreadState state;
    std::condition_variable turn;

    bool wants_turn() const {
        return place == Place::ready || (place == Place::blocked && until_ns != Wait::kForEver);
    }
    bool is_before(const HostThread& other) const {
        const auto key = [](const HostThread& t) {
            const std::uint64_t at_ns = t.place == Place::blocked ? t.until_ns : t.clock_ns;
            return std::tuple(t.yields, t.yields ? t.arrival : at_ns, t.number);
        };
        return key(*this) < key(other);
    }
    void is_at(Place there) {
        place = there;
        since = Clock::now();
    }
};

/// Waiting is a place where pthread_cancel would end the thread, and nobody expects it here.
class Uncancelled {
public:
    Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }
    Uncancelled(const Uncancelled&) = delete;
    Uncancelled& operator=(const Uncancelled&) = delete;

private:
    int before_ = 0;
};

thread_local HostThread* own = nullptr;
thread_local bool has_ended = false;
thread_local std::uint64_t own_clock_ns = 0;
thread_local bool is_inside = false;
std::atomic<bool> is_connected = false;
std::atomic<std::size_t> blocked_threads = 0;

class Order {
public:
    /// Never destroyed: threads may end after main.
    static Order& instance() {
        static Order& order = *new Order;
        return order;
    }

    bool is_ours() const { return getpid() == owner_; }
    /// Only inside.
    std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

    /// Null when there are too many, or it has ended but for what its own variables still do.
    HostThread* calling_thread() {
        if (own == nullptr && !has_ended) {
            own = add(thread_number());
            if (own == nullptr) return nullptr;
            own->state.is_of_this_thread();
            enters_program(*own);
        }
        return own;
    }
    HostThread* add(std::uint32_t number) {
        if (threads_.size() >= kMostThreads) return nullptr;
        auto& thread = threads_[number];
        thread = std::make_unique<HostThread>();
        thread->number = number;
        thread->clock_ns = own_clock_ns;
        return thread.get();
    }
    HostThread* find(std::uint32_t number) {
        const auto found = threads_.find(number);
        return found == threads_.end() ? nullptr : found->second.get();
    }
    void remove(std::uint32_t number) {
        const auto found = threads_.find(number);
        if (found == threads_.end()) return;
        wake(found->second.get(), host_thread_scheduler::kAll);
        release_yielding(*found->second);
        threads_.erase(found);
        wake_next();
    }

    /// Who has woken the thread by means that we do not see, as far as can be told: the one that
    /// has gone on last.
    HostThread* waker(HostThread& thread) {
        if (!std::exchange(thread.has_waited, false)) return nullptr;
        HostThread* const last = find(last_);
        return last != nullptr && thread.clock_ns < last->clock_ns ? last : nullptr;
    }

    /// The thread's turn ends.
    void leaves_program(HostThread& me) {
        const double used_s = me.state.core_s() - me.core_s;
        if (used_s > kShort_s && next() != nullptr) lose_patience(used_s);
        me.is_let_be = false;
        me.naps = 0;
        me.is_at(Place::ready);
    }
    void enters_program(HostThread& me) {
        me.core_s = me.state.core_s();
        me.yields = false;
        me.is_at(Place::program);
        last_ = me.number;
    }
    void begins_call(HostThread& me) {
        me.is_at(Place::calling);
        last_ = me.number;
    }
    /// Those that yielded look again what this thread has done, but not if it only yields itself:
    /// two threads that poll must not keep a third one from its turn.
    void release_yielding(const HostThread& me) {
        for (const auto& [number, thread] : threads_) {
            if (thread.get() != &me && std::exchange(thread->yields, false)) moves_to(*thread, me);
        }
    }
    void yields(HostThread& me) {
        me.yields = true;
        me.arrival = ++arrivals_;
    }

    void blocks(HostThread& me, const void* object, std::uint64_t timeout_ns) {
        leaves_program(me);
        release_yielding(me);
        me.object = object;
        me.arrival = ++arrivals_;
        me.until_ns = Wait::kForEver;
        // Longer than a year is for ever.
        if (timeout_ns < std::uint64_t{1} << 55) {
            me.until_ns = me.clock_ns + timeout_ns;
            me.deadline = Clock::now() + nanoseconds(timeout_ns);
        }
        me.is_at(Place::blocked);
        ++blocked_threads;
    }
    void unblock(HostThread& thread) {
        if (thread.place != Place::blocked) return;
        thread.object = nullptr;
        thread.is_at(Place::ready);
        --blocked_threads;
    }
    std::size_t wake(const void* object, std::size_t most) {
        std::vector<HostThread*> waiting;
        for (const auto& [number, thread] : threads_) {
            if (thread->place == Place::blocked && thread->object == object)
                waiting.push_back(thread.get());
        }
        std::ranges::sort(waiting, {}, &HostThread::arrival);
        if (waiting.size() > most) waiting.resize(most);
        for (HostThread* const thread : waiting) {
            unblock(*thread);
            if (own != nullptr) moves_to(*thread, *own);
            thread->turn.notify_one();
        }
        return waiting.size();
    }

    /// Until the thread is woken; false when its time was over before.
    bool wait_while_blocked(HostThread& me, std::unique_lock<std::mutex>& lock) {
        wake_next();
        const Uncancelled uncancelled;
        while (me.place == Place::blocked) {
            if (me.until_ns == Wait::kForEver) {
                if (me.turn.wait_for(lock, kStandstill) == std::cv_status::timeout &&
                    me.place == Place::blocked && is_standstill(me))
                    unblock(me);
            } else if (obstacle(me) != Obstacle::none) {
                me.turn.wait_for(lock, kLastPause);
            } else if (Clock::now() < me.deadline) {
                me.turn.wait_until(lock, me.deadline);
            } else {
                unblock(me);
                return false;
            }
        }
        return true;
    }
    /// The calling thread is ready.
    void wait_for_turn(HostThread& me, std::unique_lock<std::mutex>& lock) {
        Obstacle found = obstacle(me);
        if (found == Obstacle::none) return;
        wake_next();
        const Uncancelled uncancelled;
        for (microseconds pause = kFirstPause; found != Obstacle::none; found = obstacle(me)) {
            if (found == Obstacle::works) {
                me.turn.wait_for(lock, pause);
                pause = std::min(2 * pause, kLastPause);
            } else {
                me.turn.wait_for(lock, 2 * kLastPause);
            }
        }
    }
    /// Lets the next one see whether it is its turn.
    void wake_next() {
        if (HostThread* const thread = next()) thread->turn.notify_one();
    }

    /// Threads that go on later because another one has woken them, for the device process.
    struct Waking {
        std::uint32_t woken = 0, waker = 0;
    };
    std::vector<Waking> take_wakings() { return std::exchange(wakings_, {}); }

private:
    HostThread* next() {
        HostThread* first = nullptr;
        for (const auto& [number, thread] : threads_) {
            if (!thread->wants_turn()) continue;
            if (first == nullptr || thread->is_before(*first)) first = thread.get();
        }
        return first;
    }

    /// The thread goes on no earlier than the other one stands now.
    void moves_to(HostThread& thread, const HostThread& other) {
        if (thread.clock_ns >= other.clock_ns) return;
        thread.clock_ns = other.clock_ns;
        wakings_.push_back({thread.number, other.number});
    }

    template <typename Holds>
    bool any_other(const HostThread& me, Holds holds) {
        return std::ranges::any_of(threads_, [&](const auto& entry) {
            return entry.second.get() != &me && holds(*entry.second);
        });
    }

    /// Why it is not this thread's turn.
    enum class Obstacle { none, not_next, works };
    Obstacle obstacle(const HostThread& me) {
        if (next() != &me) return Obstacle::not_next;
        const Clock::time_point now = Clock::now();
        const bool works = any_other(me, [&](HostThread& other) {
            // Looks into /proc only if nothing else answers it.
            return (other.place == Place::calling && now - other.since < kLongCall) ||
                   (other.place == Place::program && is_at_work(other, now));
        });
        return works ? Obstacle::works : Obstacle::none;
    }
    bool is_standstill(const HostThread& me) {
        const Clock::time_point now = Clock::now();
        return next() == nullptr && !any_other(me, [&](HostThread& other) {
                   return other.place == Place::calling ||
                          (other.place == Place::program && is_at_work(other, now));
               });
    }

    bool is_at_work(HostThread& thread, Clock::time_point now) {
        if (thread.is_let_be) return false;
        if (thread.naps > kManyNaps && ++thread.naps % kSeldom != 0) return false;
        const Doing doing = thread.state.look();
        if (doing != Doing::runs && !thread.is_inside) {
            ++thread.naps;
            thread.has_waited |= doing == Doing::waits;
            return false;
        }
        thread.naps = 0;
        const double used_s = thread.state.core_s() - thread.core_s;
        if (used_s < std::max(kShort_s, patience_s_ * kPart) && now - thread.since < kStarved)
            return true;
        lose_patience(used_s);
        thread.is_let_be = true;
        return false;
    }

    void lose_patience(double used_s) { patience_s_ = std::max(0.0, patience_s_ - used_s); }

    const pid_t owner_ = getpid();  ///< a forked child has one thread, and no lock of its parent's
    std::mutex mutex_;
    std::map<std::uint32_t, std::unique_ptr<HostThread>> threads_;
    std::vector<Waking> wakings_;
    double patience_s_ = kPatience_s;
    std::uint32_t last_ = 0;
    std::uint64_t arrivals_ = 0;
};

/// Tells the device process who was woken, before it hears anything else. The lock is free
/// meanwhile.
void tell_of_wakings(Order& order, std::unique_lock<std::mutex>& lock) {
    const auto wakings = order.take_wakings();
    if (wakings.empty()) return;
    lock.unlock();
    for (const auto& [woken, waker] : wakings) tell_of_waking(woken, waker);
    lock.lock();
}

}  // namespace

namespace host_thread_scheduler {

std::atomic<bool> are_taken = false;

void clock_shows(std::uint64_t clock_ns) {
    own_clock_ns = clock_ns;
    is_connected.store(true, std::memory_order_relaxed);
}

void expect(std::uint32_t number) {
    const Inside inside;
    Order& order = Order::instance();
    const auto lock = order.lock();
    order.calling_thread();
    if (HostThread* const created = order.add(number)) created->is_at(Place::ready);
    are_taken = true;
}

void forget(std::uint32_t number) {
    const Inside inside;
    Order& order = Order::instance();
    const auto lock = order.lock();
    order.remove(number);
}

void start(std::uint32_t number) {
    const Inside inside;
    Order& order = Order::instance();
    auto lock = order.lock();
    own = order.find(number);
    if (own == nullptr) return;
    own->state.is_of_this_thread();
    own_clock_ns = own->clock_ns;
    if (is_connected) order.wait_for_turn(*own, lock);
    order.enters_program(*own);
}

void end() {
    const Inside inside;
    has_ended = true;
    if (own == nullptr) return;
    Order& order = Order::instance();
    if (!order.is_ours()) return;
    auto lock = order.lock();
    order.remove(own->number);
    own = nullptr;
    tell_of_wakings(order, lock);
}

void begin_join(std::uint32_t number) {
    const Inside inside;
    Order& order = Order::instance();
    auto lock = order.lock();
    HostThread* const me = order.calling_thread();
    if (me == nullptr) return;
    if (const HostThread* const other = order.find(number)) {
        order.blocks(*me, other, Wait::kForEver);
        tell_of_wakings(order, lock);
        // A thread that was ended by means that we do not see may be joined, too.
        order.wait_while_blocked(*me, lock);
        order.wait_for_turn(*me, lock);
    }
    order.begins_call(*me);
}

void end_join() {
    leave();
}

void enter() {
    const Inside inside;
    Order& order = Order::instance();
    if (!order.is_ours()) return;
    auto lock = order.lock();
    HostThread* const me = order.calling_thread();
    if (me == nullptr) return;
    order.leaves_program(*me);
    order.release_yielding(*me);
    tell_of_wakings(order, lock);
    if (const HostThread* const waker = order.waker(*me)) {
        const std::uint32_t number = waker->number;
        lock.unlock();
        tell_of_waking(me->number, number);
        lock.lock();
        me->clock_ns = own_clock_ns;
        order.wake_next();
    }
    order.wait_for_turn(*me, lock);
    order.begins_call(*me);
}

void leave() {
    const Inside inside;
    Order& order = Order::instance();
    if (own == nullptr || !order.is_ours()) return;
    auto lock = order.lock();
    own->clock_ns = own_clock_ns;
    own->is_at(Place::ready);
    order.release_yielding(*own);
    tell_of_wakings(order, lock);
    order.wait_for_turn(*own, lock);
    order.enters_program(*own);
}

bool takes_part() {
    return are_taken.load(std::memory_order_relaxed) && own != nullptr && !is_inside &&
           Order::instance().is_ours();
}

std::size_t wake(const void* object, std::size_t most) {
    if (blocked_threads == 0 || is_inside || !Order::instance().is_ours()) return 0;
    const Inside inside;
    Order& order = Order::instance();
    auto lock = order.lock();
    const std::size_t woken = order.wake(object, most);
    tell_of_wakings(order, lock);
    return woken;
}

void yield() {
    const Inside inside;
    Order& order = Order::instance();
    auto lock = order.lock();
    order.leaves_program(*own);
    order.yields(*own);
    tell_of_wakings(order, lock);
    order.wait_for_turn(*own, lock);
    order.enters_program(*own);
}

void sleep(std::uint64_t ns) {
    if (takes_part()) {
        const int nothing = 0;
        Wait(&nothing, ns).sleep();
    } else {
        tell_of_sleep(ns);
    }
}

}  // namespace host_thread_scheduler

Inside::Inside() : was_(std::exchange(is_inside, true)) {
    if (own != nullptr) own->is_inside = true;
}

Inside::~Inside() {
    is_inside = was_;
    if (own != nullptr) own->is_inside = was_;
}

Wait::Wait(const void* object, std::uint64_t timeout_ns)
    : lock_(Order::instance().lock()), timeout_ns_(timeout_ns) {
    Order::instance().blocks(*own, object, timeout_ns);
}

Wait::~Wait() {
    if (has_slept_) return;
    Order::instance().unblock(*own);
    Order::instance().enters_program(*own);
}

void Wait::wake_other(const void* object) {
    Order::instance().wake(object, 1);
}

bool Wait::sleep() {
    has_slept_ = true;
    Order& order = Order::instance();
    tell_of_wakings(order, lock_);
    const bool was_woken = order.wait_while_blocked(*own, lock_);
    if (!was_woken) {
        lock_.unlock();
        tell_of_sleep(timeout_ns_);
        lock_.lock();
        own->clock_ns = own_clock_ns;
    }
    order.wait_for_turn(*own, lock_);
    order.enters_program(*own);
    return was_woken;
}

}  // namespace vgpu::client
