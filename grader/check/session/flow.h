// Ends a test early, inside Catch2, for a call or a speed test.
#pragma once

#include "check/call/worker.h"
#include "check/output/test_log.h"

namespace lab {

/// Ends the test (SKIP) when nothing is to be run: it needs a test that failed, an earlier call was
/// lost, the time is up, or the submission does not start.
void skip_if_blocked();

/// Ends the test (SKIP): its verdict is "not_run", unless it failed before.
void leave_test(const std::string& why);

/// Ends the test as failed, with these words.
[[noreturn]] void fail_test(Failure failure);

/// Adds what the submission printed to the test's output, up to what is shown.
void keep_output(const Outcome& outcome);

}  // namespace lab
