// Findings in shared memory: accesses outside of it.
//
// Interface: outside_shared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "check/call.h"
#include "check/worker.h"

namespace lab {

/// What is said to an access past the end of a block's shared memory; empty if nothing certain.
std::string outside_shared(const CallPlan& plan, const nlohmann::json& finding,
                           const Outcome& outcome);

}  // namespace lab
