// Threads that store what belongs to others, told from a call's counts. A GPU gives none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/gpu/launch_record.h"

namespace lab {

/// Bytes that kernels stored in global memory.
std::uint64_t stored_bytes(const std::vector<LaunchRecord>& launches);

/// What to say when `stored` elements were stored where there are `elements`, several times as
/// many. `what` names an element: "id".
std::string stored_too_often(const std::vector<LaunchRecord>& launches, std::uint64_t stored,
                             std::uint64_t elements, const std::string& what);

}  // namespace lab
