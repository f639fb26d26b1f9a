#include "check/mistakes/stores.h"

#include <fmt/format.h>

namespace lab {

std::uint64_t stored_bytes(const std::vector<LaunchRecord>& launches) {
    std::uint64_t bytes = 0;
    for (const LaunchRecord& launch : launches) bytes += launch.global_store_bytes;
    return bytes;
}

std::string stored_too_often(const std::vector<LaunchRecord>& launches, std::uint64_t stored,
                             std::uint64_t elements, const std::string& what) {
    std::uint64_t blocks = 0, threads = 0;
    for (const LaunchRecord& launch : launches) {
        blocks += launch.blocks();
        threads += launch.blocks() * launch.threads_per_block();
    }
    const char* const rule = "but each thread must store only its own.";
    if (stored == elements * threads) {
        return fmt::format(
            "Each {} is stored by all {} threads: each of them goes through all "
            "elements, {}",
            what, threads, rule);
    }
    if (stored == elements * blocks) {
        return fmt::format(
            "Each {} is stored {} times, once in each of {} blocks: every block goes "
            "through all elements, {} Is blockIdx missing from the index?",
            what, blocks, blocks, rule);
    }
    return fmt::format(
        "The threads stored {} {}s for {} elements, {} Does each of them loop over "
        "elements of other threads?",
        stored, what, elements, rule);
}

}  // namespace lab
