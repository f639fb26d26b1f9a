// Trees that add up a block's values in shared memory: what a wrong one leaves.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// Half of the next power of two: the distance with which a tree over `threads` values begins.
inline int right_half(int threads) {
    int half = 1;
    while (2 * half < threads) half *= 2;
    return half;
}

inline int halved(int half) {
    return half / 2;
}

/// What is in shared memory behind a tree: in a round thread t < half adds the value half places
/// further on, or `partner_offset` more, if it exists. `next(half)` is the distance of the round
/// that follows, and 0 is the end. In no round may a thread read what another one writes: then
/// there is no such result.
template <class Next>
std::vector<double> behind_tree(std::vector<double> values, int first, Next next,
                                int partner_offset = 0) {
    const int threads = static_cast<int>(values.size());
    for (int half = first; half > 0; half = next(half)) {
        const int reach = half + partner_offset;
        for (int thread = 0; thread < half && thread + reach < threads; ++thread) {
            values[static_cast<std::size_t>(thread)] +=
                values[static_cast<std::size_t>(thread + reach)];
        }
    }
    return values;
}

/// The distance of the round that follows.
using NextHalf = std::function<int(int half)>;

/// "half becomes a quarter from round to round": distances that change wrongly. `fits(first,
/// next)`: are the sums those of the tree behind_tree(values, first, next)?
std::optional<std::string> wrong_distances(
    int threads, const std::function<bool(int first, const NextHalf& next)>& fits);

}  // namespace lab
