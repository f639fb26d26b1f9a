#include "check/causes/shared_memory_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/causes/finding_cause.h"

namespace lab {
namespace {

/// t, if a block of t * t threads in a single row uses memory for whole squares of t x t elements.
std::uint64_t side_of_flat_square(const LaunchRecord& launch, std::uint64_t elements) {
    if (launch.block[1] * launch.block[2] != 1) return 0;
    for (std::uint64_t side = 2; side * side <= launch.block[0]; ++side) {
        if (side * side == launch.block[0] && elements % (side * side) == 0) return side;
    }
    return 0;
}

/// Elsewhere nobody thinks of squares of threads: in a tree half of the block goes too far as well.
bool has_matrix(const CallPlan& plan) {
    return std::ranges::any_of(plan.arguments, [](const PlannedArgument& argument) {
        const char* const extent = argument.parameter.extent;
        return extent != nullptr && std::string_view(extent).find('*') != std::string_view::npos;
    });
}

/// What a thread has accessed past the end of an array in shared memory.
struct Past {
    std::string name;
    std::uint64_t offset = 0;  ///< of the array in the block's shared memory
    std::uint64_t size_bytes = 0, element_bytes = 0;
    std::uint64_t element = 0;  ///< that does not exist
    std::uint64_t block = 0, thread = 0;
};

/// An array that is declared without a length, and has what the launch gives it. Whether that is
/// too little, or an index too large, is not known.
std::string outside_dynamic(const Past& at, const LaunchRecord& launch) {
    if (launch.dynamic_shared_bytes == 0) {
        return fmt::format(
            "{} is declared extern __shared__, without a length, and the launch gives it no "
            "memory: its third argument is missing.",
            at.name);
    }
    if (launch.block[1] * launch.block[2] != 1) {
        return fmt::format(
            "{} is dynamic shared memory. The launch gives it {} bytes in its third argument, room "
            "for {} elements of {} bytes, for a block of {} threads. Is there room for all arrays "
            "that share it?",
            at.name, at.size_bytes, at.size_bytes / at.element_bytes, at.element_bytes,
            launch.threads_per_block());
    }
    return fmt::format(
        "The launch gives {} {} bytes in its third argument, room for {} elements of {} bytes, but "
        "thread {} goes to element {}.{}",
        at.name, at.size_bytes, at.size_bytes / at.element_bytes, at.element_bytes, at.thread,
        at.element,
        at.element < at.size_bytes ? " The third argument counts bytes, not elements." : "");
}

std::string outside_vector(const Past& at, const LaunchRecord& launch) {
    const std::uint64_t threads = launch.block[0];
    if (at.block > 0 && at.element == at.block * threads + at.thread) {
        return fmt::format(
            "The thread goes to element {0} of {1}, which is its index in the grid. Each block has "
            "a {1} of its own, and there the thread's number is {2}.",
            at.element, at.name, at.thread);
    }
    // One that stands behind another may have been meant by an index of that one.
    if (at.offset != 0) return "";
    const std::uint64_t elements = at.size_bytes / at.element_bytes;
    const std::string who = fmt::format(
        "Thread {} of its block goes to element {} of {}, which has "
        "{}: ",
        at.thread, at.element, at.name, elements);
    if (at.element == at.thread && threads > elements) {
        return who + fmt::format("a block has {} threads, and not each of them a place.", threads);
    }
    return who + "does this thread take part where it should not?";
}

}  // namespace

std::string outside_shared(const CallPlan& plan, const vgpu::Finding& finding,
                           const Outcome& outcome) {
    const auto stopped = std::ranges::find_if(
        outcome.records.launches, [](const LaunchRecord& l) { return l.outcome != "ok"; });
    // The window of shared memory begins at a large power of two.
    constexpr std::uint64_t kOffset = (1ULL << 32) - 1;
    if (!finding.nearest || finding.nearest->distance_bytes < 0 || finding.access_bytes == 0 ||
        stopped == outcome.records.launches.end()) {
        return "";
    }
    const auto& [allocation, distance] = *finding.nearest;
    Past at{.name = allocation.name,
            .offset = allocation.base & kOffset,
            .size_bytes = allocation.size_bytes,
            .element_bytes = finding.access_bytes};
    const LaunchRecord& launch = *stopped;
    at.element = (at.size_bytes + static_cast<std::uint64_t>(distance)) / at.element_bytes;
    at.block = finding.block.x;
    at.thread = finding.thread.x;
    const std::uint64_t elements = at.size_bytes / at.element_bytes,
                        side = elements == 0 ? 0 : side_of_flat_square(launch, elements);
    if (has_matrix(plan) && side != 0 && at.thread >= side) {
        return fmt::format(
            "A block has {} x 1 threads: threadIdx.x goes up to {}, and threadIdx.y is 0 in all of "
            "them. A square of threads is dim3({}, {}).",
            launch.block[0], launch.block[0] - 1, side, side);
    }
    // No array has no elements unless it is declared without a length. A static array as long as
    // the dynamic one would be told to be that.
    const bool has_name = at.name != "shared memory";
    if (has_name && (at.size_bytes == 0 || at.size_bytes == launch.dynamic_shared_bytes)) {
        return outside_dynamic(at, launch);
    }
    const bool is_flat = launch.grid[1] * launch.grid[2] * launch.block[1] * launch.block[2] == 1;
    return is_flat ? outside_vector(at, launch) : "";
}

}  // namespace lab
