// What happened to a call, in words for the student: what the function did, in which case, and what
// to look at. Only what went wrong by itself; values are the matchers' business.
#pragma once

#include <optional>
#include <string>

#include "check/call/call.h"
#include "check/call/call_setting.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"
#include "check/output/test_log.h"

namespace lab {

/// Of a call that is right when blocks and warps run one after the other, and not otherwise.
inline constexpr const char* kDependsOnOrder =
    "With the same data the result is right when the blocks run one after the other, block 0 "
    "first, and wrong in another order; a GPU promises no order. Look for what one block or warp "
    "does for the others: setting a sum to 0 that they add to belongs before the launch (or before "
    "a barrier, if only one block needs it), using what they give belongs after their last one; "
    "and what several threads change must be changed by atomic operations.";

/// Whether a path that a compiler wrote down is the student's file.
bool is_students_file(const std::string& file, const CallSetting& setting);

/// The failure of a call that did not come back in good order; nothing if it did. Throws
/// GraderFault when the fault is ours.
std::optional<Failure> explain(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                               const CallSetting& setting);

/// The line where the student defines `function`; line 0 when it is not found.
Place source_place(const std::string& function, const CallSetting& setting);

}  // namespace lab
