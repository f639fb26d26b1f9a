// Reports that a signal stopped a grading, in place of results that look like a verdict.
#pragma once

#include <string>
#include <string_view>

#include "cli/session.h"

namespace lab::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP make the program print "interrupted: NOTE" and, with
/// --json, an `error` line. Then they end it as they end any program: shells see 128 + the signal's
/// number. The checker and all runners end with it. Ignored signals (nohup) stay ignored. At most
/// one exists at a time.
class InterruptionNotice {
public:
    InterruptionNotice(const Session& session, std::string_view note);
    ~InterruptionNotice();
    InterruptionNotice(const InterruptionNotice&) = delete;
    InterruptionNotice& operator=(const InterruptionNotice&) = delete;
};

}  // namespace lab::cli
