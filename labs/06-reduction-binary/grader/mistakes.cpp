#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/mistakes/patterns.h"
#include "check/mistakes/reductions.h"
#include "check/mistakes/trees.h"

using namespace lab;

namespace {

/// Sums up `threads` numbers in a tree that halves 5 to 2 and 2 to 1, which leaves some out.
float tree_that_rounds_down(Floats block, int threads) {
    std::vector<float> values(block.begin(), block.end());
    values.resize(static_cast<std::size_t>(threads), 0.0F);
    for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) values[i] += values[i + half];
    }
    return values[0];
}

/// Every second number: a tree that ends before half is 1.
double even_places(Floats block) {
    double sum = 0;
    for (std::size_t i = 0; i < block.size(); i += 2) sum += block[i];
    return sum;
}

std::vector<float> without_the_last(std::vector<Floats> blocks) {
    if (!blocks.empty()) blocks.back() = blocks.back().first(blocks.back().size() - 1);
    return for_each_block(blocks, cpu_sum);
}

/// Why min or max of some numbers, all finite, is infinite.
std::string infinite(MinMaxSum got) {
    const bool is_min_untouched = got.min > 0 && std::isinf(got.min);
    const bool is_max_untouched = got.max < 0 && std::isinf(got.max);
    if (is_min_untouched && is_max_untouched) {
        return "min and max are still infinity and -infinity, which they begin with: fminf and "
               "fmaxf are swapped, or no element was compared with them.";
    }
    if (is_min_untouched) {
        return "min is still infinity, which it begins with: nothing has lowered it.";
    }
    if (is_max_untouched) {
        return "max is still -infinity, which it begins with: nothing has raised it.";
    }
    const bool is_min = std::isinf(got.min);
    return std::string(is_min ? "min is -infinity" : "max is infinity") +
           ", which no element is, and no element can change. What do `min` and `max` begin with?";
}

}  // namespace

std::vector<Mistake<float>> mistakes_of_blocks(Floats a, int threads) {
    const auto blocks = blocks_of(a, threads);
    const std::size_t n = a.size(), size = static_cast<std::size_t>(threads);
    std::vector<Mistake<float>> all;
    /// `value` gets the number of the block, and the index of its first element.
    const auto add = [&](auto value, const std::string& sentence) {
        std::vector<float> sums;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            sums.push_back(static_cast<float>(value(b, b * size)));
        }
        all.push_back({std::move(sums), sentence});
    };
    std::vector<double> prefix(n + 1);
    for (std::size_t i = 0; i < n; ++i) prefix[i + 1] = prefix[i] + a[i];
    const auto range = [&](std::size_t begin, std::size_t end) {
        return begin < n ? prefix[std::min(end, n)] - prefix[begin] : 0.0;
    };
    const auto every = [&](std::size_t begin, std::size_t step) {
        double sum = 0;
        for (std::size_t i = begin; i < n; i += step) sum += a[i];
        return sum;
    };
    if (blocks.size() > 1) {
        add([&](auto, auto) { return range(0, size); },
            "Every block added up the elements of block 0: blockIdx is missing from the index.");
        add([&](auto, auto) { return range(0, n); },
            "Every block added up all elements, not just its own.");
        add([&](auto, std::size_t first) { return range(first, n); },
            "Block b added up everything from its first element to the end of the vector. In its "
            "loop, a thread must jump over the elements of all blocks.");
        add([&](std::size_t b, auto) { return every(b, blocks.size()); },
            "Block b added up elements that lie " + std::to_string(blocks.size()) +
                " apart: in the index, threadIdx.x and blockIdx.x are swapped.");
    }
    if (size > 1) {
        add([&](auto b, std::size_t first) { return cpu_sum(blocks[b]) + a[first]; },
            "The first element of each block is in its sum twice: thread 0 adds its own once more. "
            "The tree has added it already.");
    }
    add(
        [&](auto b, std::size_t first) {
            const auto count = static_cast<double>(blocks[b].size());
            return count * static_cast<double>(first) + count * (count - 1) / 2;
        },
        "The indices were added, not the elements.");
    if (blocks.size() > 1 && size > 1) {
        add([&](auto b, std::size_t first) { return b == 0 ? cpu_sum(blocks[0]) : a[first]; },
            "The sum of block 0 is right, and each other is the first element of its block alone. "
            "Which threads take part in a round must be the same in every block.");
    }
    add([&](auto, std::size_t first) { return a[first]; },
        "Each sum is the first element of its block alone: nothing was added to it.");
    add([&](auto, std::size_t first) { return first + size <= n ? a[first + size - 1] : 0.0F; },
        "Each sum is the last element of its block alone: the tree copies where it must add, or "
        "another place than the first is stored.");
    for (std::size_t part = 2; part < size; part *= 2) {
        add([&](auto, std::size_t first) { return range(first, first + part); },
            "Only the first " + std::to_string(part) + " of a block's " + std::to_string(threads) +
                " elements are in each sum: the largest distance in the tree does not reach all of "
                "the block.");
    }
    add([&](auto b, auto) { return even_places(blocks[b]); },
        "Each sum has every second element only: the last round of the tree is missing, between "
        "neighbours.");
    add([&](auto b, auto) { return tree_that_rounds_down(blocks[b], threads); },
        "Some numbers never reach the sum: half of an odd number of threads is rounded down, and "
        "leaves one out.");
    if (size > 2) {
        add([&](auto, std::size_t first) { return range(first, first + size - 1); },
            "The last thread's element is missing from each sum: does the tree skip a partner that "
            "exists?");
    }
    add([&](auto, std::size_t first) { return range(first + 1, first + size + 1); },
        "Each block begins one element too late.");
    add(
        [&](auto, std::size_t first) {
            return first == 0 ? range(0, size - 1) : range(first - 1, first + size - 1);
        },
        "Each block begins one element too early.");
    for (const std::size_t divisor : {size, n}) {
        add([&](auto b, auto) { return cpu_sum(blocks[b]) / static_cast<double>(divisor); },
            std::string("Each sum is divided by ") +
                (divisor == size ? "the number of threads" : "n") + ", the average.");
    }
    const auto each = [&](auto of) {
        return [&blocks, of](auto b, auto) {
            double sum = 0;
            for (const float x : blocks[b]) sum += of(static_cast<double>(x));
            return sum;
        };
    };
    add(each([](double x) { return std::abs(x); }), "The numbers were added without their signs.");
    add(each([](double x) { return x * x; }), "The squares of the elements were added.");
    if (int rounded = 2 * right_half(threads); rounded != threads && blocks.size() > 1) {
        add(
            [&](auto b, auto) {
                const std::size_t other = static_cast<std::size_t>(rounded);
                return range(b * other, (b + 1) * other);
            },
            "Block b added up " + std::to_string(rounded) + " elements from " +
                std::to_string(rounded) + " * b on, and has " + std::to_string(threads) + " from " +
                std::to_string(threads) +
                " * b on. There are more threads in a block than threads_per_block says.");
    }
    all.push_back({without_the_last(blocks),
                   "The last element of all is missing from the last sum: a bound is 1 too low."});
    return all;
}

std::optional<std::string> last_block_missing(const Evidence& e) {
    const std::size_t size = e.size();
    if (size < 3 || !e.untouched[size - 1] || !others_are_right(e, size - 1)) return std::nullopt;
    return "Only the last block's sum was not written: the elements after the last whole block "
           "need one, too.";
}

Diagnoser only_the_first(std::vector<int> lengths, Floats a, float got, const std::string& reason) {
    return [=](const Evidence&) -> std::optional<std::string> {
        for (const int length : lengths) {
            if (static_cast<std::size_t>(length) >= a.size()) continue;
            const Floats first = a.first(static_cast<std::size_t>(length));
            const double bound = rounding_bound(first, pairwise_additions(first.size()));
            if (!(std::abs(static_cast<double>(got) - cpu_sum(first)) <= bound)) continue;
            return "The total has only the first " + std::to_string(length) + " elements. " +
                   reason;
        }
        return std::nullopt;
    };
}

std::vector<Mistake<MinMaxSum>> mistakes_of_min_max_sum(const std::vector<float>& a) {
    const float infinity = std::numeric_limits<float>::infinity();
    const auto results = [&](float lowest_start, float highest_start) {
        MinMaxSum r{lowest_start, highest_start, static_cast<float>(cpu_sum(a))};
        for (const float x : a) r = {std::min(r.min, x), std::max(r.max, x), r.sum};
        return std::vector<MinMaxSum>{r};
    };
    const auto right = results(infinity, -infinity);
    const std::string start_of_min = came_out_as_zero("smallest"),
                      start_of_max = came_out_as_zero("largest");
    std::vector<Mistake<MinMaxSum>> all{
        {results(0, -infinity), start_of_min},
        {results(infinity, 0), start_of_max},
        {results(0, 0), a.empty() || a[0] > 0 ? start_of_min : start_of_max},
        {results(infinity, std::numeric_limits<float>::min()), came_out_as_flt_min()},
        {{{right[0].max, right[0].min, right[0].sum}}, "min and max are swapped."},
    };
    if (!a.empty()) {
        const float last_index = static_cast<float>(a.size() - 1);
        const char* const of_indices = " is an index: compare the elements, not their indices.";
        all.push_back({{{0, right[0].max, right[0].sum}},
                       std::string("The smallest came out as 0, which") + of_indices});
        all.push_back(
            {{{right[0].min, last_index, right[0].sum}},
             "The largest came out as " + std::to_string(a.size() - 1) + ", which" + of_indices});
    }
    return all;
}

Diagnoser parts_of_the_result(MinMaxSum got, MinMaxSum right, const std::vector<float>& a) {
    return [=, &a](const Evidence&) -> std::optional<std::string> {
        if (a.empty()) {
            return "Of no numbers at all, the result is what it begins with. A large number is not "
                   "above all others.";
        }
        if (a.size() < 2) return std::nullopt;
        const std::size_t n = a.size();
        const auto is_of = [&](std::size_t begin, std::size_t end) {
            if (begin >= end || end > n || end - begin == n) return false;
            const Floats part = Floats(a).subspan(begin, end - begin);
            const auto [low, high] = std::ranges::minmax(part);
            const double bound = rounding_bound(part, pairwise_additions(part.size()));
            return got.min == low && got.max == high &&
                   std::abs(static_cast<double>(got.sum) - cpu_sum(part)) <= bound;
        };
        const auto only = [](std::size_t count) {
            return "This is the result of the first " + std::to_string(count) + " elements only. ";
        };
        if (auto said = end_left_out(n, is_of)) return said;
        for (const std::size_t threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
            if (is_of(0, threads)) {
                return only(threads) +
                       "Only block 0's result is in it, or all blocks read the same elements.";
            }
            if (is_of(0, (n - 1) / threads * threads) || is_of(0, n / threads * threads)) {
                return only(n - ((n - 1) % threads + 1)) + "What the last block found is missing.";
            }
            for (const std::size_t second : {256u, 512u, 1024u}) {
                if (is_of(0, threads * second)) {
                    return only(threads * second) +
                           "The block of the second level takes no more than one result for each "
                           "thread.";
                }
            }
        }
        const auto same_sum = [&](double sum) {
            return std::abs(static_cast<double>(got.sum) - sum) <=
                   rounding_bound(a, additions_in_any_order(n));
        };
        if (std::isinf(got.min) || std::isinf(got.max)) return infinite(got);
        if (n > 2 && got.min == got.max && got.min == got.sum) {
            return "min, max and sum are the same number, so this is the result of one element "
                   "alone.";
        }
        // Of two numbers one is the smallest: that proves nothing.
        if (n > 2 && got.min == right.min && got.max == right.min) {
            return "max holds the smallest number.";
        }
        if (n > 2 && got.max == right.max && got.min == right.max) {
            return "min holds the largest number.";
        }
        if (got.min != right.min || got.max != right.max) return std::nullopt;
        if (got.sum == 0) return "min and max are right, but nothing was added to the sum.";
        if (std::isinf(got.sum)) {
            return "The sum is infinite, though no number is: the start value of min or max was "
                   "added to it.";
        }
        for (const std::size_t threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
            const std::size_t blocks = (n - 1) / threads + 1;
            for (const double parts : {static_cast<double>(n), static_cast<double>(threads),
                                       static_cast<double>(blocks)}) {
                const double sum = static_cast<double>(right.sum);
                if (parts < 2 || std::abs(sum) < 100 * rounding_bound(a, 10)) continue;
                if (same_sum(sum / parts))
                    return "The sum is divided by a number: it is an average.";
            }
        }
        // A sum this close may just have lost its last digits.
        const double off = std::abs(static_cast<double>(got.sum) - static_cast<double>(right.sum));
        if (off <= rounding_bound(a, 1 << 14)) return std::nullopt;
        return "min and max are right, the sum is not: some numbers were added twice, which "
               "changes only the sum.";
    };
}
