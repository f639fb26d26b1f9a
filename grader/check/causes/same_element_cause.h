// Two threads that store the same element of an argument, by the numbers that they have in their
// grid: whose element it is, and how the other may have come there.
#pragma once

#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"
#include "vgpu/finding.h"

namespace lab {

/// On a grid along one axis. Empty unless it is certain that one of the two left its own elements.
std::string meeting_in_a_vector(const vgpu::Finding& finding, const Buffer& buffer,
                                const Marshalled& call, const Outcome& outcome);

/// On a grid along two, each thread with a row and a column of its own of an array that the
/// contract gives two lengths: how long the rows are that their index goes by, if it is not as long
/// as they are. Empty if these two do not tell.
std::string meeting_in_a_matrix(const CallPlan& plan, const vgpu::Finding& finding,
                                const Buffer& buffer, const Outcome& outcome);

/// On a grid along three, over an array of the lengths that the contract calls I, J and K, by two
/// threads which both have an element.
std::string meeting_in_a_box(const CallPlan& plan, const vgpu::Finding& finding,
                             const Buffer& buffer, const Outcome& outcome);

}  // namespace lab
