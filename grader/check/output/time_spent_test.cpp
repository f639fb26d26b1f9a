#include "check/output/time_spent.h"

#include <catch2/catch_all.hpp>
#include <map>
#include <thread>

using namespace lab;

TEST_CASE(
    "time spent: each moment counts once, for the innermost, and the order is the first one") {
    const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    const auto begin = std::chrono::steady_clock::now();
    {
        const TimeSpent outer("test: outer");
        wait();
        for (int i = 0; i < 2; ++i) {
            const TimeSpent inner("test: inner");
            wait();
        }
        wait();
    }
    wait();  // nobody's
    const double passed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::map<std::string, double> by_what;
    std::string order;
    for (const TimeShare& share : times_spent()) {
        if (!share.what.starts_with("test: ")) continue;
        by_what[share.what] = share.seconds;
        order += share.what.back();
    }
    CHECK(order == "rr");
    REQUIRE(by_what.size() == 2);
    CHECK(by_what["test: outer"] >= 0.04);
    CHECK(by_what["test: inner"] >= 0.04);
    CHECK(by_what["test: outer"] + by_what["test: inner"] <= passed - 0.02);
}
