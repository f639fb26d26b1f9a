// Says how far a batch is: one line that is rewritten on a terminal, a line a grading elsewhere.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "batch/queue.h"

namespace lab::cli {

class BatchProgress {
public:
    /// `rewrites`: stderr is a terminal of `columns` columns.
    BatchProgress(std::size_t jobs, bool rewrites, std::size_t columns)
        : jobs_(jobs), rewrites_(rewrites), columns_(columns) {}

    /// The texts to write now. `who`: "ada, 02-vector-add"; `points`: "7 of 10".
    std::string begins(const std::string& who);
    std::string ends(const std::string& who, const JobResult& result, bool is_last,
                     const std::string& points);
    /// Erases the line.
    std::string finished() const;

private:
    std::string line() const;

    std::size_t jobs_, done_ = 0, failed_ = 0;
    bool rewrites_;
    std::size_t columns_;
    std::multimap<std::string, int> running_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace lab::cli
