// Orders the calls of several host threads by modelled time, not by arrival, so that the same
// program has the same times however busy the machine is.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/live_clocks.h"
#include "model/timeline.h"

// Each host thread has a clock. It starts at its creator's, moves on by the thread's calls and
// waits, and a thread that joins another continues no earlier than that one's end:
//
//     thread 1   call(0 us)   call(2 us)   wait until 9 us ---- call(9 us)      served: 1 2 1 2 2 1
//     thread 2   call(0 us)   call(2 us)   call(4 us)
//
// A thread that has not called yet may still call at an early time. So with more than one thread
// nothing is served at once: calls are kept, and served when the checker asks for results (meet),
// when all other threads have been joined, or when too many are kept. These keep their order of
// arrival: an event's record and what waits for it; the operations of a stream and a record, a wait
// or a query in it; operations of the legacy stream and of those that it waits for; a wait for the
// whole device and all before it. Operations that several threads put into one stream follow one
// another by the threads' clocks. A thread's clock is never behind the creation of a stream that it
// uses. A thread whose creation was not seen starts at the last meeting.
//
// Some answers are needed at once: whether an operation is over (for hazards, queries, events).
// They come from a Timeline that serves calls as they come, and so do the times of programs with
// one thread. A query that says "not yet" takes no time on a thread's clock if several threads
// call.
//
// The choice of a thread for a job from a common queue cannot be undone here. So the client lets
// threads continue in the order of their clocks (client/threads/host_thread_scheduler.h): clock_s()
// gives a clock if calls are served as they come (live_clocks.h). A thread that slept until another
// one woke it continues no earlier than that.
//
// Not seen: threads that signal each other without sleeping, by a flag that one polls. Work that
// nothing else orders may then be modelled in parallel. And the wait of a thread for the whole
// device while others call is left to chance.

namespace vgpu::model {

/// The one that the program begins with.
inline constexpr ThreadId kFirstThread = 0;

class HostThreads {
public:
    /// Told when an operation runs, once that is known.
    using Told = std::function<void(const Span&)>;

    /// As Timeline's.
    explicit HostThreads(double host_call_s);

    /// The calls below come from this thread and belong to one function of the runtime: nothing of
    /// another thread is served between them. `continues`: nor before them, since the last ones.
    void speaks(ThreadId, bool continues = false);
    /// It creates another one. A number that is in use already is that thread, still.
    void create_thread(ThreadId created);
    /// It has waited for another one's end.
    void join_thread(ThreadId ended);
    /// It slept, and another one has woken it.
    void woken_by(ThreadId other);
    /// No thread is in the middle of something: all calls are served, and whatever comes later, of
    /// any thread, comes after them.
    void meet();

    void create(StreamId, StreamKind);
    void destroy(StreamId);
    Stamp run(StreamId, const Work&, Told = {});
    /// `told`: the span of the operation that became longer.
    void extend(StreamId, Engine, double seconds, Told = {});
    void record(EventId, StreamId);
    void wait(StreamId, EventId);
    void forget(EventId);
    void host_works(double seconds);
    void host_waits_for_all();
    void host_waits_for_stream(StreamId);
    void host_waits_for_event(EventId);
    bool poll_stream(StreamId);
    bool poll_event(EventId);
    std::optional<double> elapsed_s(EventId from, EventId to) const;

    /// Where the thread's clock stands, if no other one calls at an earlier time any more.
    double clock_s(ThreadId) const;

    /// What is known to be over, and what exists. Its times are those of programs with one thread.
    const Timeline& order() const { return order_; }

    /// Threads that are remembered; beyond that they count as the first one. Chosen.
    static constexpr std::size_t kMostThreads = 1024;
    /// Calls that are kept; beyond that half of them are served. Chosen.
    static constexpr std::size_t kMostKept = 4096;

private:
    /// Calls that must not be exchanged have one of these in common.
    struct Touches {
        std::optional<StreamId> stream{};
        bool is_operation = false;  ///< in that stream: others of its operations may overtake it
        std::optional<EventId> event{};
        bool all = false;
    };
    using Act = std::function<void(Timeline&)>;
    struct Call {
        Act act;
        std::function<void(const Timeline&)> tell{};
        bool is_vain = false;  ///< a query that was answered with "not yet"
        std::optional<ThreadId> creates{}, joins{}, woken_by{};
        std::uint64_t number = 0;            ///< in the order in which they came, from 1
        std::vector<std::uint64_t> after{};  ///< must be served before
        bool is_after_all = false;           ///< so must all that came before
        bool continues = false;              ///< the thread's call before
    };
    struct Thread {
        double at_s = 0;
        std::uint64_t created = 0;  ///< the number of that call, if it was seen
        bool is_born = true;        ///< which has been served
        bool is_joined = false;
        bool is_new = true;      ///< it has called, or was created, since the last meeting
        std::deque<Call> calls;  ///< that are kept
    };
    /// The calls that are kept, and the timeline on which they are served in the order of time.
    struct Clocks {
        Timeline timeline;
        std::map<ThreadId, Thread> threads{};
        std::set<std::uint64_t> kept{};  ///< numbers of calls
        bool has_several_callers = false;

        /// Serves one, and those that continue it; false when there is none.
        bool serve(bool tells);

    private:
        bool is_ready(const Call&) const;
        void serve(Thread&, double earliest_s, bool tells);
    };

    void begin_clocks();
    Thread& current();
    /// After the thread's last call, or its creation.
    static std::uint64_t last_call(const Thread&);
    void repeat(const Touches&, Act, Told = {}, bool is_vain = false);
    void keep(const Touches&, Call);
    std::vector<std::uint64_t> before(const Touches&) const;
    void remember(const Touches&, std::uint64_t number);
    void serve_all();
    void forget_served();

    Timeline order_;
    std::optional<Clocks> clocks_;    ///< once there is another thread than the first one
    std::optional<LiveClocks> live_;  ///< likewise
    ThreadId current_ = kFirstThread;
    bool continues_ = false;
    std::set<ThreadId> callers_;  ///< two at most
    double met_s_ = 0;
    std::uint64_t numbers_ = 0;
    /// Of the calls that are kept, the last one that no other may overtake, and the operations that
    /// came since.
    struct Last {
        std::uint64_t call = 0;
        std::vector<std::uint64_t> operations{};
    };
    std::map<StreamId, Last> of_stream_;
    std::map<EventId, std::uint64_t> of_event_;
};

}  // namespace vgpu::model
