// The submission, as a grader sees it: functions to call, and their results. Every call runs in the
// runner, a process of its own (check/call/worker.h). A call that fails ends the test there; the
// grader gets only calls that came back in good order.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "check/call/call.h"
#include "check/gpu/launch_record.h"
#include "check/output/test_log.h"
#include "check/session/call_submission.h"
#include "protocol/contract.h"

namespace lab {

/// Stands for the argument of an `out` parameter, or of a scratch one.
struct OutTag {};
inline constexpr OutTag out, scratch;

/// Stands for the argument of a parameter that is a `view_of` another one: it begins `offset`
/// elements after the start of that one, in the same memory; with a negative offset, before it.
struct OutView {
    std::int64_t offset = 0;
};
/// The same with data, for `in` and `in_out`. Where both parameters have data, they must agree.
template <class T>
struct DataView {
    std::int64_t offset = 0;
    std::vector<T> data;
};
inline OutView view(std::int64_t offset) {
    return {offset};
}
template <class T>
DataView<T> view(std::int64_t offset, std::vector<T> data) {
    return {offset, std::move(data)};
}

/// Stand for the arguments of `stream` and `event` parameters.
struct HandleTag {};
inline constexpr HandleTag new_stream, new_event;

/// What the function left in one `out` or `in_out` parameter, without guards and padding.
template <class T>
class Output {
public:
    Output(std::vector<T> values, std::vector<bool> untouched, const Parameter& parameter,
           std::shared_ptr<const CallFacts> facts, std::vector<std::int64_t> writers = {})
        : values_(std::move(values)),
          untouched_(std::move(untouched)),
          parameter_(parameter),
          facts_(std::move(facts)),
          writers_(std::move(writers)) {}

    std::size_t size() const { return values_.size(); }
    const T& operator[](std::size_t i) const { return values_[i]; }
    const std::vector<T>& values() const { return values_; }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

    /// Element i still holds the bytes that were put there before the call (`out` only).
    bool untouched(std::size_t i) const { return !untouched_.empty() && untouched_[i]; }
    /// For each word of 4 bytes the thread that wrote it last, numbered through the grid; -1: none
    /// did. Empty on a GPU, outside a WritersScope, and unless one launch wrote it all.
    const std::vector<std::int64_t>& writers() const { return writers_; }
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
    std::vector<std::int64_t> writers_;
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

/// How many parameters hold a result after the call, and their positions.
template <auto* Function>
constexpr std::size_t output_count() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < Signature<decltype(Function)>::arity; ++i) {
        if (writes<Function>(i)) ++count;
    }
    return count;
}
template <auto* Function>
constexpr auto find_outputs() {
    std::array<std::size_t, output_count<Function>()> positions{};
    for (std::size_t i = 0, next = 0; next < positions.size(); ++i) {
        if (writes<Function>(i)) positions[next++] = i;
    }
    return positions;
}
template <auto* Function>
inline constexpr auto outputs = find_outputs<Function>();

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
                result_.facts, argument.writers};
    }
    /// The same for functions with one output.
    auto output() const {
        static_assert(detail::outputs<Function>.size() == 1, "say which: call.output<2>()");
        return output<detail::outputs<Function>[0]>();
    }

    /// What the function returned.
    auto returned() const {
        typename Types::Result value;
        static_assert(sizeof(value) <= kReturnedBytes);
        std::memcpy(&value, result_.returned.data(), sizeof(value));
        return value;
    }

    /// Device memory that the submission has allocated after the call minus before it.
    long long leaked_bytes() const { return result_.leaked_bytes; }

    /// The same of streams and events: known on the virtual GPU only, 0 on a GPU.
    long long leaked_handles() const { return result_.leaked_handles; }

    /// The kernels it launched: known on the virtual GPU only, empty on a GPU.
    const std::vector<LaunchRecord>& launches() const { return result_.facts->launches; }
    /// Its kernels, copies and memsets, on the modelled clock: the same.
    const std::vector<OperationRecord>& operations() const { return result_.facts->operations; }

private:
    CallResult result_;
};

namespace detail {

template <class T>
inline constexpr bool is_data_view = false;
template <class T>
inline constexpr bool is_data_view<DataView<T>> = true;

template <class P, class A>
PlannedArgument plan_pointer(const Parameter& parameter, const A& argument) {
    using T = Element<P>;
    static_assert(std::is_trivially_copyable_v<T>);
    PlannedArgument planned;
    planned.parameter = parameter;
    planned.element = element_of<T>();
    const auto give = [&planned](std::span<const T> data) {
        planned.has_data = true;
        planned.data = std::as_bytes(data);
    };
    if constexpr (std::is_same_v<A, OutView> || is_data_view<A>) {
        planned.offset = argument.offset;
        planned.text = view_text(parameter, argument.offset);
        if constexpr (is_data_view<A>) give(argument.data);
    } else if constexpr (!std::is_same_v<A, OutTag>) {
        give(argument);
    }
    return planned;
}

template <class P, class A>
PlannedArgument plan_argument(const Parameter& parameter, const A& argument) {
    if constexpr (std::is_same_v<A, HandleTag>) {
        static_assert(sizeof(P) == sizeof(void*), "no stream and no event");
        PlannedArgument planned;
        planned.parameter = parameter;
        return planned;
    } else if constexpr (std::is_pointer_v<P>) {
        return plan_pointer<P>(parameter, argument);
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

inline Submission& submission() {
    static Submission the_submission;
    return the_submission;
}

/// Runs `body` two times; it should draw new data each time. On the virtual GPU blocks and warps
/// run in another order the second time. When the first is right and the second is not, the message
/// says that the order matters, or that state is left over from the first.
template <class Body>
void twice(Body&& body) {
    for (int repetition = 1; repetition <= 2; ++repetition) {
        const RepetitionScope scope(repetition);
        body();
    }
}

}  // namespace lab
