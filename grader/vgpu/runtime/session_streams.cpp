// The session's requests about streams and events, and what every operation in a stream goes
// through: its place on the timeline, and whether it touches what another one touches.
#include <fmt/format.h>

#include <cmath>

#include "runtime/session.h"

namespace vgpu {
namespace {

/// More than any sensible program has; keeps a hostile one's bookkeeping in bounds.
constexpr std::size_t kMaxStreams = 1 << 10, kMaxEvents = 1 << 15;
/// The same of what the timeline remembers of streams that are gone, and for all events together
/// (about 50 bytes each).
constexpr std::size_t kMaxGoneStreams = 1 << 13, kMaxKnownByEvents = 1 << 22;

/// The event that stands for the last host function of a stream; programs' events count from 1.
model::EventId told_event(std::uint32_t stream) {
    return UINT32_MAX - stream;
}

StreamName name_of_stream(std::uint32_t stream) {
    if (stream < wire::kPerThreadStreams) return {stream};
    return {0, stream - wire::kPerThreadStreams};
}

}  // namespace

StreamName Session::stream_name(std::uint32_t stream) const {
    const auto branch = branches_.find(stream);
    if (branch == branches_.end()) return name_of_stream(stream);
    StreamName name = name_of_stream(branch->second);
    name.is_graph = true;
    return name;
}

/// Unordered operations in branches of one stream, or in a branch and the stream itself, are those
/// of one graph: what comes before and after it there waits.
bool Session::are_of_one_graph(std::uint32_t a, std::uint32_t b) const {
    const auto launched_in = [&](std::uint32_t stream) {
        const auto branch = branches_.find(stream);
        return branch == branches_.end() ? stream : branch->second;
    };
    return a != b && launched_in(a) == launched_in(b);
}

void Session::require_stream(std::uint32_t stream) const {
    if (!timeline_.order().has(stream)) throw wire::Violation("no such stream");
}

void Session::create_stream(const Request& r) {
    if (timeline_.order().has(r.stream))
        throw wire::Violation("create_stream: the number is in use");
    if (timeline_.order().streams() == kMaxStreams) {
        throw Failure{cudaErrorMemoryAllocation, "too many streams"};
    }
    if (timeline_.order().gone_streams() >= kMaxGoneStreams) {
        throw Failure{cudaErrorMemoryAllocation,
                      "too many streams were destroyed that nothing has waited for"};
    }
    switch (static_cast<wire::StreamKind>(r.value)) {
        // clang-format off
        case wire::StreamKind::blocking: timeline_.create(r.stream, model::StreamKind::blocking); break;
        case wire::StreamKind::per_thread: timeline_.create(r.stream, model::StreamKind::blocking); break;
        case wire::StreamKind::non_blocking: timeline_.create(r.stream, model::StreamKind::non_blocking); break;
        case wire::StreamKind::graph_branch: timeline_.create(r.stream, model::StreamKind::non_blocking); break;
            // clang-format on
    }
    if (static_cast<wire::StreamKind>(r.value) == wire::StreamKind::graph_branch) {
        require_stream(r.event);
        branches_[r.stream] = r.event;
    }
    has_streams_ = true;
}

void Session::destroy_stream(const Request& r) {
    require_stream(r.stream);
    if (r.stream == model::kLegacyStream) throw wire::Violation("destroy_stream: the default one");
    timeline_.destroy(r.stream);
    branches_.erase(r.stream);
    if (told_by_function_.erase(r.stream) != 0) timeline_.forget(told_event(r.stream));
}

void Session::record_event(const Request& r) {
    require_stream(r.stream);
    if ((timeline_.order().events() == kMaxEvents && !timeline_.order().is_recorded(r.event)) ||
        timeline_.order().known_by_events() >= kMaxKnownByEvents) {
        throw Failure{cudaErrorMemoryAllocation, "too many events"};
    }
    timeline_.record(r.event, r.stream);
}

void Session::elapsed(const Request& r, Reply& reply) {
    const auto event = [&](std::uint64_t number) {
        const auto id = static_cast<model::EventId>(number);
        if (!timeline_.order().is_recorded(id)) throw wire::Violation("elapsed: no such event");
        return id;
    };
    // A look, as a query is: who asks until there is an answer gets one, and knows then that both
    // are over.
    const model::EventId from = event(r.from), to = event(r.to);
    bool from_is_over = timeline_.poll_event(from), to_is_over = timeline_.poll_event(to);
    if ((!from_is_over || !to_is_over) && !told_by_function_.empty()) {
        // A host function may have said so, through a flag that nobody here sees.
        for (const std::uint32_t stream : told_by_function_)
            timeline_.host_waits_for_event(told_event(stream));
        from_is_over = timeline_.poll_event(from);
        to_is_over = timeline_.poll_event(to);
    }
    if (!from_is_over || !to_is_over) {
        reply.error = cudaErrorNotReady;
        return;
    }
    forget_ordered();
    reply.elapsed_ns = std::llround(timeline_.elapsed_s(from, to).value() * 1e9);
}

void Session::host_function(const Request& r) {
    require_stream(r.stream);
    timeline_.run(r.stream, {model::Engine::none, 0});
    timeline_.record(told_event(r.stream), r.stream);
    told_by_function_.insert(r.stream);
    hazards_.let_go(r.stream, timeline_.order());
}

/// Nothing happens in the stream for so long: the operations before have not let go of it yet.
void Session::occupy(const Request& r) {
    require_stream(r.stream);
    timeline_.run(r.stream, {model::Engine::none, r.value * 1e-6});
}

void Session::synchronize(const Request& r) {
    switch (static_cast<wire::Scope>(r.value)) {
        case wire::Scope::device:
            timeline_.host_waits_for_all();
            break;
        case wire::Scope::stream:
            require_stream(r.stream);
            timeline_.host_waits_for_stream(r.stream);
            break;
        case wire::Scope::event:
            timeline_.host_waits_for_event(r.event);
            break;
    }
    forget_ordered();
}

/// Whether it is all over.
bool Session::query(const Request& r) {
    bool is_over = false;
    switch (static_cast<wire::Scope>(r.value)) {
        case wire::Scope::device:
            throw wire::Violation("query: of the whole device");
        case wire::Scope::stream:
            require_stream(r.stream);
            is_over = timeline_.poll_stream(r.stream);
            break;
        case wire::Scope::event:
            is_over = timeline_.poll_event(r.event);
            break;
    }
    if (is_over) forget_ordered();
    return is_over;
}

/// Puts an operation, which has been carried out, into its stream. `launch`: of a kernel, from 1;
/// `waits`: the host goes on when it is over.
void Session::follow(const Request& r, const model::Work& work, const std::string& what,
                     std::uint64_t launch, std::vector<Footprint> touched, bool waits) {
    Operation operation;
    model::HostThreads::Told told;
    if (work.engine != model::Engine::none) {
        // What is pinned goes through wire::Op::copy.
        const bool is_pageable = r.op == wire::Op::write || r.op == wire::Op::read;
        // A single byte was meant as one.
        const bool sets_elements = r.op == wire::Op::fill && r.bytes > 1;
        const std::uint32_t set_byte = sets_elements ? r.value : 0;
        told = [this, what, stream = r.stream, engine = work.engine, host_bytes = work.host_bytes,
                is_pageable, set_byte, continues = r.continues != 0](const model::Span& span) {
            records_.operation({what, stream, engine, span, host_bytes, is_pageable, set_byte},
                               continues);
        };
    }
    if (r.continues != 0) {
        timeline_.extend(r.stream, work.engine, work.seconds, told);
        operation.stamp.stream = r.stream;
    } else {
        operation.stamp = timeline_.run(r.stream, work, told);
    }
    if (has_concurrency()) {
        operation.actor = {what, launch, stream_name(r.stream)};
        operation.touched = std::move(touched);
        operation.copies_to_host = work.engine == model::Engine::copy_to_host;
        for (const Hazards::Conflict& c : hazards_.check(operation, timeline_.order())) report(c);
        if (!waits) hazards_.remember(std::move(operation));
    }
    if (waits) {
        timeline_.host_waits_for_stream(r.stream);
        forget_ordered();
    }
}

void Session::forget_ordered() {
    hazards_.forget_ordered(timeline_.order());
}

/// A finding about these bytes, without who touches them.
Finding Session::hazard_at(Address begin, Address end) const {
    Finding finding;
    finding.check = Check::hazard;
    finding.space = Space::global;
    finding.access_bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(end - begin, UINT32_MAX));
    finding.address = begin;
    if (const auto allocation = device_->allocation_of(begin)) finding.nearest = {*allocation, 0};
    return finding;
}

void Session::report(const Hazards::Conflict& conflict) {
    Finding finding = hazard_at(conflict.begin, conflict.end);
    const Actor &earlier = conflict.earlier.actor, &later = conflict.later.actor;
    finding.actor = later;
    finding.is_write = conflict.later_writes;
    Other other;
    other.is_write = conflict.earlier_writes;
    other.actor = earlier;
    finding.other = std::move(other);
    const bool is_same = earlier.what == later.what;
    using Between = cause::Unordered::Between;
    const bool is_in_graph =
        are_of_one_graph(conflict.earlier.stamp.stream, conflict.later.stamp.stream);
    finding.cause = cause::Unordered{
        is_in_graph ? Between::graph_nodes : Between::streams,
        is_same && conflict.earlier_writes && conflict.later_writes,
        !is_same && conflict.later_writes && later.what == "cudaMemcpyAsync to the device"};
    records_.finding(finding);
}

}  // namespace vgpu
