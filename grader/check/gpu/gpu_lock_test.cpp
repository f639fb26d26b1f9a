#include "check/gpu/gpu_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/files.h"

using namespace lab;
namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

/// A file that several gradings share; each opens it for itself, as processes do.
struct Shared {
    const TemporaryFolder folder;
    fs::path file() const { return folder.path() / "turns"; }
};

/// Becomes true soon, or never.
bool comes(const std::atomic<bool>& flag) {
    for (int i = 0; i < 200 && !flag; ++i) std::this_thread::sleep_for(milliseconds(10));
    return flag;
}

constexpr milliseconds kAWhile{100};

}  // namespace

TEST_CASE("gpu lock: a call that must be alone waits for the others, and they for it") {
    const Shared shared;
    std::atomic<int> together = 0, alone = 0;
    std::atomic<bool> overlapped = false, disturbed = false;
    std::vector<std::jthread> gradings;
    for (int grading = 0; grading < 4; ++grading) {
        gradings.emplace_back([&] {
            GpuLock lock(shared.file());
            for (int i = 0; i < 50; ++i) {
                {
                    const auto guard = lock.together();
                    if (++together > 1) overlapped = true;
                    if (alone != 0) disturbed = true;
                    std::this_thread::sleep_for(std::chrono::microseconds(200));
                    --together;
                }
                const auto guard = lock.alone();
                if (++alone != 1 || together != 0) disturbed = true;
                std::this_thread::sleep_for(std::chrono::microseconds(50));
                --alone;
            }
        });
    }
    gradings.clear();
    CHECK(overlapped);
    CHECK_FALSE(disturbed);
}

TEST_CASE("gpu lock: latecomers do not overtake a call that waits to be alone") {
    const Shared shared;
    GpuLock first(shared.file()), second(shared.file()), third(shared.file());
    std::atomic<bool> second_had_it = false, third_had_it = false;
    std::jthread timed, late;
    {
        const auto guard = first.together();
        timed = std::jthread([&] {
            const auto alone = second.alone();
            second_had_it = !third_had_it;
        });
        std::this_thread::sleep_for(kAWhile);
        late = std::jthread([&] {
            const auto together = third.together();
            third_had_it = true;
        });
        std::this_thread::sleep_for(kAWhile);
        CHECK_FALSE(second_had_it);
        CHECK_FALSE(third_had_it);
    }
    CHECK(comes(second_had_it));
    CHECK(comes(third_had_it));
}

TEST_CASE("gpu lock: its holder gets it again at once, whoever else waits") {
    const Shared shared;
    GpuLock first(shared.file()), second(shared.file());
    std::atomic<bool> second_had_it = false;
    std::jthread timed;
    {
        const auto guard = first.together();
        timed = std::jthread([&] {
            const auto alone = second.alone();
            second_had_it = true;
        });
        std::this_thread::sleep_for(kAWhile);
        { const auto again = first.together(), more = first.alone(); }
        std::this_thread::sleep_for(kAWhile);
        CHECK_FALSE(second_had_it);  // the first turn is not over
    }
    CHECK(comes(second_had_it));
    const auto next = first.alone();
}

TEST_CASE("gpu lock: without a file of our own nobody waits") {
    const Shared shared;
    fs::create_symlink(shared.file().string() + "-elsewhere", shared.file());
    for (const fs::path& path : {fs::path(), shared.file(), fs::path("/nowhere/turns")}) {
        GpuLock one(path), two(path);
        const auto guard = one.alone(), another = two.alone();
    }
    CHECK_FALSE(fs::exists(shared.file().string() + "-elsewhere"));
}

TEST_CASE("gpu lock: a user of the lock is known while its process lives") {
    const Shared shared;
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
        GpuLock lock(shared.file());
        [[maybe_unused]] const auto told = write(ends[1], "!", 1);
        pause();
        _exit(0);
    }
    char ready = 0;
    REQUIRE(read(ends[0], &ready, 1) == 1);
    GpuLock lock(shared.file()), elsewhere(shared.file().string() + "-other"), none("");
    const auto other = static_cast<unsigned>(child);
    CHECK(lock.includes(other));
    CHECK(lock.includes(static_cast<unsigned>(getpid())));
    CHECK_FALSE(lock.includes(static_cast<unsigned>(getppid())));
    CHECK_FALSE(lock.includes(1));
    CHECK_FALSE(elsewhere.includes(other));
    CHECK_FALSE(none.includes(other));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    CHECK_FALSE(lock.includes(other));
    close(ends[0]);
    close(ends[1]);
}
