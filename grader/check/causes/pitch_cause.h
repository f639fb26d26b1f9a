// Pitches that are taken for bytes where they count elements, or the other way round.
#pragma once

#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"

namespace lab {

/// An access at an address between two elements: rows begin a pitch of bytes apart.
std::string pitch_taken_for_bytes(const CallPlan& plan, const vgpu::Finding& finding,
                                  const Marshalled& call, const Outcome& outcome);

/// Two threads that meet in memory with a pitch: from row to row it is a quarter of it.
std::string meeting_in_pitched_rows(const CallPlan& plan, const vgpu::Finding& finding,
                                    const Buffer& buffer, const Outcome& outcome);

}  // namespace lab
