#include "check/session/flow.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "check/session/session.h"

namespace lab {
namespace {

constexpr std::size_t kShownOutputBytes = 4 << 10;

}  // namespace

void leave_test(const std::string& why) {
    TestLog& log = test_log();
    if (!log.first_failure()) log.not_run = why;
    log.skipped_cases = true;
    SKIP(why);
}

void skip_if_blocked() {
    if (!session().over_reason().empty()) leave_test(session().over_message());
    if (!test_log().blocked.empty()) leave_test(test_log().blocked);
    if (session().submission() == nullptr) leave_test(session().over_message());
}

void fail_test(Failure failure) {
    const std::string message = failure.message;
    test_log().offer(std::move(failure));
    FAIL(message);
    throw;  // not reached: FAIL throws
}

void keep_output(const Outcome& outcome) {
    std::string& output = test_log().output;
    output +=
        outcome.output.substr(0, kShownOutputBytes - std::min(kShownOutputBytes, output.size()));
}

}  // namespace lab
