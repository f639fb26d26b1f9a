// Launches that are repeated and change nothing any more are not run again (device/launch_cache.h),
// and nobody can tell but by the time they take.
#include <catch2/catch_test_macros.hpp>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

bool was_run(const LaunchResult& result) {
    return result.host_seconds > 0;
}

struct CachedLaunches : Program {
    CachedLaunches() : Program(ptx_of("settled")) {}

    static constexpr int kN = 1000;
    Array<int> in = array(std::vector<int>(kN, 21), "in");
    Array<int> out = empty<int>(kN, "out");

    LaunchResult twice(const Array<int>& from, const Array<int>& to, int n = kN) {
        return launch("twice", {4}, {256}, from.at, to.at, n);
    }
    void settle() {
        twice(in, out);
        twice(in, out);
    }
};

}  // namespace

TEST_CASE_METHOD(CachedLaunches, "launch cache: the third launch says what the second said") {
    CHECK(was_run(twice(in, out)));
    const LaunchResult second = twice(in, out);
    CHECK(was_run(second));
    const LaunchResult third = twice(in, out);
    CHECK_FALSE(was_run(third));
    CHECK(to_json(third.counts) == to_json(second.counts));
    CHECK(third.touched_bytes == second.touched_bytes);
    CHECK(read(out) == std::vector<int>(kN, 42));
}

TEST_CASE_METHOD(CachedLaunches,
                 "launch cache: other arguments, or another grid, are another launch") {
    settle();
    CHECK(was_run(twice(in, out, 10)));
    CHECK(was_run(launch("twice", {2}, {512}, in.at, out.at, kN)));
    CHECK(was_run(launch("increment", {4}, {256}, in.at, kN)));
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: what the host changes is seen") {
    settle();
    const int seven = 7;
    device.write(in.at, std::as_bytes(std::span(&seven, 1)));
    CHECK(was_run(twice(in, out)));
    CHECK(read(out)[0] == 14);
    CHECK(read(out)[1] == 42);

    settle();
    device.fill(out.at, std::byte{0}, 4);
    CHECK(was_run(twice(in, out)));
    CHECK(read(out)[0] == 14);

    settle();
    const auto other = array(std::vector<int>(kN, 1));
    settle();
    device.copy(in.at, other.at, kN * sizeof(int));
    CHECK(was_run(twice(in, out)));
    CHECK(read(out)[5] == 2);

    settle();
    device.forget(in.at, kN * sizeof(int));
    CHECK_FALSE(twice(in, out).findings.empty());
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: writing what is there already changes nothing") {
    settle();
    const std::vector<int> same(kN, 21);
    device.write(in.at, std::as_bytes(std::span(same)));
    CHECK_FALSE(was_run(twice(in, out)));
    const auto zeros = array(std::vector<int>(4));
    settle();
    device.fill(zeros.at, std::byte{0}, 16);
    CHECK_FALSE(was_run(twice(in, out)));
    // The same bytes, but until now nobody had written them.
    const auto fresh = empty<int>(kN);
    for (int i = 0; i < 3; ++i) twice(fresh, out);
    CHECK_FALSE(was_run(twice(fresh, out)));
    device.fill(fresh.at, kFreshMemory, kN * sizeof(int));
    CHECK(was_run(twice(fresh, out)));
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: a kernel that works in place always runs") {
    for (int i = 0; i < 5; ++i) CHECK(was_run(launch("increment", {4}, {256}, in.at, kN)));
    CHECK(read(in) == std::vector<int>(kN, 26));
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: in place, on data that the host puts back") {
    const std::vector<int> begin(kN, 21), end(kN, 22);
    int runs = 0;
    for (int i = 0; i < 10; ++i) {
        if (i != 0) device.write(in.at, std::as_bytes(std::span(begin)));
        runs += was_run(launch("increment", {4}, {256}, in.at, kN)) ? 1 : 0;
        REQUIRE(read(in) == end);
    }
    CHECK(runs == 2);
    // From the end of the last launch, and with one element that is not as it was.
    CHECK(was_run(launch("increment", {4}, {256}, in.at, kN)));
    CHECK(read(in) == std::vector<int>(kN, 23));
    device.write(in.at, std::as_bytes(std::span(begin).first(kN - 1)));
    CHECK(was_run(launch("increment", {4}, {256}, in.at, kN)));
    CHECK(read(in)[kN - 2] == 22);
    CHECK(read(in)[kN - 1] == 24);
}

TEST_CASE_METHOD(CachedLaunches,
                 "launch cache: in place, on memory that the host clears or copies") {
    const auto zeros = array(std::vector<int>(kN));
    const auto total = empty<int>(kN);
    int runs = 0;
    for (int i = 0; i < 10; ++i) {
        if (i % 2 == 0) device.fill(total.at, std::byte{0}, kN * sizeof(int));
        if (i % 2 != 0) device.copy(total.at, zeros.at, kN * sizeof(int));
        runs += was_run(launch("increment", {4}, {256}, total.at, kN)) ? 1 : 0;
        REQUIRE(read(total) == std::vector<int>(kN, 1));
    }
    CHECK(runs == 2);
}

TEST_CASE_METHOD(CachedLaunches,
                 "launch cache: memory never written differs from memory that was") {
    const auto fresh = empty<int>(kN), kept = empty<int>(kN);
    std::vector<int> junk(kN);
    REQUIRE(device.read(std::as_writable_bytes(std::span(junk)), fresh.at));
    // The same bytes each time; but they were written in some launches, and in others not.
    for (int i = 0; i < 6; ++i) {
        if (i % 2 == 0) device.forget(fresh.at, kN * sizeof(int));
        if (i % 2 != 0) device.write(fresh.at, std::as_bytes(std::span(junk)));
        const LaunchResult result = twice(fresh, kept);
        CHECK(result.findings.empty() == (i % 2 != 0));
    }
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: after a warm-up that goes on and on, too") {
    for (int i = 0; i < 50; ++i) CHECK(was_run(launch("increment", {4}, {256}, in.at, kN)));
    const std::vector<int> begin(kN, 21);
    int runs = 0;
    for (int i = 0; i < 50; ++i) {
        device.write(in.at, std::as_bytes(std::span(begin)));
        runs += was_run(launch("increment", {4}, {256}, in.at, kN)) ? 1 : 0;
        REQUIRE(read(in) == std::vector<int>(kN, 22));
    }
    CHECK(runs < 20);
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: kernels that undo each other's work") {
    for (int i = 0; i < 10; ++i) {
        const bool ran = was_run(launch("negate", {4}, {256}, in.at, kN));
        CHECK(ran == (i < 3));
        REQUIRE(read(in) == std::vector<int>(kN, i % 2 == 0 ? -21 : 21));
    }
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: kernels that alternate settle together") {
    const auto last = empty<int>(kN);
    for (int i = 0; i < 2; ++i) {
        twice(in, out);
        twice(out, last);
    }
    twice(in, out);
    twice(out, last);
    CHECK_FALSE(was_run(twice(in, out)));
    CHECK_FALSE(was_run(twice(out, last)));
    CHECK(read(last) == std::vector<int>(kN, 84));
    launch("increment", {4}, {256}, in.at, kN);
    CHECK(was_run(twice(in, out)));
    CHECK(was_run(twice(out, last)));
    CHECK(read(last) == std::vector<int>(kN, 88));
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: mistakes are reported for each launch") {
    const auto unwritten = empty<int>(32);
    for (int i = 0; i < 4; ++i) {
        const LaunchResult result = launch("careless", {1}, {32}, unwritten.at, out.at);
        REQUIRE(result.findings.size() == 1);
        CHECK(result.findings[0].check == Check::uninitialized_read);
        CHECK(result.findings[0].occurrences == 32);
    }
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: memory that the host shares may change unseen") {
    std::vector<int> shared(1024, 1);
    const Address at = device.reserve(4096);
    device.adopt(at, std::as_writable_bytes(std::span(shared)), "pinned");
    const Array<int> pinned{at, 1024};
    for (int i = 1; i < 5; ++i) {
        shared[0] = i;
        CHECK(was_run(twice(pinned, out)));
        CHECK(read(out)[0] == 2 * i);
    }
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: that is so for kernels with what is no race, too") {
    std::vector<int> shared(1024, 1);
    const Address at = device.reserve(4096);
    device.adopt(at, std::as_writable_bytes(std::span(shared)), "pinned");
    for (int i = 1; i < 5; ++i) {
        shared[0] = i;
        CHECK(launch("twice_of_first", {2}, {64}, at, out.at).findings.empty());
        CHECK(read(out)[0] == 2 * i);
    }
}

TEST_CASE_METHOD(CachedLaunches,
                 "launch cache: what other kernels and the host do elsewhere is no matter") {
    settle();
    const auto other = empty<int>(kN);
    launch("increment", {4}, {256}, array(std::vector<int>(kN)).at, kN);
    device.fill(other.at, std::byte{1}, kN * sizeof(int));
    CHECK(device.release(other.at) == Device::Release::ok);
    CHECK_FALSE(was_run(twice(in, out)));
    CHECK(read(out) == std::vector<int>(kN, 42));
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: a constant that changes is seen") {
    const auto factor = device.variable(module, "factor");
    for (const int value : {3, 3, 3, 4, 4, 3}) {
        device.write(factor.base, std::as_bytes(std::span(&value, 1)));
        launch("times_factor", {4}, {256}, in.at, out.at, kN);
        REQUIRE(read(out) == std::vector<int>(kN, 21 * value));
    }
}

TEST_CASE_METHOD(CachedLaunches, "launch cache: launches that meet at the grid's barrier") {
    for (int i = 0; i < 5; ++i) {
        const auto result = launch_cooperative("sum_of_grid", {4}, {64}, in.at, out.at);
        CHECK(was_run(result) == (i < 2));
        CHECK(result.findings.empty());
        CHECK(read(out)[0] == 4 * 21);
    }
}

TEST_CASE_METHOD(CachedLaunches,
                 "launch cache: a kernel may work in place in the heap of kernels") {
    launch("allocate", {1}, {1});
    for (int i = 0; i < 5; ++i) launch("increment_kept", {1}, {1});
    launch("show_kept", {1}, {1}, out.at);
    CHECK(read(out)[0] == 5);
}

TEST_CASE("launch cache: launches that are measured can be made to run") {
    Options options;
    options.caches_launches = false;
    Program program(ptx_of("settled"), options);
    const auto in = program.array(std::vector<int>(32));
    const auto out = program.empty<int>(32);
    for (int i = 0; i < 4; ++i)
        CHECK(was_run(program.launch("twice", {1}, {32}, in.at, out.at, 32)));
}
