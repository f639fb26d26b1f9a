// What the virtual GPU found in a call: the first mistake, in the names of the contract.
#pragma once

#include "check/explain/explain.h"

namespace lab {

/// Needs at least one finding or absent function.
Failure explain_findings(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                         const CallSetting& setting);

}  // namespace lab
