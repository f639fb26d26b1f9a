#include "runner/own_threads.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

using lab::runner::living_threads;

TEST_CASE("runner: threads are counted while they live") {
    const std::uint32_t before = living_threads();
    CHECK(before >= 1);
    std::atomic<bool> is_over = false;
    std::thread waits([&] { is_over.wait(false); });
    CHECK(living_threads() == before + 1);
    is_over = true;
    is_over.notify_one();
    waits.join();
    CHECK(living_threads() == before);
}

TEST_CASE("runner: a thread that has ended is not counted, though it is still in the list") {
    // If a process's first thread ends first, the kernel keeps it in its list. A joined thread
    // stays there for a moment, too: one in some thousands did.
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::thread([] {
            using namespace std::chrono_literals;
            for (int i = 0; i < 500 && living_threads() != 1; ++i)
                std::this_thread::sleep_for(10ms);
            _exit(living_threads() == 1 ? 0 : 1);
        }).detach();
        syscall(SYS_exit, 0);  // this thread alone
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
