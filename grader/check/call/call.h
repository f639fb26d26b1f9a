// A call without its types. The templates of submission.h fill it in and read it out, so that
// call.cpp does all the work once. Graders do not use this directly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "check/gpu/launch_record.h"
#include "check/gpu/operation_record.h"
#include "check/output/place.h"
#include "protocol/contract.h"

namespace lab {

/// No function of a contract returns more.
inline constexpr std::size_t kReturnedBytes = 64;

/// What lies behind a pointer, as far as poison, guards and messages care.
struct ElementType {
    std::size_t size_bytes = 1;
    bool floating = false;  ///< float or double: poisoned with NaN, mutated in the mantissa
    std::string plural;     ///< "floats", for messages
};

template <class T>
ElementType element_of() {
    ElementType type;
    type.size_bytes = sizeof(T);
    type.floating = std::is_same_v<T, float> || std::is_same_v<T, double>;
    if constexpr (std::is_same_v<T, float>) {
        type.plural = "floats";
    } else if constexpr (std::is_same_v<T, double>) {
        type.plural = "doubles";
    } else if constexpr (std::is_same_v<T, int>) {
        type.plural = "ints";
    } else if constexpr (std::is_same_v<T, unsigned>) {
        type.plural = "unsigned ints";
    } else if constexpr (std::is_same_v<T, unsigned char>) {
        type.plural = "bytes";
    } else {
        type.plural = "elements of " + std::to_string(sizeof(T)) + " bytes";
    }
    return type;
}

struct PlannedArgument {
    Parameter parameter{};
    ElementType element;                 ///< of pointers
    bool has_data = false;               ///< false: the tag `out`, or `view(offset)` of an output
    std::optional<std::int64_t> offset;  ///< `view`: elements from the start of parameter.base
    std::span<const std::byte> data;     ///< in, in_out: the caller's, without padding
    std::vector<std::byte> value_bytes;  ///< values
    bool is_integer = false;             ///< values that extents may name
    std::int64_t integer = 0;
    std::string text;  ///< values and views: as messages show it

    bool is_written() const {
        return parameter.direction == Direction::out || parameter.direction == Direction::in_out;
    }
};

struct CallPlan {
    std::string function;
    std::vector<PlannedArgument> arguments;
    std::size_t returned_bytes = 0;
    bool for_speed = false;  ///< larger than the calls before it, and asked how fast, not how right

    /// "n = 257": the values, and where views lie: "out = in + 5".
    std::string case_text() const;
    /// "vector_add(n = 257)"
    std::string call_text() const;
};

namespace detail {
std::string text_of(float value);
std::string text_of(double value);
/// "in + 5": where a view lies, for messages.
std::string view_text(const Parameter& parameter, std::int64_t offset);

template <class T>
PlannedArgument plan_value(const Parameter& parameter, T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    PlannedArgument planned;
    planned.parameter = parameter;
    planned.value_bytes.resize(sizeof(T));
    std::memcpy(planned.value_bytes.data(), &value, sizeof(T));
    if constexpr (std::is_integral_v<T>) {
        planned.is_integer = true;
        planned.integer = static_cast<std::int64_t>(value);
        planned.text = std::to_string(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        planned.text = text_of(value);  // 1.7, not the double next to the float
    }
    return planned;
}
}  // namespace detail

/// What matchers and diagnosers may know of the call that wrote an output.
struct CallFacts {
    std::string call_text;  ///< "vector_add(n = 257)"
    std::string case_text;  ///< "n = 257"
    std::vector<LaunchRecord> launches;
    Place place;  ///< where the student defines the function
    /// What a parameter held before the call, without padding; empty: not known.
    std::function<std::vector<std::byte>(const std::string& name)> before{};
    /// Makes the same call once more, with the same bytes everywhere, and gives what is then in the
    /// parameter; nothing when it does not come back in order. Empty: cannot be done.
    std::function<std::optional<std::vector<std::byte>>(const std::string& name)> again{};
    std::vector<OperationRecord> operations{};  ///< on the virtual GPU
    double allocating_us = 0;                   ///< on the virtual GPU, as DeviceRecords has it
    std::uint64_t printed_bytes = 0;            ///< by the host and by kernels
    /// Lets a new process of the submission answer, as if no call had come before. Empty: none has,
    /// or it cannot be done.
    std::function<void()> begin_afresh{};
};

struct ArgumentResult {
    std::vector<std::byte> bytes;         ///< out, in_out: without padding
    std::vector<bool> untouched;          ///< a flag an element
    std::vector<std::int64_t> writers{};  ///< Output::writers()
};

struct CallResult {
    std::shared_ptr<const CallFacts> facts;
    std::vector<ArgumentResult> arguments;  ///< by parameter position
    std::array<std::byte, kReturnedBytes> returned{};
    std::int64_t leaked_bytes = 0;
    std::int64_t leaked_handles = 0;  ///< streams and events; negative: the caller's were destroyed
};

}  // namespace lab
