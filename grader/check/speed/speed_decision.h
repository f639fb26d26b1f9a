// Decides a speed test from its times and the disturbances seen meanwhile. No device, no processes:
// numbers in, a verdict out.
#pragma once

#include <string>
#include <vector>

#include "check/speed/interval.h"
#include "check/speed/speed.h"

namespace lab {

/// How far the ratio of two processes that run the same function in turn may be from 1 whatever the
/// number of rounds: each has other addresses. `lab dev calibrate` measures it. On an H200 1 % was
/// needed at most. (It was 3.1 % for blocks that all add to one place, before small data moved from
/// call to call: speed_runners.cpp.)
inline constexpr double kProcessSpread = 0.02;
/// Of functions that copy from or to host memory, which may be nearer or farther where a host has
/// several nodes of it (chosen: on an H200's host with one, pinned buffers differed by 0.4 %).
inline constexpr double kHostMemorySpread = 0.05;

struct LaneTimes {
    std::vector<double> event_ms;   ///< by round
    std::vector<double> unseen_ms;  ///< on the checker's clock, but not between the events
};

struct SpeedTimes {
    LaneTimes submission, reference;
    double threshold = 0;
    double spread = kProcessSpread;  ///< by which the interval is widened, each way
    double least_ms = 0;  ///< no program is faster (check/speed/least_time.h); 0: not known
    std::vector<std::string> disturbances;  ///< what spoiled the times (check/gpu/gpu_state.h)
};

struct SpeedDecision {
    SpeedTest::Verdict verdict = SpeedTest::Verdict::inconclusive;
    double ratio = 0;  ///< reference time / submission time
    Interval interval;
    double submission_ms = 0, reference_ms = 0;
    std::string flag;            ///< what makes the times doubtful, or empty
    bool is_suspicious = false;  ///< faster than the GPU can be
    bool is_disturbed = false;   ///< the times alone would say fail, or nothing
};

/// Faster than the memory allows is a fail, unless the reference is that fast, too: then not all
/// data need be touched. What fails while somebody disturbed is inconclusive, unless it is so far
/// off that no disturbance is to blame; what passes all the same has passed.
SpeedDecision decide_speed(const SpeedTimes& times);

/// Whether more rounds, by other processes, could give the verdict that is missing: somebody
/// disturbed, or the times vary too much. Not when the ratio is so near the threshold that the
/// spread alone hides on which side it is.
bool could_end_otherwise(const SpeedDecision& decision, const SpeedTimes& times);

}  // namespace lab
