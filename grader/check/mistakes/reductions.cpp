#include "check/mistakes/reductions.h"

namespace lab {

std::optional<std::string> end_left_out(
    std::size_t n, const std::function<bool(std::size_t begin, std::size_t end)>& is_of) {
    if (n < 2) return std::nullopt;
    if (is_of(0, n - 1)) return "The last element was left out: a bound is 1 too low.";
    if (is_of(1, n)) return "The first element was left out.";
    return std::nullopt;
}

std::string came_out_as_zero(const std::string& which) {
    return "The " + which + " came out as 0, which is none of the numbers. What did it begin with?";
}

std::string came_out_as_flt_min() {
    return "The largest came out as 1.17549e-38. That is FLT_MIN, the smallest float above 0, and "
           "not the lowest of all.";
}

}  // namespace lab
