// Values that are not in the sum, or twice.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/sums/hypotheses.h"

namespace lab::sums {
namespace {

constexpr std::array kOrdinals{"first", "second", "third", "fourth"};

/// What is left over of vectors of 2 or 4 can be one value, too.
std::string last_left_out(const Terms& terms) {
    return terms.values.size() % 2 == 0
               ? "The last value was left out: a bound is 1 too low."
               : "The last value was left out: a bound is 1 too low, or threads take several "
                 "values at once and one is left over.";
}

/// The values behind the last whole vector of four.
void vector_tails(const Terms& terms, Hypotheses& all) {
    for (const std::size_t width : {4u, 8u}) {
        const std::size_t n = terms.values.size(), rest = n % width;
        if (rest < 2) continue;
        all.push_back({Kind::tail, terms.sum(0, n - rest),
                       fmt::format("The last {} of {} values were left out: {} is not a "
                                   "multiple of {}, and vectors of {} leave them over.",
                                   rest, n, n, width, width)});
        if (n % 2 == 1)
            all.push_back({Kind::tail, terms.sum(0, n - rest) + terms.values.back(),
                           fmt::format("Of the last {} values, which vectors of {} leave over, "
                                       "only the very last was added.",
                                       rest, width)});
    }
}

/// Of float4, say, one of the four members is not in the sum.
void parts_of_vectors(const Terms& terms, double expected, Hypotheses& all) {
    constexpr std::array kMembers{"x", "y", "z", "w"};
    for (std::size_t member = 0; member < kMembers.size(); ++member) {
        double missing = 0;
        for (std::size_t i = member; i < terms.values.size() / 4 * 4; i += 4)
            missing += terms.values[i];
        all.push_back({Kind::part_of_vectors, expected - missing,
                       fmt::format("Of every four values the {} is not in the sum: of a vector "
                                   "of four, {} was left out.",
                                   kOrdinals[member], kMembers[member])});
    }
}

/// Rounds that add the upper half to the lower one, with `half > 1` as their condition.
void tree_without_its_last_round(const Terms& terms, Hypotheses& all) {
    all.push_back({Kind::tree, terms.sum_where([](std::uint64_t i) { return i % 2 == 0; }),
                   "Only values with even indices are in the sum. If a tree adds them up, it "
                   "ends one round too early: the last round adds place 1 to place 0."});
}

/// Blocks of `size` values of which some are missing.
void parts(const Terms& terms, std::size_t size, Hypotheses& all) {
    const std::size_t n = terms.values.size(), whole = n / size, rest = n % size;
    all.push_back({Kind::first_block, terms.sum(0, size),
                   fmt::format("Only the first {} values were added, those of block 0: every "
                               "block must add its part to the result.",
                               size)});
    const std::size_t last_begin = rest == 0 ? n - size : whole * size;
    all.push_back({Kind::last_block, terms.sum(last_begin, n),
                   fmt::format("Only the last {} values are in the result, those of the last "
                               "block: each block overwrote what the others had stored.",
                               n - last_begin)});
    if (whole < 2) return;
    if (rest != 0) {
        all.push_back({Kind::tail, terms.sum(0, whole * size),
                       fmt::format("The last {} of {} values were left out: {} is not a "
                                   "multiple of {}, and what is left over must be added too.",
                                   rest, n, n, size)});
    } else if (whole > 2) {
        all.push_back(
            {Kind::tail, terms.sum(0, n - size),
             fmt::format("The last {} values were left out, those of the last block.", size)});
    }
    if (whole > 2) {
        all.push_back({Kind::one_block_missing, terms.sum(size, n),
                       fmt::format("The first {} values were left out, those of block 0.", size)});
    }
}

/// A tree whose width is halved, rounding down, loses values when the block is no power of two.
void trees(const Terms& terms, std::size_t size, Hypotheses& all) {
    if ((size & (size - 1)) == 0) return;
    double sum = 0;
    for (std::size_t begin = 0; begin < terms.values.size(); begin += size) {
        std::vector<double> part(size, 0);
        const std::size_t count = std::min(size, terms.values.size() - begin);
        std::copy_n(terms.values.begin() + static_cast<std::ptrdiff_t>(begin), count, part.begin());
        for (std::size_t width = size / 2; width > 0; width /= 2) {
            for (std::size_t i = 0; i < width; ++i) part[i] += part[i + width];
        }
        sum += part[0];
    }
    all.push_back({Kind::tree, sum,
                   fmt::format("The tree over a block of {} loses values: {} is not a power of "
                               "two, and half of an odd number leaves one over.",
                               size, size)});
}

}  // namespace

void values_left_out(const Terms& terms, double expected, Hypotheses& all) {
    const std::vector<double>& values = terms.values;
    all.push_back({Kind::edge, expected - values.front(), "The first value was left out."});
    all.push_back({Kind::edge, expected - values.back(), last_left_out(terms)});
    all.push_back({Kind::edge, expected + values.front(),
                   "The first value is in the sum twice: the sum began with it, or a thread added "
                   "it once more."});
    all.push_back({Kind::one_more, expected + 1, "The sum began with 1, and not with 0."});
    vector_tails(terms, all);
    tree_without_its_last_round(terms, all);
    parts_of_vectors(terms, expected, all);
}

void parts_left_out(const Terms& terms, std::size_t size, Hypotheses& all) {
    if (size < terms.values.size()) parts(terms, size, all);
    trees(terms, size, all);
}

}  // namespace lab::sums
