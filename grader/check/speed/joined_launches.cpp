// Models launches that overlap. The model takes each launch alone, but two that each fill half of
// the GPU, in two streams, take as long as one of them. The hardware runs launches that fit
// together as one launch of all their blocks, and so does the model.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "check/speed/speed_judges.h"

namespace lab {
namespace {

/// At least this share of the shorter one runs at the same time as the other (chosen).
constexpr double kMostOfIt = 0.5;

/// The operations of the launches, in their order; fewer where they are not known.
std::vector<OperationRecord> kernels_of(const std::vector<LaunchRecord>& launches,
                                        const std::vector<OperationRecord>& operations) {
    std::vector<OperationRecord> kernels;
    std::ranges::copy_if(operations, std::back_inserter(kernels), &OperationRecord::is_kernel);
    // A merged record does not say when each of its launches ran.
    const bool is_one_each = kernels.size() == launches.size() &&
                             std::ranges::all_of(launches, [](const LaunchRecord& launch) {
                                 return launch.merged == 1 && launch.work;
                             });
    if (!is_one_each) kernels.clear();
    return kernels;
}

bool run_side_by_side(const OperationRecord& a, const OperationRecord& b) {
    const double both_us = std::min(a.end_us, b.end_us) - std::max(a.begin_us, b.begin_us);
    return a.device_stream != b.device_stream &&
           both_us > kMostOfIt * std::min(a.duration_us(), b.duration_us());
}

double share_of_gpu(const LaunchRecord& launch) {
    const double at_once = real(launch.work->blocks_at_once);
    return at_once > 0 ? real(launch.blocks()) / at_once : 1;
}

LaunchRecord::Hot more(const LaunchRecord::Hot& a, const LaunchRecord::Hot& b) {
    return a.count >= b.count ? a : b;
}

void join(LaunchRecord& to, const LaunchRecord& other) {
    for (std::uint64_t LaunchRecord::*count :
         {&LaunchRecord::resident_warps, &LaunchRecord::merged, &LaunchRecord::warp_instructions,
          &LaunchRecord::thread_instructions, &LaunchRecord::global_load_requests,
          &LaunchRecord::global_load_sectors, &LaunchRecord::global_store_requests,
          &LaunchRecord::global_store_sectors, &LaunchRecord::global_load_bytes,
          &LaunchRecord::global_store_bytes, &LaunchRecord::shared_requests,
          &LaunchRecord::shared_wavefronts, &LaunchRecord::local_sectors,
          &LaunchRecord::divergent_branches, &LaunchRecord::barriers,
          &LaunchRecord::global_atomics}) {
        to.*count += other.*count;
    }
    to.hottest_visits = std::max(to.hottest_visits, other.hottest_visits);
    for (LaunchRecord::Hot LaunchRecord::*line :
         {&LaunchRecord::most_instructions, &LaunchRecord::most_sectors,
          &LaunchRecord::most_wavefronts, &LaunchRecord::most_local}) {
        to.*line = more(to.*line, other.*line);
    }
    to.grid = {static_cast<std::uint32_t>(to.blocks() + other.blocks()), 1, 1};
    to.work = side_by_side(*to.work, *other.work);
    to.cost_us = cost_us_of(*to.work);
}

}  // namespace

std::vector<LaunchRecord> joined_where_side_by_side(
    std::vector<LaunchRecord> launches, const std::vector<OperationRecord>& operations) {
    const auto kernels = kernels_of(launches, operations);
    std::vector<LaunchRecord> joined;
    std::vector<std::size_t> of_first;  // the operation of each in `joined`
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const auto has_room_beside = [&](std::size_t at) {
            return run_side_by_side(kernels[of_first[at]], kernels[i]) &&
                   launches[i].threads_per_block() == joined[at].threads_per_block() &&
                   share_of_gpu(launches[i]) + share_of_gpu(joined[at]) <= 1;
        };
        std::size_t at = 0;
        while (!kernels.empty() && at < joined.size() && !has_room_beside(at)) ++at;
        if (!kernels.empty() && at < joined.size()) {
            join(joined[at], launches[i]);
        } else {
            joined.push_back(std::move(launches[i]));
            of_first.push_back(i);
        }
    }
    return joined;
}

}  // namespace lab
