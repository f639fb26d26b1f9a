// Initial values of variables: numbers, nested braces and addresses of other symbols, to bytes.
#pragma once

#include <vector>

#include "ptx/cursor.h"
#include "ptx/declarations.h"

namespace vgpu::ptx {

/// After '='. Fills in `initial` and `references`, and the first dimension if it was left open (0).
void parse_initial_values(Cursor&, Variable&, std::vector<std::uint64_t> dimensions,
                          InitialBudget&);

}  // namespace vgpu::ptx
