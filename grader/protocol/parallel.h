// Spreads work on large arrays over the cores. Small ones are not worth a thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace lab {

/// The machine's number of cores. Asks the system once, because glibc reads a file each time.
inline std::size_t core_count() {
    static const std::size_t count = std::max(1u, std::thread::hardware_concurrency());
    return count;
}

/// Calls work(begin, end) in parallel for ranges that together are [0, size). No range is much too
/// short to be worth a thread.
template <class Work>
void for_each_range(std::size_t size, Work work, std::size_t worth_a_thread = 1 << 18) {
    const std::size_t workers = std::clamp<std::size_t>(size / worth_a_thread, 1, core_count());
    const std::size_t share = (size + workers - 1) / workers;
    std::vector<std::thread> threads;
    for (std::size_t begin = share; begin < size; begin += share) {
        threads.emplace_back([=] { work(begin, std::min(size, begin + share)); });
    }
    work(std::size_t{0}, std::min(size, share));
    for (std::thread& thread : threads) thread.join();
}

}  // namespace lab
