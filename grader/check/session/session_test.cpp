#include "check/session/session.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("session: what the last call left is there when the time is up") {
    // The limit may pass between a reply and the look at what came with it.
    CheckerOptions options;
    options.submission = "/nowhere/runner";
    options.total_limit = std::chrono::milliseconds(0);
    Session session(options);
    CHECK(session.submission() == nullptr);
    CHECK(session.over_reason() == "time limit");
    CHECK_FALSE(session.last_call_bytes().empty());
}
