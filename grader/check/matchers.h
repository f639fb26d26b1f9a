// Matchers for CHECK_THAT: compare an output with the expected one, and name the mistake behind the
// difference.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch_tostring.hpp>
#include <catch2/matchers/catch_matchers_templated.hpp>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/call/show_element.h"
#include "check/diagnose/diagnose.h"
#include "check/diagnose/mismatch.h"
#include "check/mistakes/known_mistake.h"
#include "check/submission.h"
#include "protocol/parallel.h"

// Use:
//
//   CHECK_THAT(call.output(), equals(expected));
//   CHECK_THAT(call.output(), close_to(expected, ulps(4)).or_diagnose(indexing_mistakes));
//   CHECK_THAT(call.output(), close_to(expected, [&](std::size_t i) { return bound(i); }));
//   CHECK_THAT(call.output(), equals(expected).or_looks_like(without_tail, "the tail is missing"));
//   CHECK_THAT(race, at_least(0.45));
//
// A NaN equals nothing, unless a NaN was expected there. Elements of a type of yours need
// operator== and operator<<.

namespace lab {

namespace detail {

template <class T>
bool is_nan(const T& value) {
    if constexpr (std::floating_point<T>) return std::isnan(value);
    return false;
}

template <class T>
std::string show(const T& value) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        return lab::show_float(value);
    else if constexpr (std::is_same_v<T, unsigned char> || std::is_same_v<T, signed char>)
        return std::to_string(int{value});  // a number, not a letter
    else
        return Catch::StringMaker<T>::convert(value);
}

/// Filled with vgpu::kFreshMemory.
template <class T>
bool is_fresh(const T& value) {
    constexpr unsigned char kFresh = 0xCB;
    if constexpr (!std::is_arithmetic_v<T> || sizeof(T) < 4) return false;
    std::array<unsigned char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    return std::all_of(bytes.begin(), bytes.end(),
                       [](unsigned char byte) { return byte == kFresh; });
}

}  // namespace detail

/// Matches an Output (or any range with [] and size()) against `expected`, element by element.
template <class T, class Agrees>
class Comparison : public Catch::Matchers::MatcherGenericBase {
public:
    Comparison(std::vector<T> expected, Agrees agrees)
        : expected_(std::move(expected)), agrees_(std::move(agrees)) {}

    /// Adds diagnosers: the first that recognises the mistake is quoted.
    Comparison&& or_diagnose(const Diagnosers& diagnosers) && {
        diagnosers_.insert(diagnosers_.end(), diagnosers.begin(), diagnosers.end());
        return std::move(*this);
    }
    Comparison&& or_diagnose(Diagnoser diagnoser) && {
        diagnosers_.push_back(std::move(diagnoser));
        return std::move(*this);
    }
    /// Says `sentence` if the output is, in every element, what this wrong program would give.
    Comparison&& or_looks_like(std::vector<T> wrong, std::string sentence) && {
        return std::move(*this).or_looks_like([wrong = std::move(wrong)] { return wrong; },
                                              std::move(sentence));
    }
    /// The same where `wrong()` makes it: called only when the output is not right.
    template <std::invocable Wrong>
    Comparison&& or_looks_like(Wrong wrong, std::string sentence) && {
        lookalikes_.push_back({std::move(wrong), std::move(sentence)});
        return std::move(*this);
    }
    /// The same for each of these wrong programs.
    template <class Result>
    Comparison&& or_looks_like(const std::vector<KnownMistake<Result>>& mistakes) && {
        for (const auto& [result, sentence] : mistakes) {
            std::move(*this).or_looks_like(result, sentence);
        }
        return std::move(*this);
    }

    bool match(const Output<T>& output) const;
    /// The same without a message. Reads each element once.
    bool all_right(std::span<const T> values) const;
    std::string describe() const override { return description_; }

    const std::vector<T>& expected() const { return expected_; }

private:
    Evidence evidence_of(const Output<T>& output) const;
    /// That the matcher allows at element i; 0 when it must be exact.
    double tolerance(std::size_t i) const;
    detail::Mismatch::Again call_again(const Output<T>& output) const;

    struct Lookalike {
        std::function<std::vector<T>()> values;
        std::string sentence;
    };
    bool same(const T& got, const T& expected, std::size_t i) const {
        if (detail::is_nan(expected)) return detail::is_nan(got);
        return agrees_(got, expected, i);
    }

    std::vector<T> expected_;
    Agrees agrees_;
    Diagnosers diagnosers_;
    std::vector<Lookalike> lookalikes_;
    mutable std::string description_ = "has the expected elements";
};

namespace detail {
struct Exactly {
    template <class T>
    bool operator()(const T& got, const T& expected, std::size_t) const {
        return got == expected;
    }
};
template <class Tolerance>
struct Within {
    Tolerance tolerance;
    template <class T>
    bool operator()(const T& got, const T& expected, std::size_t i) const {
        if (std::isinf(expected)) return got == expected;
        const double error = std::abs(static_cast<double>(got) - static_cast<double>(expected));
        return !(error > bound(expected, i)) && !std::isnan(error);
    }
    template <class T>
    double bound(const T& expected, std::size_t i) const {
        if constexpr (requires { tolerance.template bound<T>(expected); }) {
            return tolerance.template bound<T>(expected);
        } else {
            return static_cast<double>(tolerance(i));
        }
    }
};
}  // namespace detail

/// Units in the last place of the expected value: a tolerance for close_to.
struct ulps {
    double count;
    explicit ulps(double n) : count(n) {}
    template <std::floating_point T>
    double bound(T expected) const {
        const T magnitude = std::abs(expected);
        const T next = std::nextafter(magnitude, std::numeric_limits<T>::infinity());
        return count * (static_cast<double>(next) - static_cast<double>(magnitude));
    }
};

/// Every element is exactly as expected (-0 equals 0).
template <class T>
Comparison<T, detail::Exactly> equals(std::vector<T> expected) {
    return {std::move(expected), {}};
}

/// Every element's error is at most ulps(count), or tolerance(i) for element i.
template <class T, class Tolerance>
Comparison<T, detail::Within<Tolerance>> close_to(std::vector<T> expected, Tolerance tolerance) {
    return {std::move(expected), {std::move(tolerance)}};
}

template <class T, class Agrees>
bool Comparison<T, Agrees>::all_right(std::span<const T> values) const {
    if (values.size() != expected_.size()) return false;
    std::atomic<bool> right = true;
    for_each_range(values.size(), [&](std::size_t begin, std::size_t end) {
        bool all = true;
        for (std::size_t i = begin; i < end; ++i) all = all && same(values[i], expected_[i], i);
        if (!all) right = false;
    });
    return right;
}

template <class T, class Agrees>
bool Comparison<T, Agrees>::match(const Output<T>& output) const {
    const std::size_t size = output.size();
    // Most outputs are right, and some are large: the evidence is gathered only when needed.
    if (all_right(output.values())) return true;
    detail::Mismatch mismatch;
    mismatch.evidence = evidence_of(output);

    Diagnosers diagnosers;
    for (const Lookalike& lookalike : lookalikes_) {
        diagnosers.push_back([&](const Evidence&) -> std::optional<std::string> {
            const std::vector<T> values = lookalike.values();
            if (values.size() != size) return std::nullopt;
            for (std::size_t i = 0; i < size; ++i) {
                if (output.untouched(i) || !same(output[i], values[i], i)) return std::nullopt;
            }
            return lookalike.sentence;
        });
    }
    mismatch.lookalikes = diagnosers.size();
    diagnosers.insert(diagnosers.end(), diagnosers_.begin(), diagnosers_.end());

    mismatch.is_fresh = [&](std::size_t i) { return on_vgpu() && detail::is_fresh(output[i]); };
    mismatch.facts = &output.facts();
    mismatch.expected_size = expected_.size();
    mismatch.show_expected = [&](std::size_t i) { return detail::show(expected_[i]); };
    mismatch.show_got = [&](std::size_t i) { return detail::show(output[i]); };
    if constexpr (requires { agrees_.bound(expected_[0], std::size_t{}); }) {
        mismatch.show_tolerance = [&](std::size_t i) { return lab::show_tolerance(tolerance(i)); };
    }
    if (output.facts().again) mismatch.again = [&] { return call_again(output); };
    description_ = detail::report_mismatch(mismatch, diagnosers);
    return false;
}

template <class T, class Agrees>
Evidence Comparison<T, Agrees>::evidence_of(const Output<T>& output) const {
    const std::size_t size = output.size();
    Evidence evidence;
    evidence.name = output.name();
    evidence.launches = output.facts().launches;
    evidence.launches_known = on_vgpu();
    evidence.on_host = output.on_host();
    evidence.element_bytes = sizeof(T);
    evidence.floating = std::floating_point<T>;
    evidence.right.resize(size);
    evidence.untouched.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        evidence.right[i] = i < expected_.size() && same(output[i], expected_[i], i);
        evidence.untouched[i] = output.untouched(i);
    }
    evidence.same = [this, &output](std::size_t got, std::size_t expected) {
        return got < output.size() && expected < expected_.size() &&
               same(output[got], expected_[expected], expected);
    };
    if constexpr (std::is_arithmetic_v<T>) {
        evidence.got = [&output](std::size_t i) { return static_cast<double>(output[i]); };
        evidence.expected = [this](std::size_t i) { return static_cast<double>(expected_[i]); };
        evidence.tolerance = [this](std::size_t i) { return tolerance(i); };
        const std::vector<std::byte> bytes =
            output.facts().before ? output.facts().before(output.name()) : std::vector<std::byte>();
        if (bytes.size() == size * sizeof(T) && size > 0) {
            std::vector<T> values(size);
            std::memcpy(values.data(), bytes.data(), bytes.size());
            evidence.before = [values = std::move(values)](std::size_t i) {
                return static_cast<double>(values[i]);
            };
        }
    }
    return evidence;
}

template <class T, class Agrees>
double Comparison<T, Agrees>::tolerance(std::size_t i) const {
    if constexpr (requires { agrees_.bound(expected_[0], std::size_t{}); }) {
        return agrees_.bound(expected_[i], i);
    } else {
        return 0;
    }
}

template <class T, class Agrees>
detail::Mismatch::Again Comparison<T, Agrees>::call_again(const Output<T>& output) const {
    using Again = detail::Mismatch::Again;
    const auto bytes = output.facts().again(output.name());
    if (!bytes || bytes->size() != output.size() * sizeof(T)) return Again::failed;
    std::vector<T> repeated(output.size());
    if (!bytes->empty()) std::memcpy(repeated.data(), bytes->data(), bytes->size());
    bool all_same = true, all_right = true, adds_up = std::is_arithmetic_v<T>;
    for (std::size_t i = 0; i < output.size(); ++i) {
        const bool bits_same = std::memcmp(&repeated[i], &output[i], sizeof(T)) == 0;
        all_same = all_same && (bits_same || agrees_(repeated[i], output[i], i));
        all_right = all_right && same(repeated[i], expected_[i], i);
        if constexpr (std::is_arithmetic_v<T>) {
            // Sums of floats that grew large are rounded more coarsely.
            const double more = static_cast<double>(repeated[i]) - static_cast<double>(output[i]);
            const double rounding =
                std::is_floating_point_v<T> ? 1e-6 * std::abs(static_cast<double>(repeated[i])) : 0;
            const double error = std::abs(more - static_cast<double>(expected_[i]));
            adds_up = adds_up && error <= 2 * tolerance(i) + rounding;
        }
    }
    if (all_same) return Again::same;
    if (all_right) return Again::right;
    return adds_up ? Again::adds_up : Again::different;
}

}  // namespace lab

// An Output is a range; Catch2 would print all of it.
template <class T>
struct Catch::is_range<lab::Output<T>> : std::false_type {};

/// Catch2 prints the output by name: its elements are in the matcher's message.
template <class T>
struct Catch::StringMaker<lab::Output<T>> {
    static std::string convert(const lab::Output<T>& output) {
        return output.name() + " after " + output.facts().call_text;
    }
};
