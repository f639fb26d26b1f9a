// A kernel that was stopped for its length: why it took so long.
#pragma once

#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"

namespace lab {

/// Of a finding of Check::instruction_limit; empty when nothing is certain.
std::string diagnose_endless(const CallPlan& plan, const vgpu::Finding& finding,
                             const Marshalled& call, const Outcome& outcome);

}  // namespace lab
