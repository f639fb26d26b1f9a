// Times the submission against the reference, in one run, on the same changing data; without the
// function's types, which speed_against_reference.h adds.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "check/call/call.h"
#include "check/output/flag.h"
#include "check/output/place.h"

// On a GPU submission, reference and baseline are called in turn. Before each timed call all change
// their inputs on the device by the same nonce and flush L2, neither timed; all outputs are copied
// back and checked. The ratio is reference time / submission time (1: as fast; 0.5: half as fast):
// its median over the rounds, with a distribution-free 95 % confidence interval.
//
// On the virtual GPU both programs' times are modelled from counts, part by part: instructions, L1
// and shared memory, bytes, atomics at one address, waiting, blocks, launches, copies, and their
// overlap. The verdict says so. Each runs twice, with less data than a GPU would, and the times of
// a GPU's data follow from both.

namespace lab {

/// A speed test that has begun: at_least() asks it for a verdict, which may make it run more
/// rounds.
class SpeedTest {
public:
    enum class Verdict { pass, fail, inconclusive };

    /// How a kind of device decides; speed_clock.cpp and speed_counts.cpp.
    class Judge {
    public:
        virtual ~Judge() = default;
        virtual Verdict judge(double threshold) = 0;
        /// Of the latest verdict: for the student, and for the result line.
        virtual std::string message() const = 0;
        virtual std::string diagnosis() const = 0;
        /// What to add to the numbers of an inconclusive speed test.
        virtual std::string note() const { return ""; }
        /// The line that costs most; line 0: not known.
        virtual Place place() const { return {}; }
        virtual nlohmann::json to_json() const = 0;
        /// Of a fail.
        virtual Flags flags() const { return {}; }
    };
    SpeedTest(std::shared_ptr<Judge> judge, std::string call_text)
        : judge_(std::move(judge)), call_text_(std::move(call_text)) {}

    /// Names a mistake that a failure may have, before what the judge says; `why` returns an empty
    /// text where it is another one.
    SpeedTest&& or_diagnose(std::function<std::string()> why) && {
        why_ = std::move(why);
        return std::move(*this);
    }

    Judge& judge() const { return *judge_; }
    const std::string& call_text() const { return call_text_; }
    /// Of a failure.
    std::string diagnosis() const {
        const std::string why = why_ ? why_() : "";
        return why.empty() ? judge_->diagnosis() : why;
    }

private:
    std::shared_ptr<Judge> judge_;
    std::string call_text_;
    std::function<std::string()> why_;
};

/// The number of elements of a speed test: on a GPU (100 us or more, four times L2), and on the
/// virtual one. That one draws a number near it, also runs about half of it and extrapolates, so a
/// limited grid should reach its limit with half already: a million elements, if each takes little.
struct SpeedSizes {
    int gpu = 0, vgpu = 0;
};

/// The size for the device in use.
int speed_size(int gpu, int vgpu);

/// What a speed test calls, changes and checks, without the function's types.
struct SpeedPlan {
    using Bytes = std::span<const std::byte>;
    /// Elements of an output that were never written; empty where that is not known.
    using Untouched = std::vector<bool>;
    /// Whether `output` is right for the parameter at `position`; if not, says why.
    using OutputCheck = std::function<bool(std::size_t position, Bytes output,
                                           const Untouched& untouched, std::string& why)>;

    CallPlan call;
    /// The arguments' data, by position, which the speed test changes; empty for other arguments.
    std::vector<std::span<std::byte>> data;
    /// Makes the check for the current data.
    std::function<OutputCheck()> make_check;
};
/// Makes a plan for `elements` elements.
using SpeedPlanMaker = std::function<SpeedPlan(int elements)>;
SpeedTest start_speed_test(const SpeedPlanMaker&, const SpeedSizes&);

/// Whether the test passes, and how its assertion reads.
struct SpeedJudgement {
    bool passes = false;
    std::string description;
};
/// Judges, notes the numbers for the result line, and offers a failure to the test's log.
SpeedJudgement judge_speed(const SpeedTest& speed, double threshold);

}  // namespace lab
