#include "batch/queue.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace lab {
namespace {

/// If this many submissions failed before one was graded, no submission is to blame (chosen).
constexpr std::size_t kFailuresAtFirst = 5;

class Queue {
public:
    Queue(const std::vector<Job>& jobs, const QueueOptions& options,
          const std::function<JobResult(const Job&)>& run, const QueueEvents& events)
        : options_(options),
          run_(run),
          events_(events),
          waiting_(jobs.begin(), jobs.end()),
          tries_(options.tries) {}

    QueueEnd run_all() {
        {
            std::vector<std::jthread> workers;
            for (unsigned i = 0; i < std::max(1u, options_.at_once); ++i)
                workers.emplace_back([this] { work(); });
        }
        return std::move(end_);
    }

private:
    bool is_over() const { return !end_.stopped_by.empty() || (waiting_.empty() && running_ == 0); }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            // A job that runs may fail, and come back.
            changed_.wait(lock, [this] { return !waiting_.empty() || is_over(); });
            if (is_over()) break;
            const Job job = waiting_.front();
            waiting_.pop_front();
            ++running_;
            if (events_.begins) events_.begins(job);
            lock.unlock();
            const JobResult result = run_(job);
            lock.lock();
            --running_;
            take(job, result);
            changed_.notify_all();
        }
    }

    void take(const Job& job, const JobResult& result) {
        bool is_last = true;
        if (result.end == JobEnd::graded) {
            ++end_.graded;
        } else if (result.end == JobEnd::stop) {
            stop(result.why);
            is_last = false;
        } else {
            failed_.insert(job.key);
            if (++tries_[job.key] < kMostTries) {
                waiting_.push_back(job);
                is_last = false;
            } else {
                end_.needs_human.push_back(job);
            }
            if (end_.graded == 0 && failed_.size() >= kFailuresAtFirst) stop(result.why);
        }
        try {
            if (events_.ends) events_.ends(job, result, is_last);
        } catch (const std::exception& error) {
            stop(error.what());
        }
    }

    void stop(const std::string& why) {
        if (end_.stopped_by.empty()) end_.stopped_by = why;
    }

    const QueueOptions& options_;
    const std::function<JobResult(const Job&)>& run_;
    const QueueEvents& events_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> waiting_;
    std::map<std::string, int> tries_;
    std::set<std::string> failed_;  ///< keys
    std::size_t running_ = 0;
    QueueEnd end_;
};

}  // namespace

QueueEnd run_queue(const std::vector<Job>& jobs, const QueueOptions& options,
                   const std::function<JobResult(const Job&)>& run, const QueueEvents& events) {
    return Queue(jobs, options, run, events).run_all();
}

}  // namespace lab
