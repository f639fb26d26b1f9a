// Times of operations on the modelled GPU, and their order: which has certainly happened before
// which.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

// The virtual GPU executes everything at once, in the order of the calls. On a real one streams run
// in parallel, copies next to kernels, and all of them next to the host. The timeline keeps both.
// Each stream has a Moment: the end of its last operation, and the operations of all streams that
// are certainly over by then. Waiting joins moments, so time and order never disagree:
//
//     host  --call-->  stream 1:  [copy]-->[kernel]----record(e)
//                      stream 2:  [kernel]............wait(e)-->[kernel]   knows stream 1's kernel
//                      legacy:    waits for all blocking streams, and they wait for it
//
// Calls count in the order in which they are made here. Each comes from the host thread whose clock
// host_is_at() has set last, always the same one in a program with one thread; host_threads.h
// handles the others. The driver takes one call at a time: a caller waits while another thread's
// call is under way.
//
// For the order, the host is one: what one thread waited for, the others know. Programs whose
// threads do not inform each other get the benefit of the doubt.

namespace vgpu::model {

using StreamId = std::uint32_t;
using EventId = std::uint32_t;
inline constexpr StreamId kLegacyStream = 0;

enum class StreamKind : std::uint8_t { legacy, blocking, per_thread, non_blocking };

/// What an operation occupies. Kernels share theirs, the others do one thing at a time.
enum class Engine : std::uint8_t { none, copy_to_device, copy_to_host, on_device, kernels };

struct Work {
    Engine engine{};
    double seconds = 0;
    double share = 1;              ///< of a kernel: the part of the GPU that it fills, up to 1
    std::uint64_t host_bytes = 0;  ///< of a kernel: in the host's memory; `seconds` counts them
};

/// When an operation runs, on the modelled clock.
struct Span {
    double begin_s = 0, end_s = 0;
};

/// One operation, for questions about it.
struct Stamp {
    StreamId stream = 0;
    std::uint64_t number = 0;  ///< in the order of the calls, over all streams
};

class Timeline {
public:
    /// `host_call_s`: what each call below costs the host.
    explicit Timeline(double host_call_s);

    void create(StreamId, StreamKind);
    /// Its work goes on; there will be no more of it.
    void destroy(StreamId);
    bool has(StreamId id) const { return streams_.contains(id); }
    /// Whether it waits for the legacy stream, and the other way round.
    bool follows_legacy(StreamId) const;
    std::size_t streams() const { return streams_.size(); }

    /// Puts an operation at the end of a stream. It starts when its stream, and its engine, are
    /// free; a copy does not wait for one that was asked for earlier and whose own stream is not
    /// there yet, as streams have queues of their own.
    Stamp run(StreamId, const Work&);
    /// Makes the stream's last operation longer, for copies that come in parts.
    void extend(StreamId, Engine, double seconds);
    /// Of the stream's last operation.
    Span span(StreamId id) const { return streams_.at(id).span; }
    void record(EventId, StreamId);
    void wait(StreamId, EventId);
    void forget(EventId);
    bool is_recorded(EventId event) const { return events_.contains(event); }
    std::size_t events() const { return events_.size(); }
    /// How much is remembered, for whoever has to set limits: streams that are gone and that
    /// nobody has waited for yet, and operations that events stand for, each counted for each
    /// event.
    std::size_t gone_streams() const { return destroyed_.up_to.size(); }
    std::size_t known_by_events() const { return known_by_events_; }
    /// The calls that follow come from a thread whose clock shows `at_s`; none will come from one
    /// that shows less than `earliest_s`.
    void host_is_at(double at_s, double earliest_s);
    /// The host is busy with something of its own.
    void host_works(double seconds);

    void host_waits_for_all();
    void host_waits_for_stream(StreamId);
    void host_waits_for_event(EventId);
    /// Whether all of it is over at the host's time. If not, asking costs the host time as well, so
    /// that a loop which asks again and again ends.
    bool poll_stream(StreamId);
    bool poll_event(EventId);

    /// Whether `operation` is certainly over when the stream's last operation starts, and when the
    /// host goes on now.
    bool is_before(const Stamp& operation, StreamId) const;
    bool is_over_for_host(const Stamp& operation) const;

    /// Between two events; nothing while the host cannot know that both have happened.
    std::optional<double> elapsed_s(EventId from, EventId to) const;
    /// The same, whoever knows it.
    double between_s(EventId from, EventId to) const;
    double now_s() const { return host_.at_s; }

private:
    /// A point that a stream, an event or the host has reached.
    struct Moment {
        double at_s = 0;
        std::uint64_t all_up_to = 0;              ///< operations known to be over, of every stream
        std::map<StreamId, std::uint64_t> up_to;  ///< and of single ones, beyond that

        void join(const Moment&);
        bool knows(const Stamp&) const;
        void know_all(std::uint64_t up_to_number);
    };
    struct Stream {
        StreamKind kind{};
        Moment moment;
        std::uint64_t last = 0;  ///< its last change, numbered as operations are
        std::uint64_t last_operation = 0;
        double created_s = 0;
        Span span;                        ///< of that
        std::uint64_t joined_legacy = 0;  ///< the change of the legacy stream that it waited for
        bool is_in_legacy = true;         ///< the legacy stream has waited for its last change
    };
    struct Kernel {
        double begin_s, end_s, share;
    };

    void host_call();
    void host_uses(StreamId);
    Stream& enter(StreamId);
    void changed(Stream&);
    double place(const Work&, double ready_s);
    double place_copy(Engine, double seconds, double ready_s);
    double place(std::vector<Span>& taken, double seconds, double ready_s) const;
    double place_kernel(const Work&, double ready_s);
    template <class Queued>
    void forget_ended(Queued&) const;
    template <class Queued>
    void wait_for_room(Queued&);
    void host_joins(const Moment&);
    bool poll(const Moment&);

    double host_call_s_;
    std::uint64_t numbers_ = 0;
    std::map<StreamId, Stream> streams_;
    std::map<EventId, Moment> events_;
    std::size_t known_by_events_ = 0;
    Moment host_;
    Moment destroyed_;  ///< streams that are gone since: what waiting for everything must still
                        ///< wait for
    double earliest_s_ = std::numeric_limits<double>::infinity();
    // Those that may still be running when the next call is made:
    std::array<std::vector<Span>, 5> copies_;  ///< by engine, in the order of time
    std::vector<Kernel> kernels_;
    std::vector<Span> calls_;  ///< in the order of time
};

}  // namespace vgpu::model
