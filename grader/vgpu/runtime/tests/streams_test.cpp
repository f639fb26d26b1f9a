// Streams and time, as programs see them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/tests/rig.h"

TEST_CASE("streams: copies and kernels overlap from pinned memory, not from pageable") {
    Rig rig;
    const Run run = rig.run("streams", {"overlap"});
    INFO(run.out << run.err);
    float serial = 0, overlapped = 0, pageable = 0;
    REQUIRE(std::sscanf(run.out.c_str(), "serial %f overlapped %f pageable %f", &serial,
                        &overlapped, &pageable) == 3);
    CHECK(serial > 0.15);
    CHECK(serial / overlapped > 1.3);  // copies take longer than kernels: at most 2
    CHECK(serial / overlapped < 2.1);
    CHECK(pageable > serial);
    // The same every time.
    Rig again;
    CHECK(again.run("streams", {"overlap"}).out == run.out);
    CHECK(run.all("finding").empty());
}

TEST_CASE("streams: VGPU_CLOCK=host shows this machine's time") {
    Rig modelled;
    const Run expected = modelled.run("streams", {"overlap"});
    setenv("VGPU_CLOCK", "host", 1);
    Rig rig;
    const Run run = rig.run("streams", {"overlap"});
    unsetenv("VGPU_CLOCK");
    float serial = 0;
    REQUIRE(std::sscanf(run.out.c_str(), "serial %f", &serial) == 1);
    CHECK(serial > 0);
    CHECK(run.out != expected.out);
}

TEST_CASE("streams: small kernels run side by side") {
    Rig rig;
    const Run run = rig.run("streams", {"concurrent"});
    INFO(run.out << run.err);
    float one = 0, eight = 0;
    REQUIRE(std::sscanf(run.out.c_str(), "1 kernels %f\n8 kernels %f", &one, &eight) == 2);
    CHECK(eight < 1.5F * one);
    CHECK(one > 0.02);
}

TEST_CASE("streams: a query says not ready until the work is over") {
    Rig rig;
    const Run run = rig.run("streams", {"query"});
    CHECK(run.out ==
          "stream at once: cudaErrorNotReady\n"
          "last error: cudaSuccess\n"
          "event at once: cudaErrorNotReady\n"
          "asked more than once: 1\n"
          "stream later: cudaSuccess\n"
          "event later: cudaSuccess\n"
          "default stream: cudaErrorNotReady\n"
          "default stream: cudaSuccess\n");
    CHECK(run.all("api").empty());
}

TEST_CASE("streams: asking for the elapsed time again and again gives it in the end") {
    Rig rig;
    const Run run = rig.run("streams", {"elapsed"});
    CHECK(run.out == "asked more than once: 1, a time: 1, read: 1\n");
    CHECK(run.all("finding").empty());
}

TEST_CASE("streams: a host function may have told that the events before it are over") {
    Rig rig;
    const Run run = rig.run("streams", {"told"});
    CHECK(run.out ==
          "at once: cudaErrorNotReady\n"
          "when it was told: cudaSuccess\n"
          "a time: 1\n");
}

TEST_CASE("streams: a kernel that reads the host's memory takes as long as its bytes") {
    Rig rig;
    const Run run = rig.run("streams", {"host-memory"});
    std::vector<double> took_ns;
    for (const auto& operation : run.all("operation"))
        took_ns.push_back(operation["end_ns"].get<double>() - operation["begin_ns"].get<double>());
    REQUIRE(took_ns.size() == 3);  // the copy, the kernel on the copy and on the original
    CHECK(took_ns[2] - took_ns[1] > 0.8 * took_ns[0]);
    CHECK(took_ns[2] - took_ns[1] < 1.2 * took_ns[0]);
}

TEST_CASE("streams: one that is occupied holds up what follows in it, and nothing else") {
    Rig rig;
    CHECK(rig.run("streams", {"occupied"}).out ==
          "occupy: cudaSuccess\n"
          "query: cudaErrorNotReady\n"
          "device: cudaSuccess\n"
          "in all: 1, alone: 1\n"
          "no stream: cudaErrorInvalidResourceHandle\n");
}

TEST_CASE(
    "streams: allocating takes the host as long as on an H200, and managed memory moves once") {
    Rig rig;
    std::istringstream out(rig.run("streams", {"allocations"}).out);
    std::string small, large, word;
    double taken = 0, given = 0;
    out >> small >> taken >> given;
    CHECK(taken > 1);
    CHECK(taken < 5);
    CHECK(given < 5);
    out >> large >> taken >> given;
    CHECK(taken > 40);
    CHECK(taken < 60);
    CHECK(given > 50);
    CHECK(given < 80);
    double first = 0, second = 0;
    REQUIRE(out >> word >> first >> second);
    CHECK(first > second + 75);
    CHECK(second < 20);
}

TEST_CASE("streams: a destroyed stream's work goes on") {
    Rig rig;
    const Run run = rig.run("streams", {"destroyed"});
    CHECK(run.out ==
          "destroy while it works: cudaSuccess\n"
          "legacy waits for it: cudaErrorNotReady\n"
          "device: cudaSuccess\n"
          "query: cudaSuccess\n"
          "live: 1, the event 1\n"
          "destroy event: cudaSuccess\n"
          "live: 0, the event 0\n"
          "record: cudaErrorInvalidResourceHandle\n");
}

TEST_CASE("streams: the thread's own default stream does not wait for others") {
    Rig rig;
    const Run run = rig.run("streams_per_thread", {"per_thread"});
    CHECK(run.out ==
          "other stream: cudaErrorNotReady\n"
          "own stream: cudaSuccess\n"
          "legacy stream: cudaErrorNotReady\n"
          "own stream: cudaErrorNotReady\n"
          "own stream: cudaSuccess\n"
          "other stream: cudaSuccess\n");
}

TEST_CASE("streams: how late host threads happen to be does not change when their work runs") {
    const auto operations = [](const char* seed) {
        Rig rig;
        const Run run = rig.run("threads", {seed});
        CHECK(run.out == "cudaSuccess, 0 wrong\n");
        CHECK(run.all("finding").empty());
        std::vector<std::string> all;
        for (const auto& operation : run.all("operation")) all.push_back(operation.dump());
        std::ranges::sort(all);
        return all;
    };
    const auto expected = operations("0");
    CHECK(expected.size() == 1 + 9 * 3 + 1);
    for (const char* seed : {"1", "2", "3", "4"}) CHECK(operations(seed) == expected);

    // What they do overlaps, and what follows their end comes after it.
    Rig rig;
    double first_ns = 1e18, last_ns = 0, sum_ns = 0, after_ns = 0;
    for (const auto& operation : rig.run("threads", {"0"}).all("operation")) {
        const double begin_ns = operation["begin_ns"], end_ns = operation["end_ns"];
        if (operation["stream"] == 0) {
            after_ns = begin_ns;
            continue;
        }
        first_ns = std::min(first_ns, begin_ns);
        last_ns = std::max(last_ns, end_ns);
        sum_ns += end_ns - begin_ns;
    }
    CHECK(last_ns - first_ns < 0.6 * sum_ns);
    CHECK(after_ns >= last_ns);
}
