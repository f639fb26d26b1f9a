// Runs the jobs of a batch, several at once, and each again whose grading failed by no fault of the
// submission's.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "batch/job.h"

namespace lab {

/// After so many failed gradings of one submission a human looks at it.
inline constexpr int kMostTries = 3;

struct QueueOptions {
    unsigned at_once = 1;
    /// Failed gradings of earlier runs, by key.
    std::map<std::string, int> tries{};
};

/// Called from one thread at a time. A Failure thrown by `ends` ends the queue.
struct QueueEvents {
    std::function<void(const Job&)> begins;
    /// `is_last`: graded, or failed kMostTries times.
    std::function<void(const Job&, const JobResult&, bool is_last)> ends;
};

struct QueueEnd {
    std::size_t graded = 0;
    std::vector<Job> needs_human;
    std::string stopped_by;  ///< why the rest was not graded; empty: all was
};

/// `run` grades one job; it is called from several threads and must not throw. A job that failed
/// waits until the others have had their turn. Ends early when a job says stop, and when the first
/// jobs all fail: then it is the machine or the grader, not a submission.
QueueEnd run_queue(const std::vector<Job>& jobs, const QueueOptions& options,
                   const std::function<JobResult(const Job&)>& run, const QueueEvents& events);

}  // namespace lab
