#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "check/mistakes/trees.h"

using namespace lab;

namespace {

/// The sum of the elements that a wrong program reads.
template <class Counts>
float sum_where(const Floats& a, Counts counts) {
    double sum = 0;
    for (int i = 0; i < static_cast<int>(a.size()); ++i) {
        if (counts(i)) sum += a[static_cast<std::size_t>(i)];
    }
    return static_cast<float>(sum);
}

/// The sum of `tree(values, b)` over all blocks b, with their values.
template <class Tree>
double sum_of_trees(const Floats& a, int block, const Tree& tree) {
    double sum = 0;
    const auto size = static_cast<std::size_t>(block);
    for (std::size_t b = 0; b * size < a.size(); ++b) {
        const auto begin = a.begin() + static_cast<std::ptrdiff_t>(b * size);
        std::vector<double> values(begin, begin + std::min(a.end() - begin, std::ptrdiff_t{block}));
        values.resize(size, 0);
        sum += tree(std::move(values), b);
    }
    return sum;
}

/// Trees with one thread per element that add the wrong pairs, or leave the sum elsewhere.
std::optional<std::string> mistakes_of_trees(const Evidence& e, const Floats& a, int block) {
    using Values = std::vector<double>;
    // In small trees mistakes look alike.
    if (block < kWarp || static_cast<int>(a.size()) < block) return std::nullopt;
    const int half = right_half(block);
    const auto fits = [&](const auto& tree) {
        // Above 2^24 whole numbers are rounded.
        const double sum = sum_of_trees(a, block, tree);
        return std::abs(e.got(0) - sum) <= (std::abs(sum) < 1 << 24 ? 0 : 1e-6 * std::abs(sum));
    };
    if (static_cast<int>(a.size()) > block && fits([=](Values v, std::size_t b) {
            return b == 0 ? behind_tree(std::move(v), half, halved)[0] : v[0];
        })) {
        return "Block 0 is in the sum, and of each other block only its first element. Which "
               "threads take part in a step of the tree must be the same in every block.";
    }
    if (fits([=](Values v, auto) { return behind_tree(std::move(v), half - 1, halved)[0]; })) {
        return "The tree begins with half = " + std::to_string(half - 1) +
               ", so numbers are left out.";
    }
    const auto distances_are = [&](int first, const NextHalf& next) {
        return fits([&](Values v, auto) { return behind_tree(std::move(v), first, next)[0]; });
    };
    if (auto said = wrong_distances(block, distances_are)) return said;
    if (fits([=](Values v, auto) {
            const Values left = behind_tree(std::move(v), half, halved);
            return std::accumulate(left.begin(), left.end(), 0.0);
        })) {
        return "Every thread of a block has added what the tree left in its own place. Only one of "
               "those is the block's sum.";
    }
    if (fits([=](Values v, auto) {
            double sum = 0;
            for (int step = half; step > 0; step = halved(step)) {
                v = behind_tree(std::move(v), step, [](int) { return 0; });
                sum += v[0];
            }
            return sum;
        })) {
        return "The value in the first place was added after every step of the tree, not once "
               "after the last.";
    }
    if (static_cast<int>(a.size()) > block && fits([=](Values v, std::size_t b) {
            return b < v.size() ? behind_tree(std::move(v), half, halved)[b] : 0;
        })) {
        return "Block b has added what the tree left in place b. Where does the tree leave the sum "
               "of a block?";
    }
    return std::nullopt;
}

}  // namespace

std::vector<Mistake> mistakes_of_sums(const Floats& a) {
    return {
        {{sum_where(a, [](int i) { return i % 2 == 0; })},
         "Only every second element is in the sum: the last step of the tree, or of the shuffles, "
         "is missing."},
        {{sum_where(a, [](int i) { return i % kWarp < kWarp / 2; })},
         "Only the lower 16 lanes of each warp are in the sum: the shuffles never reach the upper "
         "ones."},
        {{sum_where(a, [](int i) { return i % kWarp == 0; })},
         "Only lane 0 of each warp is in the sum: the values of the other 31 were not added to "
         "it."},
    };
}

std::optional<std::string> mistakes_within_blocks(const Evidence& e, const Floats& a) {
    const int n = static_cast<int>(a.size());
    std::vector<int> sizes{256, 128, 512, 1024, 64};
    if (e.launches_known) sizes.clear();
    for (const LaunchRecord& launch : e.launches) {
        if (launch.threads_per_block() > kWarp) {
            sizes.push_back(static_cast<int>(launch.threads_per_block()));
        }
    }
    const auto is_sum_where = [&](auto counts) {
        int missing = 0;
        for (int i = 0; i < n; ++i) missing += counts(i) ? 0 : 1;
        // A few missing elements point to the end of the vector, not to every block.
        return missing >= std::max(2, n / 32) &&
               e.got(0) == static_cast<double>(sum_where(a, counts));
    };
    const float all = sum_where(a, [](int) { return true; });
    const auto twice_where = [&](auto counts) {
        const float again = sum_where(a, counts);
        return n >= kWarp && e.got(0) == static_cast<double>(all) + static_cast<double>(again);
    };
    if (twice_where([](int i) { return i % kWarp == 0; })) {
        return "The first value of each warp is in the sum twice: lane 0 adds its own once more. "
               "The sum that it got from the shuffles, or the tree, has it already.";
    }
    const float last_lanes = sum_where(a, [](int i) { return i % kWarp == kWarp - 1; });
    if (n >= 2 * kWarp &&
        e.got(0) == static_cast<double>(kWarp) * static_cast<double>(last_lanes)) {
        return "What was added is what lane 31 of each warp has, 32 times its own value. Which "
               "lane has the sum after __shfl_down_sync?";
    }
    for (const int block : sizes) {
        if (twice_where([=](int i) { return i % block == 0; })) {
            return "The first value of each block is in the sum twice: thread 0 adds its own once "
                   "more.";
        }
        if (twice_where([=](int i) { return i % block < kWarp; })) {
            return "The first warp of each block is in the sum twice: it is part of the block's "
                   "sum, and was added once more.";
        }
        if (twice_where([=](int i) { return i % block >= kWarp; })) {
            return "All warps of a block but the first are in the sum twice: once in the block's "
                   "sum, and once added by themselves.";
        }
        if (is_sum_where([=](int i) { return i % block == 0; })) {
            return "Only the first element of each block is in the sum: the values of the other "
                   "threads were not added to it.";
        }
        if (is_sum_where([=](int i) { return i % block < kWarp; })) {
            return "Only the first warp of each block is in the sum: the sums of the others were "
                   "not collected.";
        }
        if (is_sum_where([=](int i) { return i % block < block / 2; })) {
            return "Only the first half of each block is in the sum: the first distance of the "
                   "tree is too short, or half of the warps' sums were not collected.";
        }
        if (is_sum_where([=](int i) { return i % block < block - kWarp; })) {
            return "The last warp of each block is missing from the sum.";
        }
        if (auto said = mistakes_of_trees(e, a, block)) return said;
        const int blocks = (n + block - 1) / block;
        const float first = sum_where(a, [=](int i) { return i < block; });
        if (blocks > 1 && e.got(0) == static_cast<double>(blocks) * static_cast<double>(first)) {
            return "Every block added the same elements, the first ones: blockIdx is missing from "
                   "the index.";
        }
    }
    return std::nullopt;
}
