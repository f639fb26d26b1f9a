// Host threads that take pieces from a common queue: modelled times do not depend on how late they
// happen to be, and threads that wait for each other by whatever means go on.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <thread>
#include <vector>

#include "runtime/tests/rig.h"

namespace {

struct Times {
    double all_ns = 0, sum_ns = 0;
};

/// Of the operations in streams.
Times times(const char* how, const char* seed) {
    Rig rig;
    const Run run = rig.run("turns", {how, seed});
    CHECK(run.out == "cudaSuccess, 0 wrong\n");
    CHECK(run.err.empty());
    CHECK(run.all("finding").empty());
    double first_ns = 1e18, last_ns = 0, sum_ns = 0;
    for (const auto& operation : run.all("operation")) {
        if (operation["stream"] == 0) continue;
        const double begin_ns = operation["begin_ns"], end_ns = operation["end_ns"];
        first_ns = std::min(first_ns, begin_ns);
        last_ns = std::max(last_ns, end_ns);
        sum_ns += end_ns - begin_ns;
    }
    return {last_ns - first_ns, sum_ns};
}

/// The test, and the programs that it runs, have one core meanwhile.
class OneCore {
public:
    OneCore() {
        sched_getaffinity(0, sizeof(all_), &all_);
        cpu_set_t one;
        CPU_ZERO(&one);
        std::size_t core = 0;
        while (!CPU_ISSET(core, &all_)) ++core;
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof(one), &one);
    }
    ~OneCore() { sched_setaffinity(0, sizeof(all_), &all_); }
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;

private:
    cpu_set_t all_{};
};

/// Other work on all cores meanwhile.
class Load {
public:
    Load() {
        for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
            threads_.emplace_back([this] {
                while (!is_over_) {
                }
            });
    }
    ~Load() {
        is_over_ = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

private:
    std::atomic<bool> is_over_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("turns: threads that share work take the same time, late, pinned or beside load") {
    const char* const how = GENERATE("counter", "counter_waits", "lock", "shared_lock", "semaphore",
                                     "producer", "async", "futures", "sleep", "yield", "once");
    INFO(how);
    const Times punctual = times(how, "0");
    for (const char* seed : {"1", "2", "3"}) CHECK(times(how, seed).all_ns == punctual.all_ns);
    {
        const OneCore one_core;
        CHECK(times(how, "1").all_ns == punctual.all_ns);
    }
    const Load load;
    for (const char* seed : {"0", "1"}) CHECK(times(how, seed).all_ns == punctual.all_ns);
}

TEST_CASE("turns: what threads do at once overlaps") {
    const char* const how = GENERATE("counter", "counter_waits", "lock", "producer", "async");
    INFO(how);
    const Times punctual = times(how, "0");
    CHECK(punctual.all_ns < 0.6 * punctual.sum_ns);
}

TEST_CASE("turns: nobody waits for ever for a thread that waits by other means") {
    const char* const how = GENERATE("spin_lock", "spin", "pipe", "timeout");
    INFO(how);
    for (const char* seed : {"0", "1"}) times(how, seed);
}
