// Findings in shared memory: accesses outside of it.
#pragma once

#include <string>

#include "check/call/call.h"
#include "check/call/worker.h"
#include "vgpu/finding.h"

namespace lab {

/// What is said to an access past the end of a block's shared memory; empty if nothing certain.
std::string outside_shared(const CallPlan& plan, const vgpu::Finding& finding,
                           const Outcome& outcome);

}  // namespace lab
