// Findings in arrays that the contract gives two lengths, "m * k": in which row and column an
// element is, or would be. Where a thread is in its grid says little of it when the kernel goes
// through the array in a loop.
//
// Interface: outside_the_matrix, shared_row_step.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "check/call.h"
#include "check/marshal.h"
#include "check/worker.h"

namespace lab {

/// What is said to an access of element `element`, past the end of the array; empty if the contract
/// does not give it two lengths.
std::string outside_the_matrix(const CallPlan& plan, const Buffer& buffer, std::int64_t element);

/// Two threads of a two-dimensional grid, each with a row and a column of its own, that store the
/// same element: how long the rows are that their index goes by, if it is not as long as they are.
/// Empty if these two do not tell.
std::string shared_row_step(const CallPlan& plan, const nlohmann::json& finding,
                            const Buffer& buffer, const Outcome& outcome);

}  // namespace lab
