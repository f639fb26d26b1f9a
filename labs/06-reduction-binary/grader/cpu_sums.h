// Computes sums on the CPU, and how far a tree of float additions may be off.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

using Floats = std::span<const float>;

inline double cpu_sum(Floats a) {
    return std::accumulate(a.begin(), a.end(), 0.0);
}

/// How far a float sum of `a` may be off when no number goes through more than `additions`, and the
/// expected one is itself rounded to float.
inline double rounding_bound(Floats a, double additions) {
    const double magnitudes = std::transform_reduce(a.begin(), a.end(), 0.0, std::plus<>(),
                                                    [](float x) { return std::abs(x); });
    return (additions + 1) * std::ldexp(magnitudes, -24);
}

inline double pairwise_additions(std::size_t n) {
    return std::ceil(std::log2(std::max<std::size_t>(1, n)));
}

/// For numbers added to one float in any order, by atomicAdd. Rounding goes up and down, so n
/// additions are off by about sqrt(n) units. Chance never reaches four times as many, and sums
/// truncated to half precision are farther off up to n = 10^5.
inline double additions_in_any_order(std::size_t n) {
    const auto all = static_cast<double>(n);
    return std::min(all, std::max(pairwise_additions(n), 4 * std::sqrt(all)));
}

/// The parts of `a` that blocks of `threads` add up.
inline std::vector<Floats> blocks_of(Floats a, int threads) {
    std::vector<Floats> blocks;
    const auto size = static_cast<std::size_t>(threads);
    for (std::size_t i = 0; i < a.size(); i += size) {
        blocks.push_back(a.subspan(i, std::min(size, a.size() - i)));
    }
    return blocks;
}

template <class F>
std::vector<float> for_each_block(const std::vector<Floats>& blocks, F value) {
    std::vector<float> values;
    for (const Floats block : blocks) values.push_back(static_cast<float>(value(block)));
    return values;
}
