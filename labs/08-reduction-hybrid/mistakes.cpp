#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace lab;

namespace {

/// The sum of the elements that a wrong program gets to see.
template <class Counts>
float sum_where(const Floats& a, Counts counts) {
    double sum = 0;
    for (int i = 0; i < static_cast<int>(a.size()); ++i) {
        if (counts(i)) sum += a[static_cast<std::size_t>(i)];
    }
    return static_cast<float>(sum);
}

/// One sum for each 32 elements, of those lanes that count.
template <class Counts>
Floats warp_sums(const Floats& a, Counts counts) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        double sum = 0;
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            if (counts(lane)) sum += a[w * kWarp + lane];
        }
        sums[w] = static_cast<float>(sum);
    }
    return sums;
}

Floats scaled(Floats values, float factor) {
    for (float& value : values) value *= factor;
    return values;
}

Floats lane_0_twice(const Floats& a) {
    Floats sums = all_lanes(a);
    for (std::size_t w = 0; w < sums.size(); ++w) sums[w] += a[w * kWarp];
    return sums;
}

/// What becomes of lane 0 when lanes read from lane 16, 8, 4, 2 and 1.
Floats by_numbers_of_lanes(const Floats& a) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        std::vector<double> lanes(kWarp, 0);
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            lanes[lane] = a[w * kWarp + lane];
        }
        for (std::size_t from = kWarp / 2; from > 0; from /= 2) {
            const double value = lanes[from];
            for (double& lane : lanes) lane += value;
        }
        sums[w] = static_cast<float>(lanes[0]);
    }
    return sums;
}

}  // namespace

std::vector<Mistake> mistakes_of_sums(const Floats& a) {
    return {
        {{sum_where(a, [](int i) { return i % 2 == 0; })},
         "Only every second element is in the sum: the last step of the tree, or of the shuffles, "
         "is missing. The distance must go down to 1."},
        {{sum_where(a, [](int i) { return i % kWarp < kWarp / 2; })},
         "Only the lower 16 lanes of each warp are in the sum: the shuffles must begin with a "
         "distance of 16."},
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
        // A few that are missing are a matter of the end, not of every block.
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
               "What the shuffles, or the tree, gave it has that already.";
    }
    for (const int block : sizes) {
        if (twice_where([=](int i) { return i % block == 0; })) {
            return "The first value of each block is in the sum twice: thread 0 adds its own once "
                   "more. The block's sum has that already.";
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
                   "threads were not added to it, or their index is wrong.";
        }
        if (is_sum_where([=](int i) { return i % block < kWarp; })) {
            return "Only the first warp of each block is in the sum: the sums of the others must "
                   "be collected through shared memory.";
        }
        if (is_sum_where([=](int i) { return i % block < block / 2; })) {
            return "Only the first half of each block is in the sum: the tree must begin with a "
                   "distance of half a block.";
        }
        if (is_sum_where([=](int i) { return i % block < block - kWarp; })) {
            return "The last warp of each block is missing from the sum.";
        }
        const int blocks = (n + block - 1) / block;
        const float first = sum_where(a, [=](int i) { return i < block; });
        if (blocks > 1 && e.got(0) == static_cast<double>(blocks) * static_cast<double>(first)) {
            return "Every block added the same elements, the first ones: blockIdx is missing from "
                   "the index.";
        }
    }
    return std::nullopt;
}

Floats all_lanes(const Floats& a) {
    return warp_sums(a, [](auto) { return true; });
}

std::vector<Mistake> mistakes_of_warps(const Floats& a) {
    const auto first_lane = [](auto lane) { return lane == 0; };
    const auto lower_half = [](auto lane) { return lane < kWarp / 2; };
    return {
        {warp_sums(a, first_lane),
         "Each sum is the value of lane 0 alone: nothing was added to it."},
        {warp_sums(a, [](auto lane) { return lane % 2 == 0; }),
         "Only every second lane is in the sum: the shuffles must go down to a distance of 1."},
        {warp_sums(a, lower_half),
         "Only the lower 16 lanes are in the sum: the shuffles must begin with a distance of 16."},
        {scaled(warp_sums(a, first_lane), kWarp),
         "Each sum is 32 times the value of lane 0. __shfl_up_sync brings values from lower lanes, "
         "and lane 0 has none: use __shfl_down_sync."},
        {warp_sums(a, [](auto lane) { return lane == kWarp - 1; }),
         "Each sum is the value of lane 31 alone: = stands where += is needed."},
        {lane_0_twice(a),
         "Each sum has the value of lane 0 twice: the shuffles give lane 0 a sum that has its own "
         "value already."},
        {scaled(all_lanes(a), 2),
         "Each sum is twice too large: a lane that is asked for beyond the last one is the lane "
         "itself. The distances begin with 16, half a warp."},
        {scaled(warp_sums(a, lower_half), 2),
         "Each sum has the lower 16 lanes twice, and the others never: the shuffles must reach all "
         "32 lanes, with a width of 32."},
        {by_numbers_of_lanes(a),
         "__shfl_sync takes the number of a lane, the same for all. To read from the lane so many "
         "places further on takes __shfl_down_sync."},
    };
}

std::optional<std::string> stored_by_lane_31(const Evidence& e, const Floats& a) {
    for (std::size_t w = 0; w < e.size(); ++w) {
        const std::size_t last = w * kWarp + kWarp - 1;
        const bool fits = last < a.size() && e.got(w) == static_cast<double>(kWarp * a[last]);
        if (last < a.size() ? !fits : !e.untouched[w]) return std::nullopt;
    }
    return "Each sum is 32 times the value of lane 31. With __shfl_down_sync it is lane 0 that has "
           "the sum, so lane 0 must store.";
}

std::optional<std::string> too_few_warps(const Evidence& e) {
    if (e.launches.size() != 1) return std::nullopt;
    const LaunchRecord& launch = e.launches.front();
    const std::uint64_t warps = launch.blocks() * launch.threads_per_block() / kWarp;
    if (warps == 0 || warps >= e.size()) return std::nullopt;
    for (std::size_t w = 0; w < e.size(); ++w) {
        if (w < warps ? !e.right[w] : !e.untouched[w]) return std::nullopt;
    }
    return std::to_string(launch.blocks()) + " blocks of " +
           std::to_string(launch.threads_per_block()) + " threads are " + std::to_string(warps) +
           " warps for " + std::to_string(e.size()) +
           " sums, and the last sums were not written. Round the number of blocks up.";
}

Floats shuffled_as_ints(const Floats& a) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        std::vector<float> lanes(2 * kWarp, 0);
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            lanes[lane] = a[w * kWarp + lane];
        }
        for (std::size_t distance = kWarp / 2; distance > 0; distance /= 2) {
            for (std::size_t lane = 0; lane < kWarp - distance; ++lane) {
                lanes[lane] += std::trunc(lanes[lane + distance]);
            }
        }
        sums[w] = lanes[0];
    }
    return sums;
}
