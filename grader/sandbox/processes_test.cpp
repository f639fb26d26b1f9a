#include "sandbox/processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

using namespace lab;

TEST_CASE("processes: the parent of one that is there, nothing of one that is not") {
    const auto own = stat_of(getpid());
    REQUIRE(own.has_value());
    CHECK(own->parent == getppid());
    CHECK(own->used_s >= 0);
    CHECK_FALSE(stat_of(-1).has_value());
}

// Between opening its file and reading it a process may be gone: once in a thousand gradings.
TEST_CASE("processes: one that ends during the look-up is no error") {
    constexpr int kRounds = 500;
    int seen = 0;
    for (int round = 0; round < kRounds; ++round) {
        const pid_t pid = fork();
        REQUIRE(pid >= 0);
        if (pid == 0) _exit(0);
        const std::jthread reaper([pid] {
            std::this_thread::sleep_for(std::chrono::microseconds(300));
            waitpid(pid, nullptr, 0);
        });
        while (stat_of(pid)) ++seen;
    }
    CHECK(seen > kRounds);
}
