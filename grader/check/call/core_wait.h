// Measures how long processes were ready to run while others had the cores. Limits of time are the
// submission's, not the machine's: on one that was busy five times over, a right submission that
// needed 14 s of a core reached them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <vector>

// Linux counts the wait of each thread (/proc/PID/task/TID/schedstat). A program that keeps all
// cores busy with many threads waits only for itself.

namespace lab {

/// Of `wall_s`, what others took from processes whose most patient thread waited `waited_s` for a
/// core and that had `used_s` of the machine's `cores` in all.
double taken_by_others_s(double waited_s, double used_s, double wall_s, std::size_t cores);

class CoreWait {
public:
    /// Begins now; of these processes and all that descend from them.
    explicit CoreWait(std::vector<pid_t> roots);

    /// 0 where Linux does not tell.
    std::chrono::milliseconds so_far() const;

private:
    struct Reading {
        std::map<pid_t, double> waited_s;  ///< by thread
        std::map<pid_t, double> used_s;    ///< by process
    };
    Reading read() const;

    std::vector<pid_t> roots_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    Reading first_;
};

}  // namespace lab
