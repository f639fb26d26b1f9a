// The ways to judge a speed test, behind SpeedTest::Judge.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/gpu/launch_record.h"
#include "check/gpu/operation_record.h"
#include "check/speed/speed.h"

namespace lab {

/// A count as a floating-point number.
inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}

struct CountedSizes;

/// Runs both programs on the virtual GPU, with the data of `plan` (the larger number of elements)
/// and with less; ends the test when a call of the submission fails. When the reference uses
/// streams, the judge is the one below.
std::shared_ptr<SpeedTest::Judge> speed_by_counts(SpeedPlan plan, const SpeedPlanMaker&,
                                                  const CountedSizes&);

/// Starts the programs on the GPU and runs the first rounds; ends the test the same way.
std::shared_ptr<SpeedTest::Judge> speed_by_clock(SpeedPlan plan);

/// A call, as the virtual GPU counted and modelled it: kernels by their records, copies by when
/// they ran.
struct CountedCall {
    std::vector<LaunchRecord> launches;
    std::vector<OperationRecord> operations;
    double allocating_us = 0;
    std::uint64_t printed_bytes = 0;
};

/// A submission knows its number of elements, and could waste time on small numbers, so that more
/// elements would seem to cost nothing. So it must also reach this part of the threshold when its
/// times simply grow with the data (chosen). If it does not, it gets one more call, with four times
/// the data. And a pass that rests on growth must hold between any two of three numbers, of which
/// the third is drawn.
inline constexpr double kTrusted = 0.5;
/// The part of the threshold that each two must reach: growth has steps (chosen).
inline constexpr double kTrustedSteps = 0.8;
/// The same with the time that blocks wait for each other, which is as long with any data and far
/// longer than the work on a few elements. One block instead of many is slower still (chosen).
inline constexpr double kTrustedWaiting = 0.03;
/// The call, if nothing in it waited.
CountedCall without_waiting(CountedCall);

/// The least time of a copy, however small; it does not grow with the data.
inline constexpr double kCopyStartUs = 8;

/// Extrapolates a call to `full` elements from calls with `small` and `larger` ones.
struct DataGrowth {
    double small = 0, larger = 0, full = 0;
};
/// Whether both made the same launches: then the work of each is extrapolated, else times are
/// scaled.
bool has_same_launches(const CountedCall& small, const CountedCall& larger);
CountedCall with_full_data(const CountedCall& small, const CountedCall& larger, const DataGrowth&);
/// Joins launches of different streams that ran at the same time and fit on the GPU together: they
/// become one with the work of all. `operations` are those of the same call, perhaps with fewer
/// data.
std::vector<LaunchRecord> joined_where_side_by_side(std::vector<LaunchRecord> launches,
                                                    const std::vector<OperationRecord>& operations);
/// The time of a launch that does this work.
LaunchRecord::Cost cost_us_of(const vgpu::model::KernelWork&);

/// The same from one call, each of whose times grows with the data, except those of short launches
/// that move little.
CountedCall scaled_to_full_data(const CountedCall&, const DataGrowth&);
/// Extrapolates a time of which one part grows with the data and the other does not. Not below 0.
double extrapolated(double small, double larger, const DataGrowth&);

/// The time of one part of a call, for submission and reference.
struct PartComparison {
    std::string name;  ///< "L1, shared memory"
    double submission_us = 0, reference_us = 0;
    std::string count;        ///< of the submission: "8.0 sectors per request"
    std::string advice;       ///< what to do if this part is the cause
    LaunchRecord::Hot hot{};  ///< the line with most of it; line 0: not known
    bool is_cause = false;    ///< this part is why it is slow
};

struct CallComparison {
    double ratio = 0;  ///< reference time / submission time
    std::vector<PartComparison> parts;

    const PartComparison* cause() const;
};

/// How fast the submission's call would be on a GPU, and why. Gives the parts and names a cause
/// whatever the ratio is.
CallComparison compare_calls(const CountedCall& submission, const CountedCall& reference);

/// The operations of a call with the two amounts of data.
struct TwoTimelines {
    std::vector<OperationRecord> small, larger;
};
/// Judges by the modelled time from the first operation to the last.
std::shared_ptr<SpeedTest::Judge> judge_by_timeline(TwoTimelines submission, TwoTimelines reference,
                                                    const DataGrowth&, std::string call_text);
bool uses_streams(const std::vector<OperationRecord>& operations);
/// Why no two of them run at the same time, in a sentence; empty when some do.
std::string why_serial(const std::vector<OperationRecord>& operations);

}  // namespace lab
