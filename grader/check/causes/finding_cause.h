// What to change, for a finding of the virtual GPU, in the contract's names: the message before it
// says what happened. Nothing is said when several mistakes could have led there.
#pragma once

#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"
#include "vgpu/finding.h"

namespace lab {

std::string diagnose_finding(const CallPlan& plan, const vgpu::Finding& finding,
                             const Marshalled& call, const Outcome& outcome);

/// The part for accesses outside of an array (access_cause.cpp).
std::string diagnose_outside(const CallPlan& plan, const vgpu::Finding& finding,
                             const Marshalled& call, const Outcome& outcome);

/// The only argument that lives at a device address; nothing where views share the memory.
const Buffer* buffer_at(std::uint64_t base, const Marshalled& call, const Outcome& outcome);

}  // namespace lab
