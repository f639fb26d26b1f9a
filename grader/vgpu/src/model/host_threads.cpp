#include "model/host_threads.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vgpu::model {

HostThreads::HostThreads(double host_call_s) : order_(host_call_s) {}

void HostThreads::begin_clocks() {
    if (clocks_) return;
    clocks_.emplace(Clocks{order_});
    clocks_->threads[kFirstThread].at_s = order_.now_s();
    live_.emplace(order_, kFirstThread);
}

void HostThreads::speaks(ThreadId thread, bool continues) {
    if (thread != kFirstThread) begin_clocks();
    current_ = thread;
    continues_ = continues;
}

HostThreads::Thread& HostThreads::current() {
    auto& threads = clocks_->threads;
    if (threads.size() >= kMostThreads && !threads.contains(current_)) current_ = kFirstThread;
    const auto [at, is_unseen] = threads.try_emplace(current_);
    if (is_unseen) at->second.at_s = met_s_;
    return at->second;
}

std::uint64_t HostThreads::last_call(const Thread& thread) {
    return thread.calls.empty() ? thread.created : thread.calls.back().number;
}

void HostThreads::create_thread(ThreadId created) {
    begin_clocks();
    current();
    auto& threads = clocks_->threads;
    if (threads.contains(created) || threads.size() >= kMostThreads) return;
    Thread& thread = threads[created];
    thread.is_born = false;
    thread.created = numbers_ + 1;
    live_->begin(created, clock_s(current_));
    Call call;
    call.creates = created;
    keep({}, std::move(call));
}

void HostThreads::join_thread(ThreadId ended) {
    if (!clocks_ || ended == current_) return;
    const auto found = clocks_->threads.find(ended);
    if (found == clocks_->threads.end()) return;
    current();
    if (ended == current_) return;  // one of too many, which counts as the first
    Thread& thread = found->second;
    thread.is_joined = true;
    Call call;
    call.joins = ended;
    call.after.push_back(last_call(thread));
    current();
    live_->follow(current_, ended);
    live_->end(ended);
    keep({}, std::move(call));
}

void HostThreads::woken_by(ThreadId other) {
    if (!clocks_ || other == current_) return;
    const auto found = clocks_->threads.find(other);
    if (found == clocks_->threads.end()) return;
    Call call;
    call.woken_by = other;
    call.after.push_back(last_call(found->second));
    current();
    live_->follow(current_, other);
    keep({}, std::move(call));
}

double HostThreads::clock_s(ThreadId thread) const {
    return live_ ? live_->at_s(thread) : order_.now_s();
}

/// Calls that this one must not overtake.
std::vector<std::uint64_t> HostThreads::before(const Touches& touches) const {
    std::vector<std::uint64_t> calls;
    if (touches.event) {
        const auto found = of_event_.find(*touches.event);
        if (found != of_event_.end()) calls.push_back(found->second);
    }
    if (!touches.stream) return calls;
    const auto in_legacy = [&](StreamId id) {
        return id == kLegacyStream || !order_.has(id) || order_.follows_legacy(id);
    };
    const StreamId stream = *touches.stream;
    const auto add = [&](StreamId id, const Last& last) {
        calls.push_back(last.call);
        if (id == stream && touches.is_operation) return;
        calls.insert(calls.end(), last.operations.begin(), last.operations.end());
    };
    for (const auto& [id, last] : of_stream_) {
        const bool has_legacy = id == kLegacyStream || stream == kLegacyStream;
        if (id == stream || (has_legacy && in_legacy(id) && in_legacy(stream))) add(id, last);
    }
    return calls;
}

void HostThreads::remember(const Touches& touches, std::uint64_t number) {
    if (touches.event) of_event_[*touches.event] = number;
    if (!touches.stream) return;
    Last& last = of_stream_[*touches.stream];
    if (touches.is_operation) {
        last.operations.push_back(number);
    } else {
        last = {number};
    }
}

void HostThreads::keep(const Touches& touches, Call call) {
    Thread& thread = current();
    thread.is_new = true;
    call.number = ++numbers_;
    for (const std::uint64_t number : before(touches)) call.after.push_back(number);
    call.is_after_all = touches.all;
    call.continues = std::exchange(continues_, true);
    remember(touches, call.number);
    clocks_->kept.insert(call.number);
    thread.calls.push_back(std::move(call));

    const auto& threads = clocks_->threads;
    const auto others = std::count_if(threads.begin(), threads.end(), [&](const auto& entry) {
        return entry.first != current_ && !entry.second.is_joined;
    });
    if (others == 0) return serve_all();
    if (clocks_->kept.size() <= kMostKept) return;
    while (clocks_->kept.size() > kMostKept / 2 && clocks_->serve(true)) {
    }
    forget_served();
}

/// Who need not be waited for any more is not named to those that come.
void HostThreads::forget_served() {
    const auto is_served = [&](std::uint64_t number) { return !clocks_->kept.contains(number); };
    for (auto& [id, last] : of_stream_) std::erase_if(last.operations, is_served);
    std::erase_if(of_stream_, [&](const auto& entry) {
        return is_served(entry.second.call) && entry.second.operations.empty();
    });
    std::erase_if(of_event_, [&](const auto& entry) { return is_served(entry.second); });
}

void HostThreads::serve_all() {
    while (clocks_->serve(true)) {
    }
    of_stream_.clear();
    of_event_.clear();
}

bool HostThreads::Clocks::is_ready(const Call& call) const {
    return (!call.is_after_all || *kept.begin() == call.number) &&
           std::ranges::none_of(call.after, [&](auto number) { return kept.contains(number); });
}

bool HostThreads::Clocks::serve(bool tells) {
    // The one whose clock shows the least; of several, the one with the lowest number.
    Thread* next = nullptr;
    double earliest_s = std::numeric_limits<double>::infinity();
    for (auto& [id, thread] : threads) {
        if (!thread.is_born) continue;
        if (!thread.is_joined || !thread.calls.empty())
            earliest_s = std::min(earliest_s, thread.at_s);
        if (thread.calls.empty() || !is_ready(thread.calls.front())) continue;
        if (next == nullptr || thread.at_s < next->at_s) next = &thread;
    }
    if (next == nullptr) return false;
    do {
        serve(*next, earliest_s, tells);
    } while (!next->calls.empty() && next->calls.front().continues &&
             is_ready(next->calls.front()));
    return true;
}

void HostThreads::Clocks::serve(Thread& thread, double earliest_s, bool tells) {
    const Call call = std::move(thread.calls.front());
    thread.calls.pop_front();
    timeline.host_is_at(thread.at_s, earliest_s);
    if (call.act && !(call.is_vain && has_several_callers)) call.act(timeline);
    thread.at_s = timeline.now_s();
    if (tells && call.tell) call.tell(timeline);
    if (call.creates) {
        Thread& created = threads.at(*call.creates);
        created.at_s = thread.at_s;
        created.is_born = true;
    }
    if (const auto ended = call.joins ? threads.find(*call.joins) : threads.end();
        ended != threads.end()) {
        thread.at_s = std::max(thread.at_s, ended->second.at_s);
        if (ended->second.calls.empty()) threads.erase(ended);
    }
    if (const auto other = call.woken_by ? threads.find(*call.woken_by) : threads.end();
        other != threads.end()) {
        thread.at_s = std::max(thread.at_s, other->second.at_s);
    }
    kept.erase(call.number);
}

void HostThreads::meet() {
    if (!clocks_) {
        met_s_ = order_.now_s();
        return;
    }
    serve_all();
    auto& threads = clocks_->threads;
    std::erase_if(threads, [](const auto& entry) {
        return entry.first != kFirstThread && !entry.second.is_new;
    });
    for (const auto& [id, thread] : threads) met_s_ = std::max(met_s_, thread.at_s);
    live_->meet(met_s_);
    for (auto& [id, thread] : threads) {
        thread.at_s = met_s_;
        thread.is_new = false;
        live_->begin(id, met_s_);
    }
}

/// What was done in the order of the calls is done in the order of time, too.
void HostThreads::repeat(const Touches& touches, Act act, Told told, bool is_vain) {
    if (!clocks_) {
        if (told) told(order_.span(*touches.stream));
        return;
    }
    current();
    if (callers_.size() < 2) callers_.insert(current_);
    clocks_->has_several_callers = callers_.size() > 1;
    live_->serve(current_, act);
    Call call;
    call.act = std::move(act);
    if (told)
        call.tell = [told = std::move(told), id = *touches.stream](const Timeline& t) {
            told(t.span(id));
        };
    call.is_vain = is_vain;
    keep(touches, std::move(call));
}

void HostThreads::create(StreamId id, StreamKind kind) {
    order_.create(id, kind);
    repeat({.stream = id}, [=](Timeline& t) { t.create(id, kind); });
}

void HostThreads::destroy(StreamId id) {
    order_.destroy(id);
    repeat({.stream = id}, [=](Timeline& t) { t.destroy(id); });
}

Stamp HostThreads::run(StreamId id, const Work& work, Told told) {
    const Stamp stamp = order_.run(id, work);
    repeat(
        {.stream = id, .is_operation = true}, [=](Timeline& t) { t.run(id, work); },
        std::move(told));
    return stamp;
}

void HostThreads::extend(StreamId id, Engine engine, double seconds, Told told) {
    order_.extend(id, engine, seconds);
    repeat(
        {.stream = id}, [=](Timeline& t) { t.extend(id, engine, seconds); }, std::move(told));
}

void HostThreads::record(EventId event, StreamId id) {
    order_.record(event, id);
    repeat({.stream = id, .event = event}, [=](Timeline& t) { t.record(event, id); });
}

void HostThreads::wait(StreamId id, EventId event) {
    order_.wait(id, event);
    repeat({.stream = id, .event = event}, [=](Timeline& t) { t.wait(id, event); });
}

void HostThreads::forget(EventId event) {
    order_.forget(event);
    repeat({.event = event}, [=](Timeline& t) { t.forget(event); });
}

void HostThreads::host_works(double seconds) {
    order_.host_works(seconds);
    repeat({}, [=](Timeline& t) { t.host_works(seconds); });
}

void HostThreads::host_waits_for_all() {
    order_.host_waits_for_all();
    repeat({.all = true}, [](Timeline& t) { t.host_waits_for_all(); });
}

void HostThreads::host_waits_for_stream(StreamId id) {
    order_.host_waits_for_stream(id);
    repeat({.stream = id}, [=](Timeline& t) { t.host_waits_for_stream(id); });
}

void HostThreads::host_waits_for_event(EventId event) {
    order_.host_waits_for_event(event);
    repeat({.event = event}, [=](Timeline& t) { t.host_waits_for_event(event); });
}

bool HostThreads::poll_stream(StreamId id) {
    const bool is_over = order_.poll_stream(id);
    const auto act = [=](Timeline& t) {
        if (is_over) return t.host_waits_for_stream(id);
        t.poll_stream(id);
    };
    repeat({.stream = id}, act, {}, !is_over);
    return is_over;
}

bool HostThreads::poll_event(EventId event) {
    const bool is_over = order_.poll_event(event);
    const auto act = [=](Timeline& t) {
        if (is_over) return t.host_waits_for_event(event);
        t.poll_event(event);
    };
    repeat({.event = event}, act, {}, !is_over);
    return is_over;
}

std::optional<double> HostThreads::elapsed_s(EventId from, EventId to) const {
    const auto known = order_.elapsed_s(from, to);
    if (!known || callers_.size() < 2) return known;
    Clocks clocks = *clocks_;  // others may still call before what is kept: it stays
    while (clocks.serve(false)) {
    }
    return clocks.timeline.between_s(from, to);
}

}  // namespace vgpu::model
