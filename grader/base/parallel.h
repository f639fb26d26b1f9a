// Runs independent work on several threads, as many items at once as the caller says.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace lab {

/// Calls work(0) to work(count - 1), each once, and waits for all of them. `work` must not throw.
inline void for_each_parallel(std::size_t count, unsigned threads,
                              const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
        workers.emplace_back([&] {
            for (std::size_t item; (item = next++) < count;) work(item);
        });
    }
}

}  // namespace lab
