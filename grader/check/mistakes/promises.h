// Where a program promises that pointers do not meet.
#pragma once

#include <string_view>

namespace lab {

/// Whether a source has __restrict__ on parameters, but on none of a kernel's, where the loads are.
bool promises_on_host_only(std::string_view source);

}  // namespace lab
