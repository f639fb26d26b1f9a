// Mistakes that reductions over a vector share: a left-out end, a wrong start.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace lab {

/// "The last element was left out", or the first. `is_of(begin, end)`: is the result that of the
/// elements from begin to end?
std::optional<std::string> end_left_out(
    std::size_t n, const std::function<bool(std::size_t begin, std::size_t end)>& is_of);

/// "The largest came out as 0", where `which` is "largest".
std::string came_out_as_zero(const std::string& which);

/// "The largest came out as 1.17549e-38."
std::string came_out_as_flt_min();

}  // namespace lab
