// A call from which no answer came: the submission's process crashed, hung, ended itself, or had to
// be stopped.
#pragma once

#include "check/explain/explain.h"

namespace lab {

Failure explain_lost(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                     const CallSetting& setting);

/// The same for a process that never came as far as being called: a sentence.
std::string explain_no_start(const Outcome& outcome, double patience_s);

/// What a human should know of how it ended.
Flags flags_of(const Outcome& outcome, const std::string& evidence);

}  // namespace lab
