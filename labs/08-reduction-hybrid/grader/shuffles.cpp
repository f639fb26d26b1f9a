// Recognises mistakes in the sums of warps: missing lanes, and shuffles that bring lane 0 wrong
// values.
#include <cmath>
#include <cstdint>

#include "check/mistakes/patterns.h"
#include "mistakes.h"

using namespace lab;

namespace {

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

/// The value of lane 0 when all lanes read from lanes 16, 8, 4, 2 and 1.
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

/// The value of lane 0 when each lane adds the value of the lane `distance` above it, or its own
/// where there is none.
Floats behind_shuffles(const Floats& a, const std::vector<std::size_t>& distances) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        std::vector<double> lanes(kWarp, 0);
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            lanes[lane] = a[w * kWarp + lane];
        }
        for (const std::size_t distance : distances) {
            const std::vector<double> before = lanes;
            for (std::size_t lane = 0; lane < kWarp; ++lane) {
                lanes[lane] += before[lane + distance < kWarp ? lane + distance : lane];
            }
        }
        sums[w] = static_cast<float>(lanes[0]);
    }
    return sums;
}

/// __shfl_down_sync(mask, distance, value): every lane gets the distance, the same in all lanes.
Floats first_lanes_and_distances(const Floats& a) {
    Floats sums = warp_sums(a, [](auto lane) { return lane == 0; });
    for (float& sum : sums) sum += kWarp - 1;
    return sums;
}

}  // namespace

Floats all_lanes(const Floats& a) {
    return warp_sums(a, [](auto) { return true; });
}

std::vector<Mistake> mistakes_of_warps(const Floats& a) {
    const auto first_lane = [](auto lane) { return lane == 0; };
    const auto lower_half = [](auto lane) { return lane < kWarp / 2; };
    const char* const same_distance = "The distance is the same in all steps.";
    return {
        {warp_sums(a, first_lane),
         "Each sum is the value of lane 0 alone: nothing was added to it."},
        {warp_sums(a, [](auto lane) { return lane % 2 == 0; }),
         "Only every second lane is in the sum: the last shuffle is missing, between neighbours."},
        {warp_sums(a, lower_half),
         "Only the lower 16 lanes are in the sum: the shuffles never reach the upper ones."},
        {scaled(warp_sums(a, first_lane), kWarp),
         "Each sum is 32 times the value of lane 0. __shfl_up_sync brings values from lower lanes, "
         "and lane 0 has none."},
        {warp_sums(a, [](auto lane) { return lane == kWarp - 1; }),
         "Each sum is the value of lane 31 alone: each value replaced the one before."},
        {lane_0_twice(a),
         "Each sum has the value of lane 0 twice: the shuffles give lane 0 a sum that already has "
         "its own value."},
        {scaled(all_lanes(a), 2),
         "Each sum is twice too large. The first distance is a whole warp, and a lane that reads "
         "past the last one gets its own value."},
        {scaled(warp_sums(a, lower_half), 2),
         "Each sum has the lower 16 lanes twice, and the others never: the shuffles reach only "
         "half of the warp."},
        {first_lanes_and_distances(a),
         "Each sum is the value of lane 0 and 31, which is the sum of all distances: the distances "
         "were shuffled and added, not the values."},
        {behind_shuffles(a, {1, 1, 1, 1, 1}), same_distance},
        {behind_shuffles(a, {16, 16, 16, 16, 16}), same_distance},
        {scaled(warp_sums(a, [](auto lane) { return lane < 2; }), 16), same_distance},
        {behind_shuffles(a, {16, 4, 1}),
         "The distance becomes a quarter from step to step, so every second step is missing."},
        {by_numbers_of_lanes(a),
         "__shfl_sync reads from one lane, the same for all, not from the lane at a distance."},
    };
}

std::optional<std::string> stored_by_lane_31(const Evidence& e, const Floats& a) {
    for (std::size_t w = 0; w < e.size(); ++w) {
        const std::size_t last = w * kWarp + kWarp - 1;
        const bool fits = last < a.size() && e.got(w) == static_cast<double>(kWarp * a[last]);
        if (last < a.size() ? !fits : !e.untouched[w] && e.got(w) != 0) return std::nullopt;
    }
    return "Each sum is 32 times the value of lane 31. Which lane has the sum after "
           "__shfl_down_sync?";
}

std::optional<std::string> garbage_from_absent_lanes(const Evidence& e, const Floats& a) {
    const std::size_t last = e.size() - 1, lanes = a.size() % kWarp;
    if (lanes == 0 || e.right[last] || e.untouched[last] || !others_are_right(e, last)) {
        return std::nullopt;
    }
    // No sum of the whole numbers that were given is as large, whichever are left out or doubled.
    constexpr double kBeyond = 1 << 26;
    if (std::abs(e.got(last)) < kBeyond) return std::nullopt;
    return "The last sum is of " + std::to_string(lanes) + (lanes == 1 ? " element" : " elements") +
           ", and has garbage in it: a shuffle reads from a lane that has left, or is not in the "
           "mask, and what it gets from there is undefined.";
}

std::optional<std::string> too_few_warps(const Evidence& e) {
    if (e.launches.size() != 1) return std::nullopt;
    const LaunchRecord& launch = e.launches.front();
    const std::uint64_t warps = launch.blocks() * launch.threads_per_block() / kWarp;
    if (warps == 0 || warps >= e.size()) return std::nullopt;
    if (!right_only_up_to(e, warps)) return std::nullopt;
    return std::to_string(launch.blocks()) + " blocks of " +
           std::to_string(launch.threads_per_block()) + " threads are " + std::to_string(warps) +
           " warps for " + std::to_string(e.size()) + " sums, so the last sums have no warp.";
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
