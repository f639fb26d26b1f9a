#include "runtime/client/host_thread_scheduler.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "runtime/client/thread_state.h"
#include "runtime/client/threads.h"

namespace vgpu::client {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using namespace std::chrono_literals;

/// All of these are chosen. Beyond so many threads, the others go on as they like.
constexpr std::size_t kMostThreads = 64;
/// What a thread does between two calls is nothing to speak of if it takes no more of a core.
constexpr double kShort_s = 100e-6;
/// A thread that works for longer while others wait for it uses up our patience, which is one for
/// the whole program: in all, threads are held back so long and kShort_s a call. At once it may use
/// this part of what is left.
constexpr double kPatience_s = 0.5, kPart = 1.0 / 16;
/// A thread that gets no core is waited for so long, and a call, whose kernel may wait for the
/// host.
constexpr auto kStarved = 1s, kLongCall = 3s;
/// Whether an earlier thread has fallen asleep is looked at so often, at first and later on; and
/// while there is a call, whose end is told, so often.
constexpr microseconds kFirstPause = 50us, kLastPause = 1000us, kCallPause = 300us;
/// Who was asleep at so many looks in a row is looked at one time in kSeldom only.
constexpr unsigned kManyNaps = 256, kSeldom = 16;

enum class Place {
    program,  ///< in the program's own code
    waiting,  ///< for its turn: before its first one, or before or after a call
    calling,
    joining,  ///< asleep until another one ends
};

struct HostThread {
    std::uint32_t number = 0;
    std::uint64_t clock_ns = 0;
    Place place = Place::program;
    std::uint32_t joins = 0;
    bool is_let_be = false;   ///< it computes or spins: not waited for until it calls
    bool has_waited = false;  ///< for another thread, since it called
    /// It sleeps for a lock of ours, if at all. The only member that is not guarded by that.
    std::atomic<bool> is_at_our_lock = false;
    unsigned naps = 0;
    double core_s = 0;          ///< when it came to that place
    Clock::time_point since{};  ///< likewise
    ThreadState state;
    std::condition_variable turn;

    bool is_before(const HostThread& other) const {
        return std::tie(clock_ns, number) < std::tie(other.clock_ns, other.number);
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
std::atomic<bool> is_connected = false;

class Order {
public:
    /// Never destroyed: threads may end after main.
    static Order& instance() {
        static Order& order = *new Order;
        return order;
    }

    bool is_ours() const { return getpid() == owner_; }
    std::unique_lock<std::mutex> lock() {
        if (own == nullptr) return std::unique_lock(mutex_);
        own->is_at_our_lock = true;
        std::unique_lock lock(mutex_);
        own->is_at_our_lock = false;
        return lock;
    }

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
        threads_.erase(number);
        for (const auto& [other, thread] : threads_) {
            if (thread->place == Place::joining && thread->joins == number)
                thread->is_at(Place::calling);
        }
        wake_next();
    }

    /// Who has woken the thread, as far as can be told: the one that has gone on last.
    HostThread* waker(HostThread& thread) {
        if (!std::exchange(thread.has_waited, false)) return nullptr;
        HostThread* const last = find(last_);
        return last != nullptr && thread.clock_ns < last->clock_ns ? last : nullptr;
    }

    void leaves_program(HostThread& me) {
        const double used_s = me.state.core_s() - me.core_s;
        if (used_s > kShort_s && next() != nullptr) lose_patience(used_s);
        me.is_let_be = false;
        me.naps = 0;
        me.is_at(Place::waiting);
    }
    void enters_program(HostThread& me) {
        me.core_s = me.state.core_s();
        me.is_at(Place::program);
        last_ = me.number;
    }
    void begins_call(HostThread& me) {
        me.is_at(Place::calling);
        last_ = me.number;
    }

    /// The calling thread is waiting.
    void wait_for_turn(HostThread& me, std::unique_lock<std::mutex>& lock) {
        Earlier earlier = earlier_than(me);
        if (earlier == Earlier::none) return;
        wake_next();
        const Uncancelled uncancelled;
        for (microseconds pause = kFirstPause; earlier != Earlier::none;
             earlier = earlier_than(me)) {
            if (earlier == Earlier::calls) {
                me.turn.wait_for(lock, kCallPause);
            } else {
                me.turn.wait_for(lock, pause);
                pause = std::min(2 * pause, kLastPause);
            }
        }
    }
    /// Lets the first one that waits see whether it is its turn.
    void wake_next() {
        if (HostThread* const thread = next()) thread->turn.notify_one();
    }

private:
    HostThread* next() {
        HostThread* first = nullptr;
        for (const auto& [number, thread] : threads_) {
            if (thread->place != Place::waiting) continue;
            if (first == nullptr || thread->is_before(*first)) first = thread.get();
        }
        return first;
    }

    /// What a thread with an earlier clock does, that may still do something before this one.
    enum class Earlier { none, calls, works };
    Earlier earlier_than(const HostThread& me) {
        const Clock::time_point now = Clock::now();
        const auto any = [&](auto holds) {
            return std::ranges::any_of(threads_, [&](const auto& entry) {
                HostThread& other = *entry.second;
                return &other != &me && other.is_before(me) && holds(other);
            });
        };
        // Looks into /proc only if nothing else answers it.
        if (any([&](const HostThread& other) {
                return other.place == Place::waiting ||
                       (other.place == Place::calling && now - other.since < kLongCall);
            }))
            return Earlier::calls;
        return any([&](HostThread& other) {
            return other.place == Place::program && is_at_work(other, now);
        })
                   ? Earlier::works
                   : Earlier::none;
    }

    bool is_at_work(HostThread& thread, Clock::time_point now) {
        if (thread.is_let_be) return false;
        if (thread.naps > kManyNaps && ++thread.naps % kSeldom != 0) return false;
        const Doing doing = thread.state.look();
        if (doing != Doing::runs && !thread.is_at_our_lock) {
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
    double patience_s_ = kPatience_s;
    std::uint32_t last_ = 0;
};

}  // namespace

namespace host_thread_scheduler {

std::atomic<bool> are_taken = false;

void clock_shows(std::uint64_t clock_ns) {
    own_clock_ns = clock_ns;
    is_connected.store(true, std::memory_order_relaxed);
}

void expect(std::uint32_t number) {
    Order& order = Order::instance();
    const auto lock = order.lock();
    order.calling_thread();
    if (HostThread* const created = order.add(number)) created->is_at(Place::waiting);
    are_taken = true;
}

void forget(std::uint32_t number) {
    Order& order = Order::instance();
    const auto lock = order.lock();
    order.remove(number);
}

void start(std::uint32_t number) {
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
    has_ended = true;
    if (own == nullptr) return;
    Order& order = Order::instance();
    if (!order.is_ours()) return;
    const auto lock = order.lock();
    order.remove(std::exchange(own, nullptr)->number);
}

void begin_join(std::uint32_t number) {
    Order& order = Order::instance();
    const auto lock = order.lock();
    HostThread* const me = order.calling_thread();
    if (me == nullptr) return;
    me->joins = number;
    me->is_at(order.find(number) != nullptr ? Place::joining : Place::calling);
    order.wake_next();
}

void end_join() {
    leave();
}

void enter() {
    Order& order = Order::instance();
    if (!order.is_ours()) return;
    auto lock = order.lock();
    HostThread* const me = order.calling_thread();
    if (me == nullptr) return;
    order.leaves_program(*me);
    if (const HostThread* const waker = order.waker(*me)) {
        const std::uint32_t number = waker->number;
        lock.unlock();
        tell_of_waking(number);
        lock.lock();
        me->clock_ns = own_clock_ns;
        order.wake_next();
    }
    order.wait_for_turn(*me, lock);
    order.begins_call(*me);
}

void leave() {
    Order& order = Order::instance();
    if (own == nullptr || !order.is_ours()) return;
    auto lock = order.lock();
    own->clock_ns = own_clock_ns;
    own->is_at(Place::waiting);
    order.wait_for_turn(*own, lock);
    order.enters_program(*own);
}

}  // namespace host_thread_scheduler
}  // namespace vgpu::client
