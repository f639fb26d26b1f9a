// The two ways to judge a race, behind Race::Judge.
//
// Interface: race_on_counts, race_on_time, compare_counts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/launch_record.h"
#include "check/race.h"

namespace lab {

/// Runs both programs once on the virtual GPU; ends the test when the submission's call fails.
std::shared_ptr<Race::Judge> race_on_counts(RacePlan plan);

/// Starts the lanes on the GPU and runs the first rounds; ends the test the same way.
std::shared_ptr<Race::Judge> race_on_time(RacePlan plan);

/// One count of the submission against the reference's.
struct CountComparison {
    std::string name;  ///< "sectors moved"
    double submission = 0, reference = 0;
    double limit = 0;     ///< of submission / reference
    bool at_most = true;  ///< else: at least
    std::string advice;   ///< when it is out of bounds

    double ratio() const;
    bool ok() const;
};

/// Whether launches like `submission` would run at `threshold` of the speed of `reference`, judged
/// by what limits simple kernels on a GPU.
std::vector<CountComparison> compare_counts(const std::vector<LaunchRecord>& submission,
                                            const std::vector<LaunchRecord>& reference,
                                            double threshold);

}  // namespace lab
