#include "model/timeline.h"

#include <algorithm>

namespace vgpu::model {
namespace {

/// Polling moves the host on by this part of what is left, so that a loop of queries takes some
/// hundred rounds however long the work is. Chosen.
constexpr double kPolledPart = 1.0 / 64;
/// A launch or a copy waits while this many are queued: about as many as on a GPU.
constexpr std::size_t kMostQueued = 1024;
/// What has ended is remembered for threads that are behind, but not more than this. Chosen.
constexpr std::size_t kMostRemembered = 4 * kMostQueued;
/// Shares are sums of fractions; this much above 1 is still 1.
constexpr double kRounding = 1e-9;

bool follows_legacy(StreamKind kind) {
    return kind == StreamKind::blocking || kind == StreamKind::per_thread;
}

}  // namespace

void Timeline::Moment::join(const Moment& other) {
    at_s = std::max(at_s, other.at_s);
    know_all(other.all_up_to);
    for (const auto& [stream, number] : other.up_to) {
        if (number > all_up_to) up_to[stream] = std::max(up_to[stream], number);
    }
}

void Timeline::Moment::know_all(std::uint64_t up_to_number) {
    if (up_to_number <= all_up_to) return;
    all_up_to = up_to_number;
    std::erase_if(up_to, [&](const auto& entry) { return entry.second <= all_up_to; });
}

bool Timeline::Moment::knows(const Stamp& stamp) const {
    if (stamp.number <= all_up_to) return true;
    const auto found = up_to.find(stamp.stream);
    return found != up_to.end() && stamp.number <= found->second;
}

Timeline::Timeline(double host_call_s) : host_call_s_(host_call_s) {
    create(kLegacyStream, StreamKind::legacy);
}

void Timeline::create(StreamId id, StreamKind kind) {
    Stream stream;
    stream.kind = kind;
    stream.created_s = host_.at_s;
    streams_.emplace(id, std::move(stream));
}

bool Timeline::follows_legacy(StreamId id) const {
    return model::follows_legacy(streams_.at(id).kind);
}

void Timeline::destroy(StreamId id) {
    const auto found = streams_.find(id);
    // The legacy stream waits for it all the same.
    if (model::follows_legacy(found->second.kind)) enter(kLegacyStream);
    destroyed_.join(found->second.moment);
    streams_.erase(found);
}

void Timeline::host_is_at(double at_s, double earliest_s) {
    host_.at_s = at_s;
    earliest_s_ = earliest_s;
}

void Timeline::host_call() {
    if (host_call_s_ == 0) return;
    host_.at_s = place(calls_, host_call_s_, host_.at_s) + host_call_s_;
}

/// A thread that uses a stream does so after it was created, whoever did that.
void Timeline::host_uses(StreamId id) {
    host_.at_s = std::max(host_.at_s, streams_.at(id).created_s);
    host_call();
}

/// The stream, having waited for all that its next operation must wait for.
Timeline::Stream& Timeline::enter(StreamId id) {
    Stream& stream = streams_.at(id);
    if (stream.kind == StreamKind::legacy) {
        for (auto& [other_id, other] : streams_) {
            if (!model::follows_legacy(other.kind) || other.is_in_legacy) continue;
            stream.moment.join(other.moment);
            other.is_in_legacy = true;
        }
    } else if (model::follows_legacy(stream.kind)) {
        const Stream& legacy = streams_.at(kLegacyStream);
        if (stream.joined_legacy < legacy.last) stream.moment.join(legacy.moment);
        stream.joined_legacy = legacy.last;
    }
    stream.moment.join(host_);
    return stream;
}

void Timeline::changed(Stream& stream) {
    stream.last = ++numbers_;
    stream.is_in_legacy = false;
}

Stamp Timeline::run(StreamId id, const Work& work) {
    host_uses(id);
    Stream& stream = enter(id);
    stream.span.begin_s = place(work, stream.moment.at_s);
    stream.span.end_s = stream.moment.at_s = stream.span.begin_s + work.seconds;
    changed(stream);
    stream.moment.up_to[id] = stream.last_operation = numbers_;
    return {id, numbers_};
}

void Timeline::extend(StreamId id, Engine engine, double seconds) {
    Stream& stream = streams_.at(id);
    auto& copies = copies_[static_cast<std::size_t>(engine)];
    const auto taken = std::find_if(copies.begin(), copies.end(), [&](const Span& span) {
        return span.begin_s == stream.span.begin_s && span.end_s == stream.span.end_s;
    });
    if (taken != copies.end()) copies.erase(taken);
    seconds += stream.span.end_s - stream.span.begin_s;
    stream.span.begin_s = place_copy(engine, seconds, stream.span.begin_s);
    stream.span.end_s = stream.moment.at_s = stream.span.begin_s + seconds;
}

/// When the operation starts; its engine is taken from then on.
double Timeline::place(const Work& work, double ready_s) {
    if (work.engine == Engine::none) return ready_s;
    if (work.engine == Engine::kernels) return place_kernel(work, ready_s);
    return place_copy(work.engine, work.seconds, ready_s);
}

/// What is over for whoever calls next, and of a long list what is over for this thread: one that
/// comes very late may find the engine free.
template <class Queued>
void Timeline::forget_ended(Queued& queued) const {
    const auto forget = [&](double until_s) {
        std::erase_if(queued, [&](const auto& q) { return q.end_s <= until_s; });
    };
    forget(std::min(earliest_s_, host_.at_s));
    if (queued.size() > kMostRemembered) forget(host_.at_s);
}

template <class Queued>
void Timeline::wait_for_room(Queued& queued) {
    forget_ended(queued);
    if (queued.size() < kMostQueued) return;
    std::vector<double> ends;
    for (const auto& q : queued)
        if (q.end_s > host_.at_s) ends.push_back(q.end_s);
    if (ends.size() < kMostQueued) return;
    host_.at_s = *std::min_element(ends.begin(), ends.end());
    forget_ended(queued);
}

double Timeline::place_copy(Engine engine, double seconds, double ready_s) {
    auto& copies = copies_[static_cast<std::size_t>(engine)];
    wait_for_room(copies);
    return place(copies, seconds, ready_s);
}

/// Takes the first gap in `taken` that is long enough, or the time after all of them.
double Timeline::place(std::vector<Span>& taken, double seconds, double ready_s) const {
    forget_ended(taken);
    double start_s = ready_s;
    auto next = std::partition_point(taken.begin(), taken.end(),
                                     [=](const Span& span) { return span.end_s <= ready_s; });
    for (; next != taken.end(); ++next) {
        if (start_s + seconds <= next->begin_s) break;
        start_s = std::max(start_s, next->end_s);
    }
    taken.insert(next, {start_s, start_s + seconds});
    return start_s;
}

/// The first time from which there is room for it beside the others, until it ends.
double Timeline::place_kernel(const Work& work, double ready_s) {
    wait_for_room(kernels_);
    std::vector<Kernel> others;
    std::vector<double> starts{ready_s};
    for (const Kernel& k : kernels_) {
        if (k.end_s <= ready_s) continue;
        others.push_back(k);
        starts.push_back(k.end_s);
    }
    std::sort(starts.begin(), starts.end());
    const auto share_at = [&](double time_s) {
        double sum = 0;
        for (const Kernel& k : others) sum += k.begin_s <= time_s && time_s < k.end_s ? k.share : 0;
        return sum;
    };
    // What is taken grows only where a kernel begins, so looking there and at the start is enough.
    const auto has_room = [&](double start_s) {
        const double most = 1 - std::min(work.share, 1.0) + kRounding;
        return share_at(start_s) <= most &&
               std::all_of(others.begin(), others.end(), [&](const Kernel& k) {
                   return k.begin_s <= start_s || k.begin_s >= start_s + work.seconds ||
                          share_at(k.begin_s) <= most;
               });
    };
    // After the last one there is always room.
    const double start_s = *std::find_if(starts.begin(), std::prev(starts.end()), has_room);
    kernels_.push_back({start_s, start_s + work.seconds, std::min(work.share, 1.0)});
    return start_s;
}

void Timeline::record(EventId event, StreamId id) {
    host_uses(id);
    Stream& stream = enter(id);
    changed(stream);  // in the legacy stream, others wait for an event as for an operation
    Moment& moment = events_[event];
    known_by_events_ += stream.moment.up_to.size() - moment.up_to.size();
    moment = stream.moment;
}

void Timeline::forget(EventId event) {
    const auto found = events_.find(event);
    if (found == events_.end()) return;
    known_by_events_ -= found->second.up_to.size();
    events_.erase(found);
}

void Timeline::wait(StreamId id, EventId event) {
    host_uses(id);
    Stream& stream = enter(id);
    // An event that was never recorded has happened.
    const auto found = events_.find(event);
    if (found == events_.end()) return;
    stream.moment.join(found->second);
    changed(stream);
}

void Timeline::host_joins(const Moment& moment) {
    host_.join(moment);
    // Waiting for each stream is waiting for everything: keep what is known short.
    const bool knows_all =
        std::all_of(streams_.begin(), streams_.end(),
                    [&](const auto& entry) {
                        return host_.knows({entry.first, entry.second.last_operation});
                    }) &&
        std::all_of(destroyed_.up_to.begin(), destroyed_.up_to.end(), [&](const auto& entry) {
            return host_.knows({entry.first, entry.second});
        });
    if (!knows_all) return;
    host_.know_all(numbers_);
    destroyed_ = {};
}

void Timeline::host_works(double seconds) {
    host_.at_s += seconds;
}

void Timeline::host_waits_for_all() {
    host_call();
    host_.join(destroyed_);
    destroyed_ = {};
    for (const auto& [id, stream] : streams_) host_.join(stream.moment);
    host_.know_all(numbers_);
}

void Timeline::host_waits_for_stream(StreamId id) {
    host_uses(id);
    // What the legacy stream was given since then, another one would wait for only if it got more.
    const bool is_legacy = streams_.at(id).kind == StreamKind::legacy;
    host_joins(is_legacy ? enter(id).moment : streams_.at(id).moment);
}

void Timeline::host_waits_for_event(EventId event) {
    host_call();
    const auto found = events_.find(event);
    if (found != events_.end()) host_joins(found->second);
}

bool Timeline::poll(const Moment& moment) {
    host_call();
    if (moment.at_s > host_.at_s) {
        host_.at_s += (moment.at_s - host_.at_s) * kPolledPart;
        return false;
    }
    host_joins(moment);
    return true;
}

bool Timeline::poll_stream(StreamId id) {
    const Stream& stream = streams_.at(id);
    if (stream.kind != StreamKind::legacy) return poll(stream.moment);
    Moment all = stream.moment;
    for (const auto& [other_id, other] : streams_) {
        if (model::follows_legacy(other.kind)) all.join(other.moment);
    }
    return poll(all);
}

bool Timeline::poll_event(EventId event) {
    const auto found = events_.find(event);
    return found == events_.end() || poll(found->second);
}

bool Timeline::is_before(const Stamp& operation, StreamId id) const {
    return streams_.at(id).moment.knows(operation);
}

bool Timeline::is_over_for_host(const Stamp& operation) const {
    return host_.knows(operation);
}

std::optional<double> Timeline::elapsed_s(EventId from, EventId to) const {
    const Moment &begin = events_.at(from), &end = events_.at(to);
    if (std::max(begin.at_s, end.at_s) > host_.at_s) return std::nullopt;
    return end.at_s - begin.at_s;
}

double Timeline::between_s(EventId from, EventId to) const {
    return events_.at(to).at_s - events_.at(from).at_s;
}

}  // namespace vgpu::model
