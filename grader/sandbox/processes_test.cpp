#include "sandbox/processes.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
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

TEST_CASE("processes: threads are counted while they live") {
    const std::size_t before = living_threads(getpid());
    CHECK(before >= 1);
    std::atomic<bool> is_over = false;
    std::thread waits([&] { is_over.wait(false); });
    CHECK(living_threads(getpid()) == before + 1);
    is_over = true;
    is_over.notify_one();
    waits.join();
    CHECK(living_threads(getpid()) == before);
    CHECK(living_threads(-1) == 0);
}

TEST_CASE("processes: a thread that has ended is not counted, though it is still in the list") {
    // If a process's first thread ends first, the kernel keeps it in its list. A joined thread
    // stays there for a moment, too: one in some thousands did.
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::thread([] {
            using namespace std::chrono_literals;
            for (int i = 0; i < 500 && living_threads(getpid()) != 1; ++i)
                std::this_thread::sleep_for(10ms);
            _exit(living_threads(getpid()) == 1 ? 0 : 1);
        }).detach();
        syscall(SYS_exit, 0);  // this thread alone
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
