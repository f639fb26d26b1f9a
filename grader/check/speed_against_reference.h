// The speed test of a grader: a function of the submission against the reference's.
#pragma once

#include <catch2/matchers/catch_matchers_templated.hpp>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check/matchers.h"
#include "check/speed/speed.h"
#include "check/submission.h"

namespace lab {

/// Matches a speed test whose ratio to the reference is at least `threshold`. An inconclusive speed
/// test matches too: it earns the points, and the result says so.
class AtLeast : public Catch::Matchers::MatcherGenericBase {
public:
    explicit AtLeast(double threshold) : threshold_(threshold) {}
    bool match(const SpeedTest& speed) const {
        const SpeedJudgement judgement = judge_speed(speed, threshold_);
        if (!judgement.description.empty()) description_ = judgement.description;
        return judgement.passes;
    }
    std::string describe() const override { return description_; }

private:
    double threshold_;
    mutable std::string description_ = "is fast enough";
};
inline AtLeast at_least(double threshold) {
    return AtLeast(threshold);
}

namespace detail {
template <class A>
std::span<std::byte> changeable(A& argument) {
    if constexpr (requires { std::as_writable_bytes(std::span(argument)); }) {
        return std::as_writable_bytes(std::span(argument));
    }
    return {};
}

/// One matcher is a tuple of one.
template <class Matcher>
std::tuple<Matcher> as_tuple(Matcher matcher) {
    return {std::move(matcher)};
}
template <class... Matcher>
std::tuple<Matcher...> as_tuple(std::tuple<Matcher...> matchers) {
    return matchers;
}

/// Whether what stands in parameter I matches; if not, says why.
template <auto* Function, std::size_t I, class Matcher>
bool check_timed_output(const Matcher& matcher, SpeedPlan::Bytes bytes,
                        const SpeedPlan::Untouched& untouched,
                        const std::shared_ptr<const CallFacts>& facts, std::string& why) {
    using T = Element<typename Signature<decltype(Function)>::template Argument<I>>;
    const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()),
                                    bytes.size() / sizeof(T));
    if (matcher.all_right(values)) return true;
    const Output<T> copy(std::vector<T>(values.begin(), values.end()), untouched,
                         Contract<Function>::parameters[I], facts);
    matcher.match(copy);
    why = matcher.describe();
    return false;
}
template <auto* Function, class Answer, class... A>
SpeedPlan plan_speed_test(const Answer& answer, std::tuple<A...> arguments) {
    const auto owned = std::make_shared<std::tuple<A...>>(std::move(arguments));
    SpeedPlan plan;
    plan.call = std::apply([](const A&... a) { return plan_call<Function>(a...); }, *owned);
    plan.data = std::apply(
        [](A&... a) { return std::vector<std::span<std::byte>>{changeable(a)...}; }, *owned);
    const auto facts = std::make_shared<const CallFacts>(
        CallFacts{plan.call.call_text(), plan.call.case_text(), {}, {}, {}});
    plan.make_check = [owned, answer, facts] {
        using Matchers = decltype(as_tuple(std::apply(answer, std::as_const(*owned))));
        static_assert(std::tuple_size_v<Matchers> == outputs<Function>.size(),
                      "the answer is a matcher for each parameter that the function writes");
        const auto matchers =
            std::make_shared<Matchers>(as_tuple(std::apply(answer, std::as_const(*owned))));
        return SpeedPlan::OutputCheck(
            [matchers, facts](std::size_t position, SpeedPlan::Bytes bytes,
                              const SpeedPlan::Untouched& untouched, std::string& why) {
                return [&]<std::size_t... I>(std::index_sequence<I...>) {
                    return ((position != outputs<Function>[I] ||
                             check_timed_output<Function, outputs<Function>[I]>(
                                 std::get<I>(*matchers), bytes, untouched, facts, why)) &&
                            ...);
                }
                (std::make_index_sequence<output_count<Function>()>{});
            });
    };
    return plan;
}
}  // namespace detail

/// Times the submission's function against the reference's (and the baseline's), with as many
/// elements as the sizes say: `arguments` takes their number and returns the function's arguments
/// as a std::tuple, with work in proportion to it. (Of an image, elements are pixels or rows, not
/// the length of a side; of a loop within the function they may be its rounds.) `answer` takes
/// those arguments and returns a matcher for the output, such as equals(...), or a std::tuple of
/// matchers, one for each parameter that the function writes, in order. Of an in_out parameter it
/// gets what is there before the call; that is put back before each call. Inputs of float and
/// double change from call to call, in their mantissas; others stay.
template <auto* Function, class Arguments, class Answer>
SpeedTest time_against_reference(SpeedSizes sizes, Arguments arguments, Answer answer) {
    return start_speed_test(
        [=](int elements) {
            return detail::plan_speed_test<Function>(answer, arguments(elements));
        },
        sizes);
}

}  // namespace lab

template <>
struct Catch::StringMaker<lab::SpeedTest> {
    static std::string convert(const lab::SpeedTest& speed) {
        return "race of " + speed.call_text();
    }
};
