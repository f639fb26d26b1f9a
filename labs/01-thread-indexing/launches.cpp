#include "launches.h"

#include <algorithm>
#include <cstdint>
#include <string>

using namespace lab;

namespace {

/// Thrust and CUB choose their launch for themselves: unusual, and no mistake.
bool is_of_a_library(const LaunchRecord& launch) {
    return launch.kernel.find("cub::") != std::string::npos;
}

std::uint64_t threads_of(const std::vector<LaunchRecord>& launches) {
    std::uint64_t threads = 0;
    for (const LaunchRecord& launch : launches) {
        threads += launch.blocks() * launch.threads_per_block();
    }
    return threads;
}

std::uint64_t stored_bytes(const std::vector<LaunchRecord>& launches) {
    std::uint64_t bytes = 0;
    for (const LaunchRecord& launch : launches) bytes += launch.global_store_bytes;
    return bytes;
}

}  // namespace

void check_own_threads(const std::vector<LaunchRecord>& launches, int elements,
                       std::size_t element_bytes, const char* what) {
    INFO("no kernel was launched: each " << what << " must be written by the thread it belongs to");
    REQUIRE_FALSE(launches.empty());
    const std::uint64_t stored = stored_bytes(launches) / element_bytes;
    INFO(
        "the threads stored " << stored << " " << what << "s for " << elements
                              << " elements: each must store its own and no other. A loop over "
                                 "all elements in the kernel has every thread do the work of all.");
    CHECK(stored <= 2 * static_cast<std::uint64_t>(elements));
}

void check_block_size(const std::vector<LaunchRecord>& launches, int threads_per_block) {
    const auto fits = [=](const LaunchRecord& launch) {
        return launch.threads_per_block() == static_cast<std::uint64_t>(threads_per_block) ||
               is_of_a_library(launch);
    };
    INFO("no kernel was launched with blocks of threads_per_block = "
         << threads_per_block << " threads (there were " << threads_of(launches)
         << " threads in all): how long a block is, is the caller's choice. Of the two numbers at "
            "a launch, the blocks come first.");
    CHECK(std::ranges::any_of(launches, fits));
}

void check_no_block_too_many(const std::vector<LaunchRecord>& launches, int elements,
                             int threads_per_block) {
    const auto n = static_cast<std::uint64_t>(elements),
               threads = static_cast<std::uint64_t>(threads_per_block);
    // A grid of another shape, or of a size that does not depend on n, is unusual and no slip.
    const auto has_one_more = [=](const LaunchRecord& launch) {
        return n % threads == 0 && launch.grid[0] == n / threads + 1 &&
               launch.blocks() == launch.grid[0] && launch.block[0] == threads &&
               launch.threads_per_block() == threads;
    };
    INFO("a kernel was launched with "
         << n / threads + 1 << " blocks of " << threads << " threads for " << n << " elements, and "
         << n / threads
         << " are just enough: n / threads_per_block + 1 is one too many where n is a multiple. "
            "Rounded up it is (n + threads_per_block - 1) / threads_per_block.");
    CHECK_FALSE(std::ranges::any_of(launches, has_one_more));
}

void check_grid(const std::vector<LaunchRecord>& launches, int blocks, int threads_per_block) {
    const auto fits = [=](const LaunchRecord& launch) {
        return launch.blocks() == static_cast<std::uint64_t>(blocks) &&
               launch.threads_per_block() == static_cast<std::uint64_t>(threads_per_block) &&
               launch.global_store_bytes > 0;
    };
    const LaunchRecord& first = launches.front();  // there is one: see check_own_threads
    INFO("no kernel that stores anything was launched with "
         << blocks << " blocks of " << threads_per_block << " threads, but one with "
         << first.blocks() << " of " << first.threads_per_block()
         << ": the caller chooses the grid, and the launch is <<<blocks, threads_per_block>>>.");
    CHECK(std::ranges::any_of(launches, fits));
}

void check_thread_for_each(const std::vector<LaunchRecord>& launches, int elements) {
    INFO("there were " << threads_of(launches) << " threads for " << elements
                       << " elements: each element has a thread of its own, so the grid must "
                          "cover all of them, and a thread needs no loop.");
    CHECK((threads_of(launches) >= static_cast<std::uint64_t>(elements) ||
           std::ranges::any_of(launches, is_of_a_library)));
}

void check_shared_out(const std::vector<LaunchRecord>& launches, std::size_t most_alone_bytes) {
    // Blocks of one thread are slow, and share the work out all the same.
    const auto is_alone = [](const LaunchRecord& launch) {
        return launch.threads_per_block() == 1;
    };
    if (std::ranges::all_of(launches, is_alone)) return;
    std::uint64_t requests = 0;
    for (const LaunchRecord& launch : launches) requests += launch.global_store_requests;
    INFO(
        "whenever something was stored, only one thread of its warp did it, and the others had "
        "nothing to do: one thread must not do the work of others. Is there a condition such as "
        "threadIdx.x == 0 in the kernel?");
    CHECK(stored_bytes(launches) > most_alone_bytes * requests);
}
