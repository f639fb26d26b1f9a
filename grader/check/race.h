// Speed: the submission against the reference, in one run, on the same changing data.
//
// On a GPU: submission, reference and baseline are called in turn. Before each timed call all change
// their inputs on the device by the same nonce and flush L2, neither timed; all outputs are
// copied back and checked. The ratio is reference time / submission time (1: as fast; 0.5: half as
// fast), its median over the rounds with a distribution-free 95 % confidence interval.
//
// On the virtual GPU there is no time: the submission is judged on counts (sectors, launches,
// resident warps, blocks) against the reference's, and the verdict says so.
//
// Interface: race_against_reference, race_size, at_least, Race.
#pragma once

#include <catch2/matchers/catch_matchers_templated.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "check/matchers.h"
#include "check/submission.h"

namespace lab {

/// One program's part in a race.
struct RaceLane {
    std::string program;           ///< "submission", "reference", "baseline"
    std::vector<double> times_ms;  ///< on a GPU, a round each
    std::vector<LaunchRecord> launches;  ///< on the virtual GPU
};

struct Interval {
    double low = 0, high = 0;
};

/// A running race: at_least() asks it for a verdict, and may make it run more rounds.
class Race {
public:
    enum class Verdict { pass, fail, inconclusive };

    struct State;
    explicit Race(std::shared_ptr<State> state) : state_(std::move(state)) {}

    /// PASS if the whole interval is at or above `threshold`, FAIL if it is all below; else more
    /// rounds, up to a limit, and INCONCLUSIVE. On the virtual GPU: by counts.
    Verdict judge(double threshold) const;
    /// Why, in words for the student.
    std::string explanation() const;

private:
    std::shared_ptr<State> state_;
};

/// The size to race: `gpu` elements on a GPU (100 us or more, four times L2), `vgpu` elements on the
/// virtual one, where counts do not need many.
int race_size(int gpu, int vgpu);

/// Matches a race whose ratio to the reference is at least `threshold`. An inconclusive race
/// matches too: it earns the points, and the result says so.
class AtLeast : public Catch::Matchers::MatcherGenericBase {
public:
    explicit AtLeast(double threshold) : threshold_(threshold) {}
    bool match(const Race& race) const;
    std::string describe() const override { return description_; }

private:
    double threshold_;
    mutable std::string description_ = "is fast enough";
};
inline AtLeast at_least(double threshold) { return AtLeast(threshold); }

/// The arguments of a race without their types. `check` fails the test when `bytes`, what one
/// program left in the output, is not right for the inputs as they now are.
struct RacePlan {
    CallPlan call;
    std::size_t output_position = 0;
    /// Takes the inputs as they are after the changes so far; returns the judge of outputs.
    using Judge = std::function<bool(const CallResult& result, std::string& message)>;
    std::function<Judge(const std::vector<std::vector<std::byte>>& inputs)> judge_for;
    std::shared_ptr<void> owned;  ///< keeps the caller's inputs alive
};
Race start_race(RacePlan plan);

namespace detail {

/// The argument that the answer function sees: changed data for pointers, the value itself else.
template <class P, class A>
auto answer_argument(const A& argument, const std::vector<std::byte>& bytes) {
    if constexpr (std::is_pointer_v<P> && !std::is_same_v<A, OutTag>) {
        std::vector<Element<P>> data(bytes.size() / sizeof(Element<P>));
        if (!data.empty()) std::memcpy(data.data(), bytes.data(), bytes.size());
        return data;
    } else {
        return argument;
    }
}

}  // namespace detail

/// Races the submission's function against the reference's (and the baseline's). `answer` takes
/// the same arguments as the function and returns a matcher for its output, such as equals(...).
/// At least one input must be of float or double: their mantissas are what changes between calls.
template <auto* Function, class Answer, class... A>
Race race_against_reference(Answer answer, A... arguments) {
    using Types = detail::Signature<decltype(Function)>;
    constexpr std::size_t output = detail::only_output<Function>();
    static_assert(output < Types::arity, "a function that is raced has one output");
    const auto owned = std::make_shared<std::tuple<A...>>(std::move(arguments)...);
    RacePlan plan;
    plan.call = std::apply([](const A&... a) { return detail::plan_call<Function>(a...); }, *owned);
    plan.output_position = output;
    plan.owned = owned;
    plan.judge_for = [owned, answer](const std::vector<std::vector<std::byte>>& inputs) {
        const auto matcher = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_shared<decltype(answer(
                detail::answer_argument<typename Types::template Argument<I>>(std::get<I>(*owned),
                                                                              inputs[I])...))>(
                answer(detail::answer_argument<typename Types::template Argument<I>>(
                    std::get<I>(*owned), inputs[I])...));
        }(std::make_index_sequence<Types::arity>{});
        return RacePlan::Judge([matcher](const CallResult& result, std::string& message) {
            const bool right = matcher->match(Call<Function>(result).output());
            if (!right) message = matcher->describe();
            return right;
        });
    };
    return start_race(std::move(plan));
}

}  // namespace lab

template <>
struct Catch::StringMaker<lab::Race> {
    static std::string convert(const lab::Race& race) { return race.explanation(); }
};
