// The ways to judge a speed test, behind Race::Judge.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/gpu/launch_record.h"
#include "check/gpu/operation_record.h"
#include "check/speed/speed.h"

namespace lab {

/// A count to reckon with.
inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}

/// Runs both programs on the virtual GPU, with the data of `plan` and with less; ends the test when
/// a call of the submission fails. When the reference uses streams, the judge is the one below.
std::shared_ptr<SpeedTest::Judge> speed_by_counts(SpeedPlan plan, const SpeedPlanMaker&,
                                                  const SpeedSizes&);

/// Starts the lanes on the GPU and runs the first rounds; ends the test the same way.
std::shared_ptr<SpeedTest::Judge> speed_by_clock(SpeedPlan plan);

/// A call, as the virtual GPU counted and modelled it: kernels by their records, copies by when
/// they ran.
struct CountedCall {
    std::vector<LaunchRecord> launches;
    std::vector<OperationRecord> operations;
    double allocating_us = 0;
    std::uint64_t printed_bytes = 0;
};

/// A submission knows how many elements it has, and could waste time on the fewer ones, so that
/// more of them would seem to cost nothing. So it passes only if it is half as fast as it must be,
/// or faster, when its times just grow as the data do (chosen); if it is not, it is asked once
/// more with four times the data.
inline constexpr double kTrusted = 0.5;
/// The same where waiting counts: blocks that wait for each other do so with any data, and take
/// far longer for it than for a few elements. One block instead of many is slower still (chosen).
inline constexpr double kTrustedWaiting = 0.03;
/// The call, if nothing in it waited.
CountedCall without_waiting(CountedCall);

/// What a copy takes however small it is: it does not grow with the data.
inline constexpr double kCopyStartUs = 8;

/// The call as it would be with `full` elements, from what it did with `small` and `larger`
/// ones.
struct DataGrowth {
    double small = 0, larger = 0, full = 0;
};
CountedCall with_full_data(const CountedCall& small, const CountedCall& larger, const DataGrowth&);
/// Launches of different streams that ran at the same time, and have room beside each other, become
/// one that has the work of all of them. `operations` are those of the same call, perhaps with
/// fewer data.
std::vector<LaunchRecord> joined_where_side_by_side(std::vector<LaunchRecord> launches,
                                                    const std::vector<OperationRecord>& operations);
/// What a launch takes that does this work.
LaunchRecord::Cost cost_us_of(const vgpu::model::KernelWork&);

/// The same from one call, each of whose times grows as the data do, but for short launches that
/// move little.
CountedCall scaled_to_full_data(const CountedCall&, const DataGrowth&);
/// Of a time that has a part which grows with the data, and one that does not. Not below 0.
double extrapolated(double small, double larger, const DataGrowth&);

/// What one part of a call takes, of the submission and of the reference, in microseconds.
struct PartComparison {
    std::string name;  ///< "L1, shared memory"
    double submission_us = 0, reference_us = 0;
    std::string count;        ///< of the submission: "8.0 sectors a request"
    std::string advice;       ///< if this part is why it is slow
    LaunchRecord::Hot hot{};  ///< the line with most of it; line 0: not known
    bool is_cause = false;    ///< it is
};

struct CallComparison {
    double ratio = 0;  ///< reference time / submission time
    std::vector<PartComparison> parts;

    const PartComparison* cause() const;
};

/// How fast the submission's call would be on a GPU, and why. The parts are given, and a cause is
/// named, whatever the ratio is.
CallComparison compare_calls(const CountedCall& submission, const CountedCall& reference);

/// What a call did with the two amounts of data.
struct TwoTimelines {
    std::vector<OperationRecord> small, larger;
};
/// Judges by when the operations run on the modelled clock, from the first to the last.
std::shared_ptr<SpeedTest::Judge> judge_by_timeline(TwoTimelines submission, TwoTimelines reference,
                                                    const DataGrowth&, std::string call_text);
bool uses_streams(const std::vector<OperationRecord>& operations);
/// Why no two of them run at the same time, in a sentence; empty when some do.
std::string why_serial(const std::vector<OperationRecord>& operations);

}  // namespace lab
