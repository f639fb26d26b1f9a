// The ways to judge a race, behind Race::Judge.
//
// Interface: race_on_counts, race_on_time, compare_counts; judge_by_timeline, uses_streams,
// why_serial.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/launch_record.h"
#include "check/operation_record.h"
#include "check/race.h"

namespace lab {

/// Runs both programs once on the virtual GPU; ends the test when the submission's call fails. When
/// the reference uses streams, the judge is the one below.
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

/// Judges by when the operations run on the modelled clock, from the first to the last.
std::shared_ptr<Race::Judge> judge_by_timeline(std::vector<OperationRecord> submission,
                                               std::vector<OperationRecord> reference,
                                               std::string call_text);
bool uses_streams(const std::vector<OperationRecord>& operations);
/// Why no two of them run at the same time, in a sentence; empty when some do.
std::string why_serial(const std::vector<OperationRecord>& operations);

}  // namespace lab
