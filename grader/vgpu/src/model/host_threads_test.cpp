// Host threads: the same times in whatever order their calls come, and those of the program.
#include "model/host_threads.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <ctime>
#include <random>
#include <string>
#include <vector>

using namespace vgpu::model;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double kUs = 1e-6, kCall = 1 * kUs;
constexpr Work kIn{Engine::copy_to_device, 10 * kUs}, kOut{Engine::copy_to_host, 10 * kUs};
constexpr Work kKernel{Engine::kernels, 25 * kUs, 0.5};

/// One call of a program, and the thread that makes it.
struct Step {
    ThreadId thread;
    std::function<void(HostThreads&)> act;
};
using Script = std::vector<Step>;

/// When the last operation ended that was told, and how many there were.
struct Log {
    double end_s = 0;
    int told = 0;
    HostThreads::Told note() {
        return [this](const Span& span) {
            end_s = std::max(end_s, span.end_s);
            ++told;
        };
    }
};

/// The threads' calls, each thread's own in their order, mixed by chance: from one after the other
/// to turns of one call.
Script mixed(std::vector<Script> threads, unsigned seed) {
    std::mt19937 random(seed);
    Script all;
    std::vector<std::size_t> at(threads.size(), 0);
    for (std::size_t left = 0;;) {
        left = 0;
        for (std::size_t i = 0; i < threads.size(); ++i) left += threads[i].size() - at[i];
        if (left == 0) return all;
        const std::size_t i = random() % threads.size();
        for (std::size_t turn = 1 + random() % 20; turn > 0 && at[i] < threads[i].size(); --turn)
            all.push_back(threads[i][at[i]++]);
    }
}

void play(HostThreads& host, const Script& script) {
    for (const Step& step : script) {
        host.speaks(step.thread);
        step.act(host);
    }
}

/// Threads 1 to `count`, created by the first one; each sends pieces through a stream of its own.
/// `streams`: fewer, and they share them.
double pipeline_us(int count, int streams, int pieces, unsigned seed) {
    HostThreads host(kCall);
    Log log;
    const auto id = [](int k) { return static_cast<std::uint32_t>(k); };
    for (int k = 1; k <= streams; ++k) host.create(id(k), StreamKind::blocking);
    std::vector<Script> threads;
    for (int k = 1; k <= count; ++k) {
        host.create_thread(id(k));
        Script& thread = threads.emplace_back();
        const auto add = [&](auto act) { thread.push_back({id(k), act}); };
        for (int piece = k - 1; piece < pieces; piece += count) {
            const StreamId stream = id(1 + piece % streams);
            for (const Work& work : {kIn, kKernel, kOut})
                add([&, stream, work](HostThreads& h) { h.run(stream, work, log.note()); });
        }
        if (streams == count) add([k, id](HostThreads& h) { h.host_waits_for_stream(id(k)); });
    }
    play(host, mixed(std::move(threads), seed));
    host.speaks(kFirstThread);
    for (int k = 1; k <= count; ++k) host.join_thread(id(k));
    CHECK(log.told == 3 * pieces);  // nobody else is left who could have called before
    return log.end_s / kUs;
}

}  // namespace

TEST_CASE("host threads: with one thread a timeline as ever") {
    HostThreads host(kCall);
    Timeline alone(kCall);
    Log log;
    for (StreamId id = 1; id <= 2; ++id) {
        host.create(id, StreamKind::blocking);
        alone.create(id, StreamKind::blocking);
    }
    double last_s = 0;
    for (int round = 0; round < 5; ++round) {
        for (StreamId id = 1; id <= 2; ++id) {
            host.run(id, kIn, log.note()), alone.run(id, kIn);
            host.run(id, kKernel, log.note()), alone.run(id, kKernel);
            last_s = std::max(last_s, alone.span(id).end_s);
        }
        host.record(1, 1), alone.record(1, 1);
        host.wait(2, 1), alone.wait(2, 1);
        while (!alone.poll_stream(1)) CHECK_FALSE(host.poll_stream(1));
        CHECK(host.poll_stream(1));
    }
    host.host_waits_for_all(), alone.host_waits_for_all();
    CHECK(host.order().now_s() == alone.now_s());
    CHECK(log.end_s == last_s);
    CHECK(log.told == 20);
}

TEST_CASE("host threads: another thread that never calls changes nothing") {
    const auto time = [](bool has_other) {
        HostThreads host(kCall);
        Log log;
        host.create(1, StreamKind::blocking);
        if (has_other) host.create_thread(1);
        for (int i = 0; i < 3; ++i) {
            host.run(1, kKernel, log.note());
            host.record(1, 1);
            while (!host.poll_event(1)) {
            }
        }
        host.meet();
        return log.end_s;
    };
    CHECK(time(true) == time(false));
}

TEST_CASE("host threads: the order in which threads happen to run does not change the time") {
    const int threads = GENERATE(2, 3, 5);
    const double in_turns = pipeline_us(threads, threads, 16, 0);
    for (unsigned seed = 1; seed < 50; ++seed)
        CHECK(pipeline_us(threads, threads, 16, seed) == in_turns);
    // A stream takes 45 us a piece; two kernels of half the GPU at once take 200 us for all.
    const double least_us = std::max((16 + threads - 1) / threads * 45, 200 + 20);
    CHECK(in_turns > least_us);
    CHECK(in_turns < least_us + 16);
}

TEST_CASE("host threads: nor when they share streams") {
    const double in_turns = pipeline_us(2, 3, 16, 0);
    for (unsigned seed = 1; seed < 50; ++seed) CHECK(pipeline_us(2, 3, 16, seed) == in_turns);
}

TEST_CASE("host threads: each waits for its own, and the driver takes one call at a time") {
    HostThreads host(kCall);
    Log log;
    for (StreamId id = 1; id <= 2; ++id) {
        host.create(id, StreamKind::blocking);
        host.create_thread(id);
    }
    constexpr Work kSmall{Engine::kernels, 10 * kUs, 0.1};
    for (ThreadId id = 1; id <= 2; ++id) {
        for (int i = 0; i < 3; ++i) {
            host.speaks(id);
            host.run(id, kSmall, log.note());
            host.speaks(id);
            host.host_waits_for_stream(id);
        }
    }
    host.meet();
    // Three rounds of a call and a kernel. The second thread comes later by one call of the first,
    // and in the second round by the one with which that one waits.
    CHECK_THAT(log.end_s / kUs, WithinAbs(3 * 11 + 1 + 1, 1e-6));
}

TEST_CASE("host threads: a thread begins where its creator stands, and joining waits for its end") {
    HostThreads host(0);
    Log log;
    for (StreamId id = 1; id <= 3; ++id) host.create(id, StreamKind::non_blocking);
    host.run(1, {Engine::none, 50 * kUs});
    host.host_waits_for_stream(1);
    host.create_thread(7);
    host.speaks(7);
    host.run(2, {Engine::none, 20 * kUs}, log.note());
    host.host_waits_for_stream(2);
    SECTION("what the creator does then is not waited for") {
        host.speaks(kFirstThread);
        host.run(1, {Engine::none, 30 * kUs}, log.note());
        host.meet();
        CHECK_THAT(log.end_s / kUs, WithinAbs(80, 1e-6));
    }
    SECTION("what follows the join is later") {
        host.speaks(kFirstThread);
        host.join_thread(7);
        host.run(3, {Engine::none, 5 * kUs}, log.note());
        CHECK_THAT(log.end_s / kUs, WithinAbs(75, 1e-6));
    }
}

TEST_CASE("host threads: who was woken goes on at the time of the one that woke it") {
    HostThreads host(0);
    Log log;
    for (StreamId id = 1; id <= 2; ++id) {
        host.create(id, StreamKind::non_blocking);
        host.create_thread(id);
    }
    host.speaks(1);
    host.run(1, {Engine::none, 20 * kUs});
    host.host_waits_for_stream(1);
    host.speaks(2);
    SECTION("which is later") {
        host.woken_by(1);
        CHECK_THAT(host.clock_s(2) / kUs, WithinAbs(20, 1e-6));
        host.run(2, {Engine::none, 5 * kUs}, log.note());
        host.speaks(1);
        host.run(1, {Engine::none, 50 * kUs});
        host.host_waits_for_stream(1);  // what the other does after that is not waited for
        host.meet();
        CHECK_THAT(log.end_s / kUs, WithinAbs(25, 1e-6));
    }
    SECTION("which is earlier") {
        host.run(2, {Engine::none, 30 * kUs});
        host.host_waits_for_stream(2);
        host.woken_by(1);
        CHECK_THAT(host.clock_s(2) / kUs, WithinAbs(30, 1e-6));
        host.run(2, {Engine::none, 5 * kUs}, log.note());
        host.meet();
        CHECK_THAT(log.end_s / kUs, WithinAbs(35, 1e-6));
    }
    SECTION("nobody that is known, or itself") {
        host.woken_by(77);
        host.woken_by(2);
        CHECK(host.clock_s(2) == 0);
    }
}

TEST_CASE("host threads: clocks can be read while calls are kept") {
    HostThreads host(kCall);
    CHECK(host.clock_s(kFirstThread) == 0);
    host.create(1, StreamKind::blocking);
    host.run(1, kKernel);
    CHECK(host.clock_s(kFirstThread) == host.order().now_s());
    const double born_s = host.clock_s(kFirstThread);
    host.create_thread(5);
    CHECK(host.clock_s(5) == born_s);
    host.run(1, kKernel);
    CHECK_THAT(host.clock_s(kFirstThread), WithinAbs(born_s + kCall, 1e-12));
    CHECK(host.clock_s(5) == born_s);  // what others do does not move it on

    host.speaks(5);
    host.host_waits_for_stream(1);
    CHECK_THAT(host.clock_s(5), WithinAbs(kCall + 2 * 25 * kUs, 1e-12));
    host.speaks(kFirstThread);
    host.join_thread(5);
    CHECK_THAT(host.clock_s(kFirstThread), WithinAbs(kCall + 2 * 25 * kUs, 1e-12));
    host.host_works(7 * kUs);
    host.meet();
    for (const ThreadId anyone : {kFirstThread, 5U, 9U})
        CHECK_THAT(host.clock_s(anyone), WithinAbs(kCall + 57 * kUs, 1e-12));
}

/// As a program whose threads take pieces from a common queue, if they take turns by clock_s().
TEST_CASE("host threads: in the order of their clocks, threads share a queue as on a GPU") {
    const int count = GENERATE(2, 3, 4), pieces = 16;
    const bool waits = GENERATE(false, true);
    HostThreads host(kCall);
    Log log;
    const auto id = [](int k) { return static_cast<std::uint32_t>(k); };
    for (int k = 1; k <= count; ++k) {
        host.create(id(k), StreamKind::blocking);
        host.create_thread(id(k));
    }
    std::vector<int> done(static_cast<std::size_t>(count));
    for (int piece = 0; piece < pieces; ++piece) {
        int next = 1;
        for (int k = 2; k <= count; ++k)
            if (host.clock_s(id(k)) < host.clock_s(id(next))) next = k;
        host.speaks(id(next));
        for (const Work& work : {kIn, kKernel, kOut}) host.run(id(next), work, log.note());
        if (waits) host.host_waits_for_stream(id(next));
        ++done[id(next) - 1];
    }
    host.meet();
    const auto [least, most] = std::ranges::minmax(done);
    CHECK(most - least <= 1);
    // A stream takes 45 us a piece; two kernels of half the GPU at once take 200 us for all.
    CHECK(log.end_s / kUs < std::max((pieces + count - 1) / count * 45, 200 + 20) + 32);
}

TEST_CASE("host threads: one that was not seen to be created") {
    HostThreads host(0);
    Log log;
    host.run(kLegacyStream, {Engine::none, 50 * kUs});
    host.host_waits_for_all();
    SECTION("comes after the last meeting") {
        host.meet();
        host.speaks(9);
        host.run(kLegacyStream, {Engine::none, 5 * kUs}, log.note());
    }
    SECTION("comes after the creation of the stream that it uses") {
        host.create(1, StreamKind::non_blocking);
        host.speaks(9);
        host.run(1, {Engine::none, 5 * kUs}, log.note());
    }
    host.meet();
    CHECK_THAT(log.end_s / kUs, WithinAbs(55, 1e-6));
}

TEST_CASE("host threads: what names the same event, or the whole device, stays in its order") {
    HostThreads host(0);
    Log log;
    for (StreamId id = 1; id <= 2; ++id) host.create(id, StreamKind::non_blocking);
    host.create_thread(1);
    host.speaks(1);
    host.run(1, {Engine::none, 50 * kUs});
    host.record(1, 1);
    host.host_waits_for_stream(1);
    host.speaks(kFirstThread);  // its clock shows 0 still
    SECTION("an event") {
        host.wait(2, 1);
        host.run(2, {Engine::none, 5 * kUs}, log.note());
    }
    SECTION("the device") {
        host.host_waits_for_all();
        host.run(2, {Engine::none, 5 * kUs}, log.note());
    }
    SECTION("an event that the host waits for") {
        host.host_waits_for_event(1);
        host.run(2, {Engine::none, 5 * kUs}, log.note());
    }
    host.meet();
    CHECK_THAT(log.end_s / kUs, WithinAbs(55, 1e-6));
}

TEST_CASE("host threads: the time between two events, while others still work") {
    HostThreads host(0);
    for (StreamId id = 1; id <= 2; ++id) {
        host.create(id, StreamKind::non_blocking);
        host.create_thread(id);
    }
    for (ThreadId id = 1; id <= 2; ++id) {
        host.speaks(id);
        host.record(2 * id, id);
        host.run(id, {Engine::none, id * 10 * kUs});
        host.record(2 * id + 1, id);
        CHECK_FALSE(host.elapsed_s(2 * id, 2 * id + 1).has_value());
        host.host_waits_for_event(2 * id + 1);
        const auto elapsed_s = host.elapsed_s(2 * id, 2 * id + 1);
        REQUIRE(elapsed_s.has_value());
        CHECK_THAT(*elapsed_s / kUs, WithinAbs(id * 10, 1e-6));
    }
}

TEST_CASE("host threads: parts of one copy stay together") {
    HostThreads host(kCall);
    for (StreamId id = 1; id <= 2; ++id) {
        host.create(id, StreamKind::non_blocking);
        host.create_thread(id);
    }
    std::string order;
    const auto note = [&](char what) { return [&order, what](const Span&) { order += what; }; };
    host.speaks(1);
    host.run(1, kIn, note('a'));
    host.host_waits_for_stream(1);
    for (int part = 0; part < 3; ++part) {
        host.speaks(1, true);
        host.host_works(kUs);
        host.extend(1, Engine::copy_to_device, 10 * kUs, note('a'));
        host.host_waits_for_stream(1);
    }
    host.speaks(2);
    for (int i = 0; i < 3; ++i) host.run(2, kOut, note('b'));
    host.meet();
    CHECK(order.find("aaaa") != std::string::npos);
    CHECK(order.size() == 7);
}

TEST_CASE("host threads: one of too many counts as the first, which does not join itself") {
    HostThreads host(kCall);
    host.create(1, StreamKind::blocking);
    for (ThreadId id = 1; id < HostThreads::kMostThreads; ++id) host.create_thread(id);
    Log log;
    host.run(1, kKernel, log.note());
    host.speaks(HostThreads::kMostThreads);
    host.join_thread(kFirstThread);
    host.meet();
    host.speaks(kFirstThread);
    host.run(1, kKernel, log.note());
    host.meet();
    CHECK(log.told == 2);
    // Both by the same clock: the first thread is there still, and waited for nobody.
    CHECK_THAT(log.end_s / kUs, WithinAbs(51, 1e-6));
}

TEST_CASE("host threads: calls that were served are no burden for those that come") {
    HostThreads host(kCall);
    host.create(1, StreamKind::blocking);
    host.create_thread(1);
    host.create_thread(2);  // it never calls: nothing is served but what is too many
    constexpr Work kNothing{Engine::none, kUs};
    // The legacy stream waits for all operations of the other one.
    const auto work_s = [&](int rounds) {
        const std::clock_t begin = std::clock();
        for (int i = 0; i < rounds; ++i) {
            host.speaks(1);
            for (int k = 0; k < 50; ++k) host.run(1, kNothing);
            host.speaks(kFirstThread);
            host.run(kLegacyStream, kNothing);
        }
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    work_s(100);
    const double before_s = work_s(100);
    work_s(2000);
    CHECK(work_s(100) < 4 * before_s);
}

TEST_CASE("host threads: any calls of any threads are served in the end") {
    std::mt19937 engine(GENERATE(1U, 2U, 3U, 4U, 5U));
    const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
    HostThreads host(kCall);
    Log log;
    int runs = 0;
    StreamId made = 0;
    std::vector<StreamId> streams{kLegacyStream};
    for (int i = 0; i < 20'000; ++i) {
        host.speaks(random() % 2000, random() % 8 == 0);
        const StreamId id = streams[random() % streams.size()];
        const EventId event = random() % 50;
        switch (random() % 13) {
            case 0:
                host.create_thread(random() % 2000);
                break;
            case 1:
                host.join_thread(random() % 2000);
                break;
            case 2:
                if (streams.size() == 30) break;
                streams.push_back(++made);
                host.create(made,
                            random() % 2 == 0 ? StreamKind::blocking : StreamKind::non_blocking);
                break;
            case 3:
                if (id == kLegacyStream) break;
                std::erase(streams, id);
                host.destroy(id);
                break;
            case 4:
                host.record(event, id);
                break;
            case 5:
                host.wait(id, event);
                break;
            case 6:
                host.forget(event);
                break;
            case 7:
                if (random() % 8 == 0) host.host_waits_for_all();
                break;
            case 8:
                host.host_waits_for_stream(id);
                break;
            case 9:
                host.poll_event(event);
                break;
            case 10:
                host.woken_by(random() % 2000);
                break;
            default:
                host.run(id, {static_cast<Engine>(random() % 5), kUs, 0.3}, log.note());
                ++runs;
        }
        if (random() % 5000 == 0) host.meet();
    }
    host.meet();
    CHECK(log.told == runs);
}
