#include "launches.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "check/mistakes/stores.h"

using namespace lab;

namespace {

/// Thrust and CUB choose their own launch: unusual, but not a mistake.
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

}  // namespace

void check_own_threads(const std::vector<LaunchRecord>& launches, int elements,
                       std::size_t element_bytes, const char* what) {
    {
        INFO("no kernel was launched, but each " << what
                                                 << " must be written by the thread it belongs to");
        REQUIRE_FALSE(launches.empty());
    }
    const std::uint64_t stored = stored_bytes(launches) / element_bytes,
                        all = static_cast<std::uint64_t>(elements);
    INFO(stored_too_often(launches, stored, all, what));
    CHECK(stored <= 2 * all);
}

void check_block_size(const std::vector<LaunchRecord>& launches, int threads_per_block) {
    const auto fits = [=](const LaunchRecord& launch) {
        return launch.threads_per_block() == static_cast<std::uint64_t>(threads_per_block) ||
               is_of_a_library(launch);
    };
    const std::uint64_t threads = threads_of(launches);
    INFO("No kernel was launched with blocks of threads_per_block = "
         << threads_per_block << " threads: "
         << (threads == 1 ? "one thread does all the work."
                          : "there were " + std::to_string(threads) +
                                " threads in all. Of the two numbers at a launch, the blocks come "
                                "first."));
    CHECK(std::ranges::any_of(launches, fits));
}

void check_not_swapped(const std::vector<LaunchRecord>& launches, int elements,
                       int threads_per_block) {
    const auto n = static_cast<std::uint64_t>(elements),
               threads = static_cast<std::uint64_t>(threads_per_block),
               blocks = (n + threads - 1) / threads;
    // Where both numbers are the same nothing is swapped, and a block for each element is slow but
    // meant. One block where blocks of one thread are asked for has another block size.
    const auto is_swapped = [=](const LaunchRecord& launch) {
        return blocks != threads && threads != n && threads > 1 && launch.grid[0] == threads &&
               launch.block[0] == blocks && launch.blocks() == threads &&
               launch.threads_per_block() == blocks;
    };
    const auto of = [](std::uint64_t count, const char* thing) {
        return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
    };
    INFO("There were " << of(threads, "block") << " of " << of(blocks, "thread")
                       << " where it takes " << of(blocks, "block") << " of "
                       << of(threads, "thread") << ": the two numbers of the launch are swapped.");
    CHECK_FALSE(std::ranges::any_of(launches, is_swapped));
}

void check_no_block_too_many(const std::vector<LaunchRecord>& launches, int elements,
                             int threads_per_block) {
    const auto n = static_cast<std::uint64_t>(elements),
               threads = static_cast<std::uint64_t>(threads_per_block);
    // A grid of another shape, or of a size that does not depend on n, is unusual but not a slip.
    const auto has_one_more = [=](const LaunchRecord& launch) {
        return n % threads == 0 && launch.grid[0] == n / threads + 1 &&
               launch.blocks() == launch.grid[0] && launch.block[0] == threads &&
               launch.threads_per_block() == threads;
    };
    INFO("A kernel was launched with " << n / threads + 1 << " blocks of " << threads
                                       << " threads for " << n << " elements, but " << n / threads
                                       << " are just enough: the last block has no element.");
    CHECK_FALSE(std::ranges::any_of(launches, has_one_more));
}

void check_grid(const std::vector<LaunchRecord>& launches, int blocks, int threads_per_block) {
    const auto fits = [=](const LaunchRecord& launch) {
        return launch.blocks() == static_cast<std::uint64_t>(blocks) &&
               launch.threads_per_block() == static_cast<std::uint64_t>(threads_per_block) &&
               launch.global_store_bytes > 0;
    };
    const LaunchRecord& first = launches.front();  // there is one: see check_own_threads
    INFO("The kernel should have been launched with "
         << blocks << " blocks of " << threads_per_block << " threads, and was launched with "
         << first.blocks() << " of " << first.threads_per_block()
         << ". The caller chooses the grid.");
    CHECK(std::ranges::any_of(launches, fits));
}

void check_thread_for_each(const std::vector<LaunchRecord>& launches, int elements) {
    INFO("There were " << threads_of(launches) << " threads for " << elements
                       << " elements, but each element needs a thread of its own.");
    CHECK((threads_of(launches) >= static_cast<std::uint64_t>(elements) ||
           std::ranges::any_of(launches, is_of_a_library)));
}

void check_shared_out(const std::vector<LaunchRecord>& launches, std::size_t most_alone_bytes) {
    // Blocks of one thread are slow, but they do share out the work.
    const auto is_alone = [](const LaunchRecord& launch) {
        return launch.threads_per_block() == 1;
    };
    if (std::ranges::all_of(launches, is_alone)) return;
    std::uint64_t requests = 0;
    for (const LaunchRecord& launch : launches) requests += launch.global_store_requests;
    INFO(
        "One thread does the work of others: in each store only one thread of the warp took part. "
        "Which condition keeps the others away?");
    CHECK(stored_bytes(launches) > most_alone_bytes * requests);
}
