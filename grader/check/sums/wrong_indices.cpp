// Indices and conditions that do not fit the launch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "check/sums/hypotheses.h"

namespace lab::sums {
namespace {

/// What the grid adds up where thread t of block b takes value `index(b, t)`, if there is one.
template <class Index>
double sum_by(const Terms& terms, const LaunchRecord& launch, const Index& index) {
    double sum = 0;
    for (std::uint64_t b = 0; b < launch.blocks(); ++b) {
        for (std::uint64_t t = 0; t < launch.threads_per_block(); ++t) {
            const std::uint64_t i = index(b, t);
            if (i < terms.values.size()) sum += terms.values[i];
        }
    }
    return sum;
}

Hypothesis last_of_each_thread(const Terms& terms, std::uint64_t threads) {
    return {Kind::index, terms.sum(terms.values.size() - threads, terms.values.size()),
            "Only the last value of each thread is in the result: each value replaces the one "
            "before."};
}

void too_few_threads(const Terms& terms, const LaunchRecord& launch, Hypotheses& all) {
    const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
    if (threads < 2) return;
    const bool one = launch.blocks() == 1;
    for (const auto& [each, word] :
         {std::pair{1u, "one"}, std::pair{2u, "two"}, std::pair{4u, "four"}}) {
        if (each * threads >= terms.values.size()) break;
        all.push_back({one ? Kind::first_block : Kind::tail, terms.sum(0, each * threads),
                       fmt::format("{} block{} of {} threads {} {} threads for {} values, and "
                                   "each adds {}: the others were not added.",
                                   launch.blocks(), one ? "" : "s", launch.threads_per_block(),
                                   one ? "is" : "are", threads, terms.values.size(), word)});
    }
    if (one && threads < terms.values.size()) all.push_back(last_of_each_thread(terms, threads));
}

/// An index without threadIdx or without blockIdx, and no loop.
void half_an_index(const Terms& terms, const LaunchRecord& launch, Hypotheses& all) {
    const std::uint64_t blocks = launch.blocks(), threads = launch.threads_per_block();
    if (blocks < 2 || threads < 2) return;
    const std::uint64_t n = terms.values.size();
    all.push_back({Kind::index, static_cast<double>(blocks) * terms.sum(0, std::min(threads, n)),
                   fmt::format("Every block added the same values, the first {}: blockIdx is "
                               "missing from the index.",
                               std::min(threads, n))});
    // The last block has fewer values, where threads without one add nothing.
    if (blocks * threads > n && (blocks - 1) * threads < n && threads <= n) {
        all.push_back({Kind::index,
                       static_cast<double>(blocks - 1) * terms.sum(0, threads) +
                           terms.sum(0, n - (blocks - 1) * threads),
                       fmt::format("Every block added the same values, the first {}: blockIdx "
                                   "is missing from the index.",
                                   threads)});
    }
    all.push_back({Kind::index, static_cast<double>(threads) * terms.sum(0, std::min(blocks, n)),
                   "Every thread of a block added the same value: threadIdx is missing from "
                   "the index."});
    double to_the_end = 0, by_grid = 0;
    for (std::uint64_t b = 0; b < blocks && b * threads < n; ++b) {
        to_the_end += terms.sum(b * threads, n);
    }
    for (std::uint64_t b = 0; b < blocks && b * blocks < n; ++b) {
        by_grid += terms.sum(b * blocks, std::min(n, b * blocks + threads));
    }
    // Of two blocks the second may have but one value, which others add twice, too.
    if (n >= 2 * threads)
        all.push_back({Kind::index, to_the_end,
                       "Each block added all values from its first one to the end. In the "
                       "loop, a thread must jump over the values of all the other threads."});
    // Thread t of all begins with value t, and takes every one that is `blocks` further on.
    double in_steps_of_blocks = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const std::uint64_t last = std::min(i, blocks * threads - 1);
        if (last < i % blocks) continue;
        in_steps_of_blocks +=
            static_cast<double>((last - i % blocks) / blocks + 1) * terms.values[i];
    }
    all.push_back({Kind::steps, in_steps_of_blocks,
                   "In the loop, a thread jumps over gridDim.x values, so several threads add "
                   "the same ones. How many threads does the grid have?"});
    all.push_back({Kind::index, by_grid,
                   "Blocks begin gridDim.x values apart, but that is not the number of threads "
                   "in a block."});
    if (blocks * threads < n) {
        all.push_back(last_of_each_thread(terms, blocks * threads));
    }
    all.push_back({Kind::first_of_each,
                   terms.sum_where([=](std::uint64_t i) { return i % threads == 0; }),
                   "Only the first value of each block is in the result: what its other "
                   "threads have was not added."});
}

/// blockIdx where threadIdx is meant, or without the factor blockDim.
void other_index(const Terms& terms, const LaunchRecord& launch, Hypotheses& all) {
    const std::uint64_t blocks = launch.blocks(), threads = launch.threads_per_block();
    constexpr std::uint64_t kMostThreads = 1 << 22;
    if (blocks < 2 || threads < 2 || blocks * threads > kMostThreads) return;
    all.push_back(
        {Kind::index,
         sum_by(terms, launch, [=](std::uint64_t b, std::uint64_t t) { return t * threads + b; }),
         "In the index, threadIdx and blockIdx are swapped."});
    all.push_back({Kind::index,
                   sum_by(terms, launch, [](std::uint64_t b, std::uint64_t t) { return b + t; }),
                   "Blocks begin one value apart, so several threads add the same ones. How "
                   "many values does a block have?"});
    if (blocks == threads) return;
    all.push_back({Kind::multiple,
                   static_cast<double>(threads) *
                       terms.sum(0, std::min<std::uint64_t>(threads, terms.values.size())),
                   "Every thread of block 0 added that block's part, and no other block its "
                   "own: the condition names a block, not a thread."});
}

using Lanes = std::array<double, kWarpLanes>;

/// What all lanes together hold behind a tree of __shfl_down_sync, where only lane 0 has what
/// is meant: a lane that has none so far above it gets its own value back.
double all_lanes(Lanes lanes) {
    for (std::size_t distance = kWarpLanes / 2; distance > 0; distance /= 2) {
        const Lanes before = lanes;
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
            lanes[lane] += before[lane + distance < kWarpLanes ? lane + distance : lane];
        }
    }
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

/// Shuffles, and then no lane was chosen: in each warp, or in the first warp of each block,
/// which has the sums of the others.
void every_lane(const Terms& terms, const LaunchRecord& launch, Hypotheses& all) {
    const std::uint64_t threads = launch.threads_per_block(), grid = launch.blocks() * threads;
    if (threads % kWarpLanes != 0 || threads > kWarpLanes * kWarpLanes) return;
    const std::uint64_t n = terms.values.size();
    double warps = 0, first_warps = 0;
    for (std::uint64_t block = 0; block < grid && block < n; block += threads) {
        Lanes sums{};
        for (std::uint64_t warp = 0; warp < threads / kWarpLanes; ++warp) {
            Lanes lanes{};
            for (std::uint64_t lane = 0; lane < kWarpLanes; ++lane) {
                for (std::uint64_t i = block + warp * kWarpLanes + lane; i < n; i += grid)
                    lanes[lane] += terms.values[i];
            }
            warps += all_lanes(lanes);
            sums[warp] = std::accumulate(lanes.begin(), lanes.end(), 0.0);
        }
        first_warps += all_lanes(sums);
    }
    const std::string sentence =
        "Every lane of a warp has added what it had. After __shfl_down_sync only lane 0 has "
        "the sum.";
    all.push_back({Kind::lanes, warps, sentence});
    all.push_back({Kind::lanes, first_warps, sentence});
}

/// A loop over what vectors leave over, in every thread.
void tail_by_all(const Terms& terms, const LaunchRecord& launch, double expected, Hypotheses& all) {
    const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
    for (const std::size_t width : {4u, 2u}) {
        const std::size_t n = terms.values.size(), rest = n % width;
        if (rest == 0 || threads < 2) continue;
        all.push_back(
            {Kind::multiple, expected + static_cast<double>(threads - 1) * terms.sum(n - rest, n),
             fmt::format("{}, which vectors of {} leave over, {} added by every one of the {} "
                         "threads: each value must be added once.",
                         rest == 1 ? "The last value" : fmt::format("The last {} values", rest),
                         width, rest == 1 ? "was" : "were", threads)});
    }
}

void part_of_each_block(const Terms& terms, const LaunchRecord& launch, Hypotheses& all) {
    const std::uint64_t threads = launch.threads_per_block();
    const auto of_first = [&](std::uint64_t count) {
        return terms.sum_where([=](std::uint64_t i) { return i % threads < count; });
    };
    if (threads > kWarpLanes) {
        all.push_back({Kind::tree, of_first(kWarpLanes),
                       "Of each block only what its first warp has is in the sum: the other "
                       "warps were not added."});
    }
    if (threads > 2 * kWarpLanes) {
        all.push_back({Kind::tree, of_first(threads / 2),
                       "Of each block only what the first half of its threads has is in the "
                       "sum: if a tree adds up, its first round is missing."});
    }
}

/// One block adds up what the others have left, an element a thread.
void first_blocks_only(const Evidence& e, const Terms& terms, const LaunchRecord& launch,
                       Hypotheses& all) {
    const LaunchRecord& last = e.launches.back();
    const std::uint64_t added = last.threads_per_block(), threads = launch.threads_per_block();
    if (&last == &launch || last.blocks() != 1 || added >= launch.blocks()) return;
    const double sum =
        terms.sum_where([&](std::uint64_t i) { return i / threads % launch.blocks() < added; });
    all.push_back({Kind::first_block, sum,
                   fmt::format("Of {} blocks' results only the first {} are in the sum: that "
                               "many threads has the last launch, and each adds one.",
                               launch.blocks(), added)});
}

}  // namespace

void wrong_indices(const Evidence& e, const Terms& terms, const LaunchRecord& launch,
                   double expected, Hypotheses& all) {
    too_few_threads(terms, launch, all);
    half_an_index(terms, launch, all);
    other_index(terms, launch, all);
    every_lane(terms, launch, all);
    tail_by_all(terms, launch, expected, all);
    part_of_each_block(terms, launch, all);
    first_blocks_only(e, terms, launch, all);
}

}  // namespace lab::sums
