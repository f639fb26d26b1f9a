#include "check/call/core_wait.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

using namespace lab;
using namespace std::chrono_literals;

namespace {

/// Processes that compute, all on the machine's first core.
class Busy {
public:
    explicit Busy(int processes) {
        for (int i = 0; i < processes; ++i) {
            pids_.push_back(fork());
            if (pids_.back() != 0) continue;
            cpu_set_t first;
            CPU_ZERO(&first);
            CPU_SET(0, &first);
            sched_setaffinity(0, sizeof(first), &first);
            for (;;) asm volatile("");
        }
    }
    ~Busy() {
        for (const pid_t pid : pids_) {
            kill(pid, SIGKILL);
            waitpid(pid, nullptr, 0);
        }
    }
    pid_t operator[](std::size_t i) const { return pids_[i]; }

private:
    std::vector<pid_t> pids_;
};

bool linux_tells() {
    double ran = 0, waited = 0;
    std::ifstream file("/proc/self/schedstat");
    return static_cast<bool>(file >> ran >> waited);
}

/// What a process has had of the cores.
std::chrono::milliseconds core_time(pid_t pid) {
    clockid_t clock{};
    timespec used{};
    REQUIRE(clock_getcpuclockid(pid, &clock) == 0);
    REQUIRE(clock_gettime(clock, &used) == 0);
    return std::chrono::milliseconds(used.tv_sec * 1000 + used.tv_nsec / 1'000'000);
}

}  // namespace

TEST_CASE("core wait: what others took is what was waited, but not what was had oneself") {
    CHECK(taken_by_others_s(8, 2, 10, 2) == 8);
    CHECK(taken_by_others_s(9, 20, 10, 2) == 0);  // all cores were its own
    CHECK(taken_by_others_s(9, 10, 10, 2) == 5);
    CHECK(taken_by_others_s(0, 0, 10, 2) == 0);  // it slept
    CHECK(taken_by_others_s(1, 30, 10, 2) == 0);
    CHECK(taken_by_others_s(1, 0, 10, 0) == 1);
}

TEST_CASE("core wait: of a process that shares its core, and of one that sleeps") {
    if (!linux_tells()) SKIP("this Linux keeps no times of waiting");
    const Busy busy(4);
    const pid_t sleeper = fork();
    if (sleeper == 0) {
        pause();
        _exit(0);
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto used_before = core_time(busy[0]);
    const CoreWait of_one({busy[0]}), of_sleeper({sleeper}), of_nobody({});
    std::this_thread::sleep_for(2s);
    const auto waited = of_one.so_far(), used = core_time(busy[0]) - used_before;
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    // Four on one core: each waits three quarters of the time, or longer when others are there; and
    // it waits whenever it does not compute.
    CHECK(waited > 1000ms);
    CHECK(waited + used > elapsed * 8 / 10);
    CHECK(waited + used < elapsed * 12 / 10);
    CHECK(of_sleeper.so_far() < 200ms);
    CHECK(of_nobody.so_far() == 0ms);
    kill(sleeper, SIGKILL);
    waitpid(sleeper, nullptr, 0);
}

TEST_CASE("core wait: descendants count, too") {
    if (!linux_tells()) SKIP("this Linux keeps no times of waiting");
    const Busy busy(3);  // children of ours
    const CoreWait ours({getpid()});
    std::this_thread::sleep_for(2s);
    CHECK(ours.so_far() > 500ms);
}
