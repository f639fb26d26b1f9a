// Host threads that wait for work.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace vgpu {

class Workers {
public:
    explicit Workers(unsigned count);  ///< 0: one a core; the caller is one of them
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    unsigned count() const { return count_; }
    /// Calls work(0) ... work(count() - 1), each on a thread of its own, and waits for all.
    void run(const std::function<void(unsigned)>& work);

private:
    void serve(unsigned number);

    const unsigned count_;
    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void(unsigned)>* work_ = nullptr;
    std::uint64_t round_ = 0;
    unsigned busy_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;  ///< started when first needed
};

}  // namespace vgpu
