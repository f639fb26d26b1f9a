// What a sum would be with one mistake. See check/sums/sum.h for the mistakes, and sum.cpp for
// how one is chosen.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/diagnose/diagnose.h"

namespace lab::sums {

/// What is to be added.
struct Terms {
    explicit Terms(std::vector<double> all) : values(std::move(all)), prefix(values.size() + 1) {
        double squares = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            prefix[i + 1] = prefix[i] + values[i];
            squares += values[i] * values[i];
        }
        typical_size = std::sqrt(squares);
    }

    /// Of values `begin` to `end` - 1.
    double sum(std::size_t begin, std::size_t end) const { return prefix[end] - prefix[begin]; }

    /// Of the values at indices i for which `is_there(i)`.
    template <class IsThere>
    double sum_where(const IsThere& is_there) const {
        double sum = 0;
        for (std::uint64_t i = 0; i < values.size(); ++i)
            if (is_there(i)) sum += values[i];
        return sum;
    }

    std::vector<double> values;
    std::vector<double> prefix;  ///< the sum of the first i values at i
    double typical_size = 0;     ///< of a sum of such values, if signs are random
};

enum class Kind {
    edge,
    one_more,
    one_value,
    indices,
    steps,
    first_block,
    first_of_each,
    last_block,
    tail,
    part_of_vectors,
    one_block_missing,
    tree,
    multiple,
    index,
    lanes,
    other_values,
    scale
};

/// Of one kind, the first sentence that fits is said.
struct Hypothesis {
    Kind kind;
    double value;
    std::string sentence;
};
using Hypotheses = std::vector<Hypothesis>;

// Each adds to `all`. `expected` is the right sum.

/// Values left out or added twice, whatever was launched.
void values_left_out(const Terms&, double expected, Hypotheses& all);
/// Blocks of `size` values that are missing, or whose tree loses some.
void parts_left_out(const Terms&, std::size_t size, Hypotheses& all);
/// Indices and conditions that do not fit `launch`, which adds the values.
void wrong_indices(const Evidence&, const Terms&, const LaunchRecord& launch, double expected,
                   Hypotheses& all);
/// Something else than the sum: magnitudes, squares.
void other_values(const Terms&, Hypotheses& all);
/// One value alone, their number, the sum of their indices.
void one_value(const Terms&, Hypotheses& all);
/// The right sum times a factor. `launch` is the one that adds the values, if it is known.
void multiples(const Terms&, const LaunchRecord* launch, double expected, Hypotheses& all);

}  // namespace lab::sums
