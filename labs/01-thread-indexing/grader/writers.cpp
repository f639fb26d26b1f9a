#include "writers.h"

#include <algorithm>
#include <string>

using namespace lab;

namespace {

constexpr std::size_t kRecordWords = sizeof(int[4]) / sizeof(int);

/// Thrust and CUB choose who stores what.
bool is_of_a_library(const LaunchRecord& launch) {
    return launch.global_store_bytes > 0 && launch.kernel.find("cub::") != std::string::npos;
}

}  // namespace

void check_writers_in_order(const std::vector<std::int64_t>& writers,
                            const std::vector<LaunchRecord>& launches) {
    if (writers.empty() || std::ranges::any_of(launches, is_of_a_library)) return;
    const auto stores = [](const LaunchRecord& launch) { return launch.global_store_bytes > 0; };
    const auto launch = std::ranges::find_if(launches, stores);
    if (launch == launches.end()) return;
    const auto threads = static_cast<std::int64_t>(launch->threads_per_block());
    std::int64_t before = 0;
    for (std::size_t i = 0; i < writers.size(); ++i) {
        const std::int64_t thread = writers[i];
        if (thread < 0) return;
        INFO("The values are right, but they are not the threads' own: thread "
             << thread << " of the grid stored ids[" << i << "], which belongs to thread " << i
             << ". Compute the index from blockIdx, blockDim and threadIdx alone, in order.");
        const bool begins_again = thread == 0 || thread == before - before % threads;
        const bool is_in_order = i == 0 ? thread == 0 : thread >= before || begins_again;
        REQUIRE(is_in_order);
        before = thread;
    }
}

void check_writers_by_stride(const std::vector<std::int64_t>& writers, int threads) {
    for (std::size_t i = 0; i < writers.size(); ++i) {
        const std::int64_t owner = static_cast<std::int64_t>(i) % threads;
        INFO("The values are right, but not stored by the threads that they name: thread "
             << writers[i] << " of the grid stored owner[" << i << "], which belongs to thread "
             << owner << ". Each thread must store its own id.");
        REQUIRE((writers[i] < 0 || writers[i] == owner));
    }
}

void check_writers_of_places(const std::vector<std::int64_t>& writers,
                             const std::vector<LaunchRecord>& launches) {
    if (writers.empty() || std::ranges::any_of(launches, is_of_a_library)) return;
    INFO("The places are right, but they are not the threads' own: thread "
         << writers.front()
         << " of the grid stored the first element, which belongs to thread 0. Compute i, j and k "
            "from blockIdx, blockDim and threadIdx alone, in order.");
    REQUIRE(writers.front() <= 0);  // -1: nobody did, which is said elsewhere
}

void check_writers_of_records(const std::vector<std::int64_t>& writers, int threads_per_block) {
    for (std::size_t word = 0; word < writers.size(); ++word) {
        if (writers[word] < 0) continue;
        const auto record = static_cast<std::int64_t>(word / kRecordWords),
                   block = record / threads_per_block;
        INFO(
            "The records are right, but they describe other threads than those that stored them: "
            "records["
            << record << "] is of block " << block << ", and a thread of block "
            << writers[word] / threads_per_block << " stored it.");
        REQUIRE(writers[word] / threads_per_block == block);
    }
}
