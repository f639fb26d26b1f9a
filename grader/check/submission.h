// The submission, as a grader sees it: functions to call, and what came back.
//
// Every call runs in the runner, a process of its own (check/worker.h). A call that goes wrong by
// itself ends the test there; what reaches the grader is a call that came back in good order.
//
// Interface: submission(), Submission::call, Call::{output, input, returned, leaked_bytes,
// launches}, Output, out, scratch, on_vgpu, twice.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "check/call.h"
#include "check/launch_record.h"
#include "protocol/contract.h"

namespace lab {

/// Stands for the argument of an `out` parameter, or of a scratch one.
struct OutTag {};
inline constexpr OutTag out, scratch;

/// What the function left in one `out` or `in_out` parameter, without guards and padding.
template <class T>
class Output {
public:
    Output(std::vector<T> values, std::vector<bool> untouched, const Parameter& parameter,
           std::shared_ptr<const CallFacts> facts)
        : values_(std::move(values)),
          untouched_(std::move(untouched)),
          parameter_(parameter),
          facts_(std::move(facts)) {}

    std::size_t size() const { return values_.size(); }
    const T& operator[](std::size_t i) const { return values_[i]; }
    const std::vector<T>& values() const { return values_; }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

    /// Element i still holds the bytes that were put there before the call (`out` only).
    bool untouched(std::size_t i) const { return !untouched_.empty() && untouched_[i]; }
    /// The parameter's name in the contract.
    std::string name() const { return parameter_.name; }
    /// It is in host memory, not on the device.
    bool on_host() const { return parameter_.space != Space::device; }
    /// The call that wrote it.
    const CallFacts& facts() const { return *facts_; }

private:
    std::vector<T> values_;
    std::vector<bool> untouched_;
    Parameter parameter_;
    std::shared_ptr<const CallFacts> facts_;
};

namespace detail {

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
    using Result = R;
    template <std::size_t I>
    using Argument = std::tuple_element_t<I, std::tuple<A...>>;
    static constexpr std::size_t arity = sizeof...(A);
};

/// What lies behind a pointer parameter.
template <class P>
using Element = std::remove_cv_t<std::remove_pointer_t<P>>;

template <auto* Function>
constexpr bool writes(std::size_t i) {
    const Parameter& parameter = Contract<Function>::parameters[i];
    if (parameter.scratch) return false;
    return parameter.direction == Direction::out || parameter.direction == Direction::in_out;
}

/// Position of the only parameter in which the function leaves a result; arity if there is not
/// exactly one.
template <auto* Function>
constexpr std::size_t only_output() {
    constexpr std::size_t arity = Signature<decltype(Function)>::arity;
    std::size_t found = arity;
    for (std::size_t i = 0; i < arity; ++i) {
        if (!writes<Function>(i)) continue;
        if (found != arity) return arity;
        found = i;
    }
    return found;
}

}  // namespace detail

/// A call that came back.
template <auto* Function>
class Call {
    using Types = detail::Signature<decltype(Function)>;
    template <std::size_t I>
    using Element = detail::Element<typename Types::template Argument<I>>;

public:
    explicit Call(CallResult result) : result_(std::move(result)) {}

    /// What parameter number I (from 0) holds after the call.
    template <std::size_t I>
    Output<Element<I>> output() const {
        static_assert(detail::writes<Function>(I), "the contract says that it is not written");
        const ArgumentResult& argument = result_.arguments[I];
        std::vector<Element<I>> values(argument.bytes.size() / sizeof(Element<I>));
        if (!values.empty()) {
            std::memcpy(values.data(), argument.bytes.data(), argument.bytes.size());
        }
        return {std::move(values), argument.untouched, Contract<Function>::parameters[I],
                result_.facts};
    }
    /// The same for functions with one output.
    auto output() const {
        constexpr std::size_t only = detail::only_output<Function>();
        static_assert(only < Types::arity, "say which output: call.output<2>()");
        return output<only>();
    }

    /// What the function returned.
    auto returned() const {
        typename Types::Result value;
        static_assert(sizeof(value) <= kReturnedBytes);
        std::memcpy(&value, result_.returned.data(), sizeof(value));
        return value;
    }

    /// Device memory in use after the call minus before it. Exact on the virtual GPU; on a GPU it
    /// moves in steps of 2 MiB.
    long long leaked_bytes() const { return result_.leaked_bytes; }

    /// The kernels it launched: known on the virtual GPU only, empty on a GPU.
    const std::vector<LaunchRecord>& launches() const { return result_.facts->launches; }

private:
    CallResult result_;
};

namespace detail {

template <class P, class A>
PlannedArgument plan_argument(const Parameter& parameter, const A& argument) {
    if constexpr (std::is_pointer_v<P>) {
        using T = Element<P>;
        static_assert(std::is_trivially_copyable_v<T>);
        PlannedArgument planned;
        planned.element = element_of<T>();
        if constexpr (!std::is_same_v<A, OutTag>) {
            planned.has_data = true;
            const std::span<const T> data(argument);
            planned.data = std::as_bytes(data);
        }
        planned.parameter = parameter;
        return planned;
    } else {
        static_assert(std::is_convertible_v<A, P>, "the contract wants a value here");
        return plan_value(parameter, static_cast<P>(argument));
    }
}

template <auto* Function, class... A>
CallPlan plan_call(const A&... arguments) {
    using Types = Signature<decltype(Function)>;
    static_assert(sizeof...(A) == Types::arity, "one argument for each parameter of the contract");
    CallPlan plan;
    plan.function = Contract<Function>::function;
    if constexpr (!std::is_void_v<typename Types::Result>) {
        static_assert(std::is_trivially_copyable_v<typename Types::Result>);
        plan.returned_bytes = sizeof(typename Types::Result);
    }
    const std::tuple<const A&...> all(arguments...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (plan.arguments.push_back(plan_argument<typename Types::template Argument<I>>(
             Contract<Function>::parameters[I], std::get<I>(all))),
         ...);
    }
    (std::make_index_sequence<sizeof...(A)>{});
    return plan;
}

}  // namespace detail

class Submission {
public:
    /// Calls the submitted function with copies of `arguments`. Comes back only if the call did;
    /// otherwise the test ends here, told why.
    template <auto* Function, class... A>
    Call<Function> call(const A&... arguments) {
        return Call<Function>(call_submission(detail::plan_call<Function>(arguments...)));
    }
};

Submission& submission();

/// True when the virtual GPU runs the submission: then call.launches() is known.
bool on_vgpu();

/// Runs `body` two times; it should draw new data each time. When the first is right and the
/// second is not, the student is told that state is left over from the first.
template <class Body>
void twice(Body&& body) {
    for (int repetition = 1; repetition <= 2; ++repetition) {
        const RepetitionScope scope(repetition);
        body();
    }
}

}  // namespace lab
