// The mistake behind a CUDA call that failed, where its words and the arguments of the student's
// function say it.
#pragma once

#include <string>

#include "check/call/call.h"
#include "check/call/worker.h"

namespace lab {

/// Of the last call that failed; empty when nothing is certain.
std::string diagnose_failed_call(const CallPlan& plan, const Outcome& outcome);

}  // namespace lab
