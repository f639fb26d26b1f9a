// What happened to a call, in words for the student: what the function did, in which case, and what
// to look at. Only what went wrong by itself; values are the matchers' business.
//
// Interface: explain, source_place.
#pragma once

#include <optional>
#include <string>

#include "check/call.h"
#include "check/marshal.h"
#include "check/test_log.h"
#include "check/worker.h"

namespace lab {

/// Where and how the call was made.
struct CallSetting {
    bool vgpu = true;
    double limit_s = 10;                      ///< that a call may take
    std::string display_source, real_source;  ///< the student's file
};

/// The failure of a call that did not come back in good order; nothing if it did. Throws
/// GraderFault when the fault is ours.
std::optional<Failure> explain(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                               const CallSetting& setting);

/// The line where the student defines `function`; line 0 when it is not found.
Place source_place(const std::string& function, const CallSetting& setting);

}  // namespace lab
