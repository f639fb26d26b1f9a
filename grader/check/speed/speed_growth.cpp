// Extrapolates a speed test from its two amounts of data on the virtual GPU to the one on a GPU.
//
// Where both calls made the same launches, each launch's work is extrapolated and modelled anew: a
// count that grows does so in proportion to the data, one that is equal for both stays, and a grid
// that would fill the GPU is modelled as one that does. Grids grow by a power of the data, as with
// a block for each row of an image, or with a grid that has nearly reached its limit. Where the
// calls differ in their launches (a tree of sums has one more for twice the data) the times of the
// larger call are scaled, except those that do not grow with the data.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "check/speed/speed_judges.h"
#include "vgpu/gpu.h"

namespace lab {
namespace {

namespace model = vgpu::model;
using model::extrapolated;
using Launches = std::vector<LaunchRecord>;

// Two calls whose numbers of launches differ by this factor, for twice the data, launch once for
// each piece of a fixed number of elements.
constexpr double kLaunchesGrow = 1.8;

/// The way from the small call to the full one, in steps from the small to the larger.
double steps(const DataGrowth& growth) {
    return (growth.full - growth.small) / (growth.larger - growth.small);
}

constexpr double LaunchRecord::Cost::*kParts[] = {
    &LaunchRecord::Cost::issue,  &LaunchRecord::Cost::l1,      &LaunchRecord::Cost::l2,
    &LaunchRecord::Cost::memory, &LaunchRecord::Cost::atomics, &LaunchRecord::Cost::latency,
    &LaunchRecord::Cost::blocks, &LaunchRecord::Cost::all,
};

/// Grows by a power of the data, of at most 1.
double extrapolated_blocks(double small, double larger, const DataGrowth& growth) {
    const double power = std::log(larger / small) / std::log(growth.larger / growth.small);
    return larger * std::pow(growth.full / growth.larger, std::clamp(power, 0.0, 1.0));
}

LaunchRecord extrapolated(const LaunchRecord& small, const LaunchRecord& larger,
                          const DataGrowth& growth) {
    const double times = steps(growth);
    LaunchRecord result = larger;
    for (std::uint64_t LaunchRecord::*count :
         {&LaunchRecord::merged, &LaunchRecord::warp_instructions,
          &LaunchRecord::thread_instructions, &LaunchRecord::global_load_requests,
          &LaunchRecord::global_load_sectors, &LaunchRecord::global_store_requests,
          &LaunchRecord::global_store_sectors, &LaunchRecord::global_load_bytes,
          &LaunchRecord::global_store_bytes, &LaunchRecord::shared_requests,
          &LaunchRecord::shared_wavefronts, &LaunchRecord::local_sectors,
          &LaunchRecord::divergent_branches, &LaunchRecord::barriers, &LaunchRecord::global_atomics,
          &LaunchRecord::hottest_visits}) {
        result.*count = static_cast<std::uint64_t>(
            std::llround(extrapolated(real(small.*count), real(larger.*count), times)));
    }
    if (small.grid != larger.grid) {
        const double blocks =
            extrapolated_blocks(real(small.blocks()), real(larger.blocks()), growth);
        constexpr double kMostBlocks = std::numeric_limits<std::uint32_t>::max();
        result.grid = {static_cast<std::uint32_t>(std::min(std::round(blocks), kMostBlocks)), 1, 1};
    }
    if (!small.work || !larger.work) {
        for (const auto part : kParts) {
            result.cost_us.*part = extrapolated(small.cost_us.*part, larger.cost_us.*part, times);
        }
        return result;
    }
    result.work = model::extrapolated(*small.work, *larger.work, times);
    result.work->blocks = result.blocks();
    result.cost_us = cost_us_of(*result.work);
    if (larger.blocks() < larger.work->blocks_at_once) {  // more of them fit
        const std::uint64_t warps_a_block = (larger.threads_per_block() + 31) / 32;
        result.resident_warps =
            std::max(larger.resident_warps,
                     warps_a_block * std::min(result.blocks(), larger.work->blocks_at_once));
    }
    return result;
}

bool are_the_same(const Launches& small, const Launches& larger) {
    return std::ranges::equal(small, larger, [](const LaunchRecord& a, const LaunchRecord& b) {
        return a.kernel == b.kernel && a.block == b.block;
    });
}

double bytes_of(const LaunchRecord& launch) {
    return real(launch.global_load_bytes + launch.global_store_bytes);
}

/// `factor` times as long, except launches that set a result or add up one number of each block,
/// which take as long with any data.
Launches scaled(Launches launches, double factor) {
    // Together they move at most this share of the bytes, and none takes longer than this.
    constexpr double kFewBytes = 0.01, kShortUs = 40;
    double all_bytes = 0;
    std::vector<LaunchRecord*> least_first;
    for (LaunchRecord& launch : launches) {
        all_bytes += bytes_of(launch);
        least_first.push_back(&launch);
    }
    std::ranges::stable_sort(least_first, {}, [](const LaunchRecord* l) { return bytes_of(*l); });
    double bytes = 0;
    for (LaunchRecord* launch : least_first) {
        bytes += bytes_of(*launch);
        const bool is_short = launch->cost_us.all <= kShortUs * real(launch->merged);
        if (bytes <= kFewBytes * all_bytes && is_short) continue;
        for (const auto part : kParts) launch->cost_us.*part *= factor;
    }
    return launches;
}

Launches grown(const Launches& small, const Launches& larger, const DataGrowth& growth) {
    if (are_the_same(small, larger)) {
        Launches result;
        for (std::size_t i = 0; i < larger.size(); ++i) {
            result.push_back(extrapolated(small[i], larger[i], growth));
        }
        return result;
    }
    const double factor = growth.full / growth.larger;
    Launches result = scaled(larger, factor);
    if (real(larger.size()) >= kLaunchesGrow * real(small.size())) {
        for (LaunchRecord& launch : result) {
            launch.merged = static_cast<std::uint64_t>(std::llround(factor * real(launch.merged)));
        }
    }
    return result;
}

std::vector<OperationRecord> copies_of(const CountedCall& call) {
    std::vector<OperationRecord> copies;
    std::ranges::copy_if(call.operations, std::back_inserter(copies),
                         std::not_fn(&OperationRecord::is_kernel));
    return copies;
}

/// Their starts are lost: they follow one another.
std::vector<OperationRecord> grown(const std::vector<OperationRecord>& small,
                                   std::vector<OperationRecord> larger, const DataGrowth& growth) {
    const bool are_the_same =
        std::ranges::equal(small, larger, {}, &OperationRecord::engine, &OperationRecord::engine);
    const double factor = growth.full / growth.larger;
    for (std::size_t i = 0; i < larger.size(); ++i) {
        const double now_us = larger[i].duration_us(), start_us = std::min(kCopyStartUs, now_us);
        larger[i].begin_us = 0;
        larger[i].end_us = are_the_same
                               ? extrapolated(small[i].duration_us(), now_us, steps(growth))
                               : start_us + factor * (now_us - start_us);
    }
    return larger;
}

}  // namespace

LaunchRecord::Cost cost_us_of(const model::KernelWork& work) {
    const model::KernelCost cost = model::cost_of(model::h200(), work);
    return {1e6 * cost.issue_s,   1e6 * cost.l1_s,      1e6 * cost.l2_s,     1e6 * cost.memory_s,
            1e6 * cost.atomics_s, 1e6 * cost.latency_s, 1e6 * cost.blocks_s, 1e6 * cost.seconds()};
}

double extrapolated(double small, double larger, const DataGrowth& growth) {
    return extrapolated(small, larger, steps(growth));
}

CountedCall scaled_to_full_data(const CountedCall& call, const DataGrowth& growth) {
    return {scaled(call.launches, growth.full / growth.larger), grown({}, copies_of(call), growth),
            call.allocating_us, call.printed_bytes};
}

CountedCall without_waiting(CountedCall call) {
    for (LaunchRecord& launch : call.launches) {
        LaunchRecord::Cost& cost = launch.cost_us;
        cost.latency = 0;
        cost.all = std::max({cost.issue, cost.l1, cost.l2, cost.memory, cost.atomics, cost.blocks});
    }
    return call;
}

bool has_same_launches(const CountedCall& small, const CountedCall& larger) {
    return are_the_same(small.launches, larger.launches);
}

CountedCall with_full_data(const CountedCall& small, const CountedCall& larger,
                           const DataGrowth& growth) {
    return {joined_where_side_by_side(grown(small.launches, larger.launches, growth),
                                      larger.operations),
            grown(copies_of(small), copies_of(larger), growth),
            extrapolated(small.allocating_us, larger.allocating_us, growth), larger.printed_bytes};
}

}  // namespace lab
