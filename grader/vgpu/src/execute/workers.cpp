#include "execute/workers.h"

#include <algorithm>

namespace vgpu {

Workers::Workers(unsigned count)
    : count_(count != 0 ? count : std::max(1u, std::thread::hardware_concurrency())) {}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Workers::run(const std::function<void(unsigned)>& work) {
    while (threads_.size() + 1 < count_)
        threads_.emplace_back(
            [this, number = static_cast<unsigned>(threads_.size() + 1)] { serve(number); });
    {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        busy_ = count_ - 1;
        ++round_;
    }
    changed_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return busy_ == 0; });
    work_ = nullptr;
}

void Workers::serve(unsigned number) {
    // run() starts a round only when all threads of the last one are done.
    for (std::uint64_t done = 0;;) {
        const std::function<void(unsigned)>* work = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return ending_ || (round_ != done && work_); });
            if (ending_) return;
            done = round_;
            work = work_;
        }
        (*work)(number);
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0) changed_.notify_all();
    }
}

}  // namespace vgpu
