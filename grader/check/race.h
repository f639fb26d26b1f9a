// Speed: the submission against the reference, in one run, on the same changing data.
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
        /// What is to be said of an inconclusive race beside its numbers.
        virtual std::string note() const { return ""; }
        /// The line that costs most; line 0: not known.
        virtual Place place() const { return {}; }
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

/// How many elements a race has: on a GPU (100 us or more, four times L2), and on the virtual one.
/// That runs half of them, too, and extrapolates, so a grid that has a limit should have reached it
/// with that half: a million elements, if they take little.
struct RaceSizes {
    int gpu = 0, vgpu = 0;

    /// Odd if `vgpu` is: tails stay.
    int half() const { return (vgpu / 2) | (vgpu & 1); }
};

/// One of two sizes: on a GPU, on the virtual one.
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
inline AtLeast at_least(double threshold) {
    return AtLeast(threshold);
}

/// A race without its types.
struct RacePlan {
    using Bytes = std::span<const std::byte>;
    /// Which elements of an output were never written; empty where that is not known.
    using Untouched = std::vector<bool>;
    /// Is this what the function must leave in the parameter at `position`? If not, says why.
    using OutputCheck = std::function<bool(std::size_t position, Bytes output,
                                           const Untouched& untouched, std::string& why)>;

    CallPlan call;
    /// The arguments' data, by position, for the race to change; empty where there are none.
    std::vector<std::span<std::byte>> data;
    /// Makes the check for the data as they now are.
    std::function<OutputCheck()> make_check;
};
/// Makes one for so many elements.
using RaceMaker = std::function<RacePlan(int elements)>;
Race start_race(const RaceMaker&, const RaceSizes&);

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
bool check_raced(const Matcher& matcher, RacePlan::Bytes bytes,
                 const RacePlan::Untouched& untouched,
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
RacePlan plan_race(const Answer& answer, std::tuple<A...> arguments) {
    const auto owned = std::make_shared<std::tuple<A...>>(std::move(arguments));
    RacePlan plan;
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
        return RacePlan::OutputCheck([matchers, facts](std::size_t position, RacePlan::Bytes bytes,
                                                       const RacePlan::Untouched& untouched,
                                                       std::string& why) {
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                return ((position != outputs<Function>[I] ||
                         check_raced<Function, outputs<Function>[I]>(std::get<I>(*matchers), bytes,
                                                                     untouched, facts, why)) &&
                        ...);
            }
            (std::make_index_sequence<output_count<Function>()>{});
        });
    };
    return plan;
}
}  // namespace detail

/// Races the submission's function against the reference's (and the baseline's), with as many
/// elements as the sizes say: `arguments` takes their number and returns the function's arguments
/// as a std::tuple, with work in proportion to it. (Of an image, elements are pixels or rows, not
/// the length of a side; of a loop within the function they may be its rounds.) `answer` takes
/// those arguments and returns a matcher for the output, such as equals(...), or a std::tuple of
/// matchers, one for each parameter that the function writes, in order. Of an in_out parameter it
/// gets what is there before the call; that is put back before each call. Inputs of float and
/// double change from call to call, in their mantissas; others stay.
template <auto* Function, class Arguments, class Answer>
Race race_against_reference(RaceSizes sizes, Arguments arguments, Answer answer) {
    return start_race(
        [=](int elements) { return detail::plan_race<Function>(answer, arguments(elements)); },
        sizes);
}

}  // namespace lab

template <>
struct Catch::StringMaker<lab::Race> {
    static std::string convert(const lab::Race& race) { return "race of " + race.call_text(); }
};
