// Values with several members, which are too wide for a table: keeps the members that are wrong.
#pragma once

#include <cstddef>

#include "core/results.h"

namespace lab {

/// The window with "{..., warp 1, lane 0}" in place of "{block 0, thread 32, warp 1, lane 0}",
/// where some value is wider than `widest` and all have the same number of members. A member stays
/// if it is wrong in any of the elements.
ValuesWindow with_wrong_members(ValuesWindow, std::size_t widest);

}  // namespace lab
