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
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check/matchers.h"
#include "check/submission.h"

namespace lab {

/// A race that has begun: at_least() asks it for a verdict, which may make it run more rounds.
class Race {
public:
    enum class Verdict { pass, fail, inconclusive };

    /// How a kind of device decides; race_timed.cpp and race_counts.cpp.
    class Judge {
    public:
        virtual ~Judge() = default;
        virtual Verdict judge(double threshold) = 0;
        /// Of the latest verdict: for the student, and for the result line.
        virtual std::string message() const = 0;
        virtual std::string diagnosis() const = 0;
        virtual nlohmann::json to_json() const = 0;
    };
    Race(std::shared_ptr<Judge> judge, std::string call_text)
        : judge_(std::move(judge)), call_text_(std::move(call_text)) {}

    Judge& judge() const { return *judge_; }
    const std::string& call_text() const { return call_text_; }

private:
    std::shared_ptr<Judge> judge_;
    std::string call_text_;
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

/// A race without its types.
struct RacePlan {
    using Bytes = std::span<const std::byte>;
    /// Is this what the function must leave in its output? If not, says why.
    using OutputCheck = std::function<bool(Bytes output, std::string& why)>;

    CallPlan call;
    std::size_t output_position = 0;
    /// Makes the check for the arguments as they now are, by position; values are empty.
    std::function<OutputCheck(const std::vector<std::vector<std::byte>>& arguments)> check_for;
    std::shared_ptr<void> owned;  ///< keeps the grader's inputs alive
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
/// Inputs of float and double change from call to call, in their mantissas; others stay.
template <auto* Function, class Answer, class... A>
Race race_against_reference(Answer answer, A... arguments) {
    using Types = detail::Signature<decltype(Function)>;
    constexpr std::size_t output = detail::only_output<Function>();
    static_assert(output < Types::arity, "a function that is raced has one output");
    using T = detail::Element<typename Types::template Argument<output>>;
    const auto owned = std::make_shared<std::tuple<A...>>(std::move(arguments)...);
    RacePlan plan;
    plan.call = std::apply([](const A&... a) { return detail::plan_call<Function>(a...); }, *owned);
    plan.output_position = output;
    plan.owned = owned;
    const auto facts = std::make_shared<const CallFacts>(
        CallFacts{plan.call.call_text(), plan.call.case_text(), {}, {}});
    const auto matcher_for = [owned, answer](const auto& bytes) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return answer(detail::answer_argument<typename Types::template Argument<I>>(
                std::get<I>(*owned), bytes[I])...);
        }(std::make_index_sequence<Types::arity>{});
    };
    plan.check_for = [matcher_for, facts](const std::vector<std::vector<std::byte>>& bytes) {
        using Matcher = decltype(matcher_for(bytes));
        const auto matcher = std::make_shared<Matcher>(matcher_for(bytes));
        return RacePlan::OutputCheck([matcher, facts](RacePlan::Bytes data, std::string& why) {
            std::vector<T> values(data.size() / sizeof(T));
            if (!values.empty()) std::memcpy(values.data(), data.data(), data.size());
            const Output<T> result(std::move(values), {}, Contract<Function>::parameters[output],
                                   facts);
            const bool right = matcher->match(result);
            if (!right) why = matcher->describe();
            return right;
        });
    };
    return start_race(std::move(plan));
}

}  // namespace lab

template <>
struct Catch::StringMaker<lab::Race> {
    static std::string convert(const lab::Race& race) { return "race of " + race.call_text(); }
};
