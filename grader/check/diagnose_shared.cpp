#include "check/diagnose_shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "check/diagnose_finding.h"

namespace lab {
namespace {

using nlohmann::json;

/// t, if a block of t * t threads in a single row uses memory for whole squares of t x t elements.
std::uint64_t side_of_flat_square(const LaunchRecord& launch, std::uint64_t elements) {
    if (launch.block[1] * launch.block[2] != 1) return 0;
    for (std::uint64_t side = 2; side * side <= launch.block[0]; ++side) {
        if (side * side == launch.block[0] && elements % (side * side) == 0) return side;
    }
    return 0;
}

/// Of an array whose length is what the launch asked for. Whether that is too little, or an index
/// too large, is not known.
std::string outside_dynamic(const std::string& array, const LaunchRecord& launch,
                            std::uint64_t each) {
    const std::uint64_t bytes = launch.dynamic_shared_bytes, threads = launch.threads_per_block();
    if (bytes == 0) {
        return fmt::format(
            "{} is dynamic shared memory, and the launch asked for none: its third argument, "
            "<<<blocks, threads, bytes>>>, says how many bytes there are.",
            array);
    }
    return fmt::format(
        "{} is dynamic shared memory. The third argument of the launch says how much there is: {} "
        "bytes, room for {} elements of {} bytes, for a block of {} threads. It counts bytes, and "
        "all "
        "arrays that share it must have room. If that is so, an index is too large.",
        array, bytes, bytes / each, each, threads);
}

}  // namespace

std::string outside_shared(const json& finding, const Outcome& outcome) {
    const json nearest = member_of(finding, "nearest", json::object());
    const auto distance = member_of<std::int64_t>(nearest, "distance_bytes", -1);
    const auto size = member_of<std::uint64_t>(nearest, "size_bytes", 0),
               each = member_of<std::uint64_t>(finding, "bytes", 0);
    const auto thread = member_of(finding, "thread", std::vector<std::uint64_t>());
    const auto stopped = std::ranges::find_if(
        outcome.records.launches, [](const LaunchRecord& l) { return l.outcome != "ok"; });
    if (distance < 0 || each == 0 || thread.size() != 3 ||
        stopped == outcome.records.launches.end()) {
        return "";
    }
    const std::uint64_t elements = size / each;
    const std::uint64_t side = elements == 0 ? 0 : side_of_flat_square(*stopped, elements);
    if (side != 0 && thread[0] >= side) {
        return fmt::format(
            "A block has {} x 1 threads: threadIdx.x goes up to {}, and threadIdx.y is 0 in all of "
            "them. A square of threads is dim3({}, {}).",
            stopped->block[0], stopped->block[0] - 1, side, side);
    }
    const auto array = member_of<std::string>(nearest, "name", "");
    if (size == stopped->dynamic_shared_bytes && array != "shared memory") {  // it has a name
        return outside_dynamic(array, *stopped, each);
    }
    return "";
}

}  // namespace lab
