// One call of the submission, from a grader's plan to the results: every outcome that is not a
// value ends the test.
#pragma once

#include "check/call/call.h"

namespace lab {

/// Runs the plan in the submission's runner and judges everything but the values. Ends the Catch2
/// test (FAIL, or SKIP when an earlier call of the test already crashed) unless all is in order.
CallResult call_submission(const CallPlan& plan);

/// True when the virtual GPU runs the submission: then call.launches() is known.
bool on_vgpu();

/// On a GPU the first calls may be made while other gradings start, and make theirs. From now on
/// this one's have the GPU to themselves: for times.
void have_gpu_alone();

}  // namespace lab
