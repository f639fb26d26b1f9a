// Streams, events and engines: what overlaps, what waits, and what is sure to come after what.
#include "model/timeline.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace vgpu::model;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double kMs = 1e-3;
constexpr Work kKernel{Engine::kernels, kMs, 1}, kSmall{Engine::kernels, kMs, 0.25};
constexpr Work kIn{Engine::copy_to_device, kMs}, kOut{Engine::copy_to_host, kMs};

/// Streams 1 to 4 are blocking, 5 and 6 are not; calls cost the host nothing.
struct Desk : Timeline {
    Desk() : Timeline(0) {
        for (StreamId id = 1; id <= 4; ++id) create(id, StreamKind::blocking);
        for (StreamId id = 5; id <= 6; ++id) create(id, StreamKind::non_blocking);
    }
    double all_ms() {
        host_waits_for_all();
        return now_s() / kMs;
    }
};

}  // namespace

TEST_CASE("timeline: one stream does one thing after the other") {
    Desk t;
    t.run(1, kIn), t.run(1, kKernel), t.run(1, kOut);
    CHECK(t.now_s() == 0);
    CHECK_THAT(t.all_ms(), WithinAbs(3, 1e-9));
}

TEST_CASE("timeline: copies in both directions and kernels overlap, one of a kind at a time") {
    Desk t;
    for (StreamId id = 1; id <= 4; ++id) t.run(id, kIn), t.run(id, kKernel), t.run(id, kOut);
    CHECK_THAT(t.all_ms(), WithinAbs(6, 1e-9));  // 4 stages of 3, as a pipeline
}

TEST_CASE("timeline: the legacy stream keeps blocking streams apart, not the others") {
    SECTION("it waits for them, and they for it") {
        Desk t;
        t.run(1, kIn), t.run(kLegacyStream, kKernel), t.run(2, kOut);
        CHECK_THAT(t.all_ms(), WithinAbs(3, 1e-9));
    }
    SECTION("non-blocking ones go on beside it") {
        Desk t;
        t.run(5, kIn), t.run(kLegacyStream, kKernel), t.run(6, kOut);
        CHECK_THAT(t.all_ms(), WithinAbs(1, 1e-9));
    }
}

TEST_CASE("timeline: small kernels run side by side as far as there is room") {
    Desk t;
    for (StreamId id = 1; id <= 4; ++id) t.run(id, kSmall);
    t.run(5, kSmall);
    CHECK_THAT(t.all_ms(), WithinAbs(2, 1e-9));
    for (StreamId id = 1; id <= 4; ++id) t.run(id, kKernel);
    CHECK_THAT(t.all_ms(), WithinAbs(6, 1e-9));
}

TEST_CASE("timeline: a small kernel fills the gap before a large one that waits for its stream") {
    Desk t;
    t.run(1, kIn), t.run(1, kKernel);  // from 1 ms
    t.run(2, kSmall);                  // from 0
    t.record(1, 2);
    t.run(3, {Engine::kernels, 2 * kMs, 0.25});  // does not fit before: from 2
    t.record(2, 3);
    t.host_waits_for_event(1);
    CHECK_THAT(t.now_s(), WithinAbs(1 * kMs, 1e-12));
    t.host_waits_for_event(2);
    CHECK_THAT(t.now_s(), WithinAbs(4 * kMs, 1e-12));
}

TEST_CASE("timeline: it does not matter which stream is filled first") {
    Desk t;
    for (StreamId id = 1; id <= 2; ++id) {
        for (int piece = 0; piece < 2; ++piece) t.run(id, kIn), t.run(id, kKernel), t.run(id, kOut);
    }
    // The second stream's copies go into the gaps: 0-1 and 3-4 in the first, 1-2 and 4-5 in it.
    CHECK_THAT(t.all_ms(), WithinAbs(7, 1e-9));
}

TEST_CASE("timeline: a copy in parts grows, and goes where all of it has room") {
    Desk t;
    t.run(1, kIn), t.run(1, kKernel), t.run(1, kIn);  // copies from 0 to 1 and from 2 to 3
    t.run(2, kIn);                                    // in between
    CHECK_THAT(t.span(2).begin_s, WithinAbs(1 * kMs, 1e-12));
    t.extend(2, Engine::copy_to_device, kMs);  // now it does not fit
    CHECK_THAT(t.span(2).begin_s, WithinAbs(3 * kMs, 1e-12));
    CHECK_THAT(t.all_ms(), WithinAbs(5, 1e-9));
    t.run(1, kIn), t.extend(1, Engine::copy_to_device, kMs);
    t.run(2, kIn);
    CHECK_THAT(t.all_ms(), WithinAbs(8, 1e-9));
}

TEST_CASE("timeline: an event carries a stream's time and order to another") {
    Desk t;
    const Stamp first = t.run(5, kKernel), second = t.run(5, kIn);
    CHECK(!t.is_before(first, 6));
    t.record(1, 5);
    const Stamp later = t.run(5, kOut);
    t.wait(6, 1);
    t.run(6, {Engine::none, 0});
    CHECK(t.is_before(first, 6));
    CHECK(t.is_before(second, 6));
    CHECK(!t.is_before(later, 6));
    CHECK(!t.is_over_for_host(first));
    t.record(2, 6), t.wait(1, 2);
    CHECK(t.is_before(first, 1));  // from stream to stream to stream
    t.host_waits_for_event(2);
    CHECK_THAT(t.now_s(), WithinAbs(2 * kMs, 1e-12));
    CHECK(t.is_over_for_host(second));
    CHECK(!t.is_over_for_host(later));
    t.run(3, kIn);
    CHECK(t.is_before(second, 3));  // the host waited, then called
}

TEST_CASE("timeline: order through the legacy stream, and waits for everything") {
    Desk t;
    const Stamp a = t.run(1, kKernel), b = t.run(5, kIn);
    t.run(2, kIn);
    CHECK(!t.is_before(a, 2));
    t.run(kLegacyStream, kOut);
    CHECK(t.is_before(a, kLegacyStream));
    CHECK(!t.is_before(b, kLegacyStream));
    t.run(2, kIn);
    CHECK(t.is_before(a, 2));
    CHECK(!t.is_before(b, 2));
    const Stamp c = t.run(6, kIn);
    t.host_waits_for_all();
    CHECK((t.is_over_for_host(a) && t.is_over_for_host(b) && t.is_over_for_host(c)));
    t.create(7, StreamKind::non_blocking);
    t.run(7, kIn);
    CHECK(t.is_before(b, 7));
    CHECK(t.is_before(c, 7));
}

TEST_CASE("timeline: an event in the legacy stream stands for the blocking streams before it") {
    Desk t;
    const Stamp a = t.run(1, kKernel), b = t.run(5, kIn);
    t.record(1, kLegacyStream);
    t.host_waits_for_event(1);
    CHECK(t.is_over_for_host(a));
    CHECK(!t.is_over_for_host(b));
}

TEST_CASE("timeline: a stream that is gone is still waited for") {
    Desk t;
    const Stamp a = t.run(1, kKernel), b = t.run(5, kKernel);
    t.destroy(1), t.destroy(5);
    t.run(kLegacyStream, kIn);
    CHECK(t.is_before(a, kLegacyStream));
    CHECK(!t.is_over_for_host(b));
    CHECK_THAT(t.all_ms(), WithinAbs(2, 1e-9));
    CHECK(t.is_over_for_host(b));
}

TEST_CASE("timeline: waiting for each stream is waiting for everything") {
    Desk t;
    const Stamp a = t.run(1, kKernel);
    t.run(5, kIn);
    t.host_waits_for_stream(1);
    CHECK(t.is_over_for_host(a));
    t.destroy(1);
    t.host_waits_for_stream(5);
    t.create(9, StreamKind::non_blocking);
    t.run(9, kIn);
    CHECK(t.is_before(a, 9));
}

TEST_CASE("timeline: waiting for a stream is not waiting for what the legacy stream got since") {
    Desk t;
    const Stamp a = t.run(1, kKernel), b = t.run(2, kKernel), c = t.run(kLegacyStream, kIn);
    t.host_waits_for_stream(1);
    CHECK(t.is_over_for_host(a));
    CHECK(!t.is_over_for_host(b));
    CHECK(!t.is_over_for_host(c));
    t.host_waits_for_stream(kLegacyStream);
    CHECK(t.is_over_for_host(b));
    CHECK(t.is_over_for_host(c));
}

TEST_CASE("timeline: an operation's span is where it was placed") {
    Desk t;
    t.run(1, kIn), t.run(5, kIn);
    CHECK_THAT(t.span(1).begin_s, WithinAbs(0, 1e-12));
    CHECK_THAT(t.span(5).begin_s, WithinAbs(t.span(1).end_s, 1e-12));
    const double end_s = t.span(5).end_s;
    t.extend(5, Engine::copy_to_device, 2 * kMs);
    CHECK_THAT(t.span(5).end_s, WithinAbs(end_s + 2 * kMs, 1e-12));
}

TEST_CASE("timeline: a polling loop ends, and knows then") {
    Timeline t(1e-6);
    const Stamp a = t.run(kLegacyStream, {Engine::kernels, 10, 1});
    t.record(1, kLegacyStream);
    CHECK(!t.poll_event(1));
    int rounds = 0;
    while (!t.poll_stream(kLegacyStream)) ++rounds;
    CHECK(rounds > 10);
    CHECK(rounds < 2000);
    CHECK(t.is_over_for_host(a));
    CHECK(t.poll_event(1));
    CHECK(t.poll_event(77));  // never recorded
}

TEST_CASE("timeline: elapsed time needs both events to be over") {
    Desk t;
    t.record(1, 1), t.run(1, kKernel), t.record(2, 1);
    CHECK(!t.elapsed_s(1, 2));
    t.host_waits_for_event(2);
    CHECK_THAT(*t.elapsed_s(1, 2), WithinAbs(kMs, 1e-12));
    CHECK_THAT(*t.elapsed_s(2, 1), WithinAbs(-kMs, 1e-12));
}

TEST_CASE("timeline: a long queue of launches holds the host back") {
    Timeline t(0);
    for (int i = 0; i < 3000; ++i) t.run(kLegacyStream, kKernel);
    CHECK(t.now_s() > 1.9);
    t.host_waits_for_all();
    CHECK_THAT(t.now_s(), WithinAbs(3, 1e-6));
}
