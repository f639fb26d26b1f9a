// Launches that can never end are found at once, and those that do end are left alone
// (kernels/stuck.cu).
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Found long before the limit of instructions, which is the default one.
constexpr std::uint64_t kSoon = 2'000'000;

struct Stuck : Program {
    Stuck() : Program(ptx_of("stuck")) {}
    Array<int> flag = array(std::vector<int>(64), "flag");
    Array<int> out = array(std::vector<int>(64), "out");
};

/// Memory that the host shares with the device.
struct WithHost : Stuck {
    WithHost() { device.adopt(at, std::as_writable_bytes(std::span(words)), "cudaHostAlloc #1"); }
    std::vector<int> words = std::vector<int>(1024);
    Address at = device.reserve(4096);
};

std::string stuck_at(const std::string& name) {
    std::ifstream file(VGPU_TEST_SOURCE "/stuck.cu");
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("HERE " + name)) return fmt::format("stuck.cu:{}", number);
    }
    return "nowhere";
}

std::string only_sentence(const LaunchResult& result) {
    return result.findings.size() == 1 ? describe(result.findings[0])
                                       : fmt::format("{} findings", result.findings.size());
}

/// Ends because no thread is left to write the flag, which the sentence names.
void check_livelock(const LaunchResult& result, const std::string& name) {
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(result.counts.warp_instructions < kSoon);
    CHECK_THAT(
        only_sentence(result),
        ContainsSubstring(name + " can never end: all of its threads that are left wait at " +
                          stuck_at(name)) &&
            ContainsSubstring("; they read flag again and again, which nobody writes any "
                              "more"));
}

}  // namespace

TEST_CASE_METHOD(Stuck, "livelock: the only block waits for a flag that nobody sets") {
    for (const unsigned threads : {1u, 33u, 64u, 256u})
        check_livelock(launch("flag_never_set", {1}, {threads}, flag.at, out.at), "flag_never_set");
    check_livelock(launch("flag_never_set", {300}, {64}, flag.at, out.at), "flag_never_set");
    check_livelock(launch("flag_of_another_warp", {1}, {64}, flag.at, 0), "flag_of_another_warp");
    check_livelock(launch("one_thread_waits", {1}, {64}, flag.at), "one_thread_waits");
    check_livelock(launch("one_thread_waits", {2}, {64}, flag.at), "one_thread_waits");
    CHECK(launch("flag_of_another_warp", {1}, {64}, flag.at, 1).outcome == Outcome::ok);
    CHECK(launch("flag_never_set", {1}, {64}, flag.at, out.at).outcome == Outcome::ok);
}

TEST_CASE_METHOD(Stuck, "livelock: in any order of blocks and warps") {
    Options options;
    options.seed = 3;
    Program program(ptx_of("stuck"), options);
    const auto never = program.array(std::vector<int>(64), "flag");
    check_livelock(program.launch("flag_never_set", {1}, {64}, never.at, never.at + 8),
                   "flag_never_set");
    check_livelock(program.launch("one_thread_waits", {2}, {64}, never.at), "one_thread_waits");
}

TEST_CASE_METHOD(Stuck, "livelock: atomic operations that change nothing are looks") {
    check_livelock(launch("atomic_look", {1}, {64}, flag.at), "atomic_look");
    const auto lock = launch("lock_taken_twice", {1}, {32}, flag.at, out.at);
    CHECK(lock.outcome == Outcome::launch_timeout);
    CHECK(lock.counts.warp_instructions < kSoon);
    CHECK_THAT(only_sentence(lock),
               ContainsSubstring("still looping at " + stuck_at("lock_taken_twice")) &&
                   ContainsSubstring("its atomicCAS stores only where it finds 0, and finds 1"));
}

TEST_CASE_METHOD(Stuck, "endless: a loop whose condition does not change needs no other thread") {
    const auto data = array(std::vector<float>(512), "data");
    for (const unsigned blocks : {1u, 64u}) {
        const auto result = launch("step_of_0", {blocks}, {128}, data.at, 512, 0);
        CHECK(result.outcome == Outcome::launch_timeout);
        CHECK(result.counts.warp_instructions < 10 * kSoon);
        CHECK_THAT(
            only_sentence(result),
            ContainsSubstring("step_of_0 never finished: thread ") &&
                ContainsSubstring("was still looping at " + stuck_at("step_of_0")) &&
                ContainsSubstring(", and nothing that its loop depends on changes any more"));
    }
}

TEST_CASE_METHOD(Stuck, "livelock: loops that end are left alone") {
    const auto ends = [&](const LaunchResult& result) {
        CHECK(result.outcome == Outcome::ok);
        CHECK(result.findings.empty());
    };
    ends(launch("looks_at_all", {1}, {32}, flag.at, 5, 200'000, out.at));
    ends(launch("gives_up", {1}, {64}, flag.at, 1'000'000L, out.at));
    CHECK(read(out)[0] == 1'000'000);
    ends(launch("gives_up", {300}, {64}, flag.at, 1'000L, out.at));
    ends(launch("gives_up_in_time", {1}, {64}, flag.at, 1'000'000LL, out.at));
    ends(launch("gives_up_in_ns", {2}, {64}, flag.at, 3'000'000LL, out.at));
    ends(launch("sets_it_itself", {1}, {64}, flag.at, 500'000));
    device.fill(flag.at, std::byte{0}, 4);
    ends(launch("raises_it_itself", {1}, {1}, flag.at, 500'000));
    device.fill(flag.at, std::byte{0}, 4);
    ends(launch("works_then_looks", {1}, {32}, flag.at, 1'000'000, out.at));
    device.fill(flag.at, std::byte{0}, 4);
    ends(launch("set_after_work", {1}, {64}, flag.at, 1'000'000));
    device.fill(flag.at, std::byte{0}, 4);
    ends(launch("set_after_work", {2}, {64}, flag.at, 1'000'000));
    device.fill(flag.at, std::byte{0}, 4);
    ends(launch("lanes_in_turn", {1}, {32}, flag.at, 32));
    const auto data = array(std::vector<float>(512));
    ends(launch("step_of_0", {64}, {128}, data.at, 512, 128));
}

TEST_CASE_METHOD(WithHost, "waits for host: a handshake with a far bound is missing here") {
    const auto begin = std::chrono::steady_clock::now();
    const auto result = launch("handshake", {1}, {1}, at, 200'000'000L, out.at);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    CHECK(result.outcome == Outcome::waits_for_host);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].check == Check::unsupported);
    CHECK(
        describe(result.findings[0]) ==
        "handshake waits for the host while it runs, which the virtual GPU does not have yet at " +
            stuck_at("handshake") +
            ", by thread (0,0,0) of block (0,0,0): it reads cudaHostAlloc #1 again and again, "
            "which the host is to write; but here the host goes on only when the kernel has "
            "ended");
    CHECK(read(out)[0] == 0);
    const auto never = launch("flag_never_set", {2}, {64}, at + 64, out.at);
    CHECK(never.outcome == Outcome::waits_for_host);
}

TEST_CASE_METHOD(WithHost, "waits for host: a few looks, and an answer by another thread") {
    const auto few = launch("gives_up", {1}, {1}, at, 10'000L, out.at);
    CHECK(few.outcome == Outcome::ok);
    CHECK(few.findings.empty());
    std::thread other([&] {
        auto* const word = reinterpret_cast<std::atomic<int>*>(words.data());
        while (*word != 1) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        *word = 2;
    });
    const auto answered = launch("handshake", {1}, {1}, at, 200'000'000L, out.at);
    other.join();
    CHECK(answered.outcome == Outcome::ok);
    CHECK(answered.findings.empty());
    CHECK(words[0] == 3);
}
