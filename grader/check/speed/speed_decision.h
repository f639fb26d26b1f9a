// Decides a speed test from its times and the disturbances seen meanwhile. A pure function: numbers
// in, a verdict out.
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
    double spread = kProcessSpread;  ///< widens the interval, each way
    double least_ms = 0;             ///< a lower bound (check/speed/least_time.h); 0: not known
    std::vector<std::string> disturbances;  ///< what spoiled the times (check/gpu/gpu_state.h)
};

struct SpeedDecision {
    SpeedTest::Verdict verdict = SpeedTest::Verdict::inconclusive;
    double ratio = 0;  ///< reference time / submission time
    Interval interval;
    double submission_ms = 0, reference_ms = 0;
    std::string flag;            ///< why the times are doubtful; empty: they are not
    std::string impossible;      ///< why the submission's times are false; empty: they are not
    bool is_suspicious = false;  ///< faster than the GPU can be
    bool is_disturbed = false;   ///< the times alone would say fail, or nothing
};

/// Events are the word of the submission's process: its time is theirs and whatever our clock saw
/// beyond the reference's normal. Times that are missing, no numbers, longer than by our clock, or
/// shorter by more than chance fail, whatever the ratio.
///
/// A submission faster than the memory allows fails, unless the reference is as fast: then the
/// function need not touch all data. A fail is inconclusive if another process disturbed it, unless
/// it is too far off to blame on that; a pass stays a pass.
SpeedDecision decide_speed(const SpeedTimes& times);

/// Whether more rounds, in new processes, could still give a verdict: another process disturbed, or
/// the times vary too much. False when the ratio is so near the threshold that the spread alone
/// hides its side.
bool could_end_otherwise(const SpeedDecision& decision, const SpeedTimes& times);

}  // namespace lab
