#include "check/call/worker.h"

#include <sched.h>

#include <catch2/catch_test_macros.hpp>
#include <future>

using namespace lab;

namespace {

/// What this thread starts from now on has one core with it.
void stay_on_one_core() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
}

/// It runs only when nobody else will.
void give_way() {
    const sched_param idle{};
    REQUIRE(sched_setscheduler(0, SCHED_IDLE, &idle) == 0);
}

}  // namespace

TEST_CASE("worker: the round trip holds all that the runner does, on a busy core, too") {
    // In a thread of its own: the others keep their cores.
    std::future<double> shortest_ms = std::async(std::launch::async, [] {
        stay_on_one_core();
        Worker worker({LAB_TEST_PATIENT_RUNNER, {}});
        worker.start();
        REQUIRE(worker.wait_ready(std::chrono::seconds(10)).ended == Ended::replied);
        give_way();
        double shortest = 1e9;
        for (int i = 0; i < 10; ++i)
            shortest = std::min(shortest, worker.ask({}, std::chrono::seconds(10)).round_trip_ms);
        return shortest;
    });
    CHECK(shortest_ms.get() >= 20);
}
