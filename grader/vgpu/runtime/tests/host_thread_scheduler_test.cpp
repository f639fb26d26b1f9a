// Host threads that take pieces from a common queue: modelled times do not depend on how late they
// happen to be, and threads that wait for each other by whatever means go on.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

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

}  // namespace

TEST_CASE("turns: a common queue takes the same time however late its threads are") {
    const char* const how = GENERATE("counter", "counter_waits", "lock", "producer", "async");
    INFO(how);
    const Times punctual = times(how, "0");
    CHECK(punctual.all_ns < 0.6 * punctual.sum_ns);
    for (const char* seed : {"1", "2", "3"}) CHECK(times(how, seed).all_ns == punctual.all_ns);
}

TEST_CASE("turns: nobody waits for ever for a thread that waits by other means") {
    const char* const how = GENERATE("spin_lock", "spin", "pipe");
    INFO(how);
    for (const char* seed : {"0", "1"}) times(how, seed);
}
