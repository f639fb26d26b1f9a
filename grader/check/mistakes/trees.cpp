#include "check/mistakes/trees.h"

namespace lab {

std::optional<std::string> wrong_distances(
    int threads, const std::function<bool(int first, const NextHalf& next)>& fits) {
    const int half = right_half(threads);
    if (fits(half, [](int h) { return h / 4; })) {
        return "half becomes a quarter from round to round, so every second round is missing.";
    }
    if (fits(half, [](int h) { return h - 1; })) {
        return "half becomes 1 less from round to round, so numbers are added many times.";
    }
    if (fits(1, [=](int h) { return 2 * h < threads ? 2 * h : 0; })) {
        return "half grows from round to round, 1, 2, 4, but the condition is that of a tree whose "
               "half shrinks. Most numbers are left out.";
    }
    return std::nullopt;
}

}  // namespace lab
