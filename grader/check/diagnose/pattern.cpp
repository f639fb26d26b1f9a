// Mistakes that leave a regular pattern all over the output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/diagnose/diagnose.h"

namespace lab {
namespace {

// A shift seen in fewer elements could be chance.
constexpr std::size_t kFewestSteps = 4;

bool shifted(const Evidence& e, std::size_t got_from, std::size_t expected_from) {
    for (std::size_t i = 0; i + 1 < e.size(); ++i) {
        if (!e.same(got_from + i, expected_from + i)) return false;
    }
    return true;
}

}  // namespace

std::optional<std::string> every_nth(const Evidence& e) {
    if (e.size() < 2 || !e.right[0]) return std::nullopt;
    const auto second = std::find(e.right.begin() + 1, e.right.end(), true);
    const auto step = static_cast<std::size_t>(second - e.right.begin());
    // Steps of whole warps are blocks; others have other reasons.
    if (step >= e.size() || step % kWarpLanes != 0) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
        const bool is_first_of_block = i % step == 0;
        if (e.right[i] != is_first_of_block || (!e.right[i] && !e.untouched[i])) {
            return std::nullopt;
        }
    }
    return fmt::format(
        "Only every {}th element was written, one a block: threadIdx is missing from the index.",
        step);
}

std::optional<std::string> shifted_by_one(const Evidence& e) {
    const auto right = static_cast<std::size_t>(std::count(e.right.begin(), e.right.end(), true));
    // With equal neighbours, right and shifted look alike.
    if (e.size() < kFewestSteps || right > 1) return std::nullopt;
    if (shifted(e, 0, 1)) {
        return fmt::format(
            "Every element holds what belongs one place later: {}[0] has the value of {}[1]. An "
            "index is off by 1 where it reads or where it writes.",
            e.name, e.name);
    }
    if (shifted(e, 1, 0)) {
        return fmt::format(
            "Every element holds what belongs one place earlier: {}[1] has the value of {}[0]. An "
            "index is off by 1 where it reads or where it writes.",
            e.name, e.name);
    }
    return std::nullopt;
}

std::optional<std::string> whole_numbers(const Evidence& e) {
    // Beyond this, floats have few digits after the point.
    constexpr double kLarge = 1 << 12;
    if (!e.floating || !e.got || !e.expected || e.size() == 0) return std::nullopt;
    std::size_t with_digits = 0;
    bool all_zero = true;
    for (std::size_t i = 0; i < e.size(); ++i) {
        const double got = e.got(i), expected = e.expected(i);
        if (e.untouched[i] || !std::isfinite(got) || std::abs(got) > kLarge ||
            got != std::trunc(got)) {
            return std::nullopt;
        }
        all_zero = all_zero && got == 0;
        with_digits += !e.right[i] && expected != std::trunc(expected) ? 1u : 0u;
    }
    if (2 * with_digits < e.size()) return std::nullopt;
    if (all_zero) {
        if (e.size() < kFewestSteps) return std::nullopt;
        if (e.launches_known && e.launches.empty())
            return fmt::format("Every element of {} is 0, and no kernel was launched.", e.name);
        return fmt::format(
            "Every element of {} is 0. Was nothing added, or did numbers below 1 go through an "
            "int? Only 0 is left of them.",
            e.name);
    }
    return fmt::format("{} of {} is a whole number: the digits after the point got lost in an int.",
                       e.size() == 1 ? "The only element" : "Every element", e.name);
}

std::optional<std::string> few_digits(const Evidence& e) {
    constexpr int kHalf = 11, kBfloat16 = 8, kFloat = 24;
    constexpr double kNear = 0x1p-5;  // of the largest: short types round, they do not invent
    if (!e.floating || e.element_bytes != 4 || !e.got || !e.expected || e.size() < kFewestSteps)
        return {};
    const auto digits_of = [](double value) {
        int exponent = 0;
        double fraction = std::abs(std::frexp(value, &exponent));
        int digits = 0;
        for (; fraction != 0 && digits < kFloat; ++digits)
            fraction = fraction * 2 - (fraction >= 0.5);
        return digits;
    };
    int most = 0;
    std::size_t long_ones = 0;
    double largest = 0, furthest = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        const double got = e.got(i), expected = e.expected(i);
        if (e.untouched[i] || !std::isfinite(got)) return {};
        most = std::max(most, digits_of(got));
        if (most > kHalf) return {};
        long_ones += digits_of(expected) > kHalf ? 1u : 0u;
        largest = std::max(largest, std::abs(expected));
        furthest = std::max(furthest, std::abs(got - expected));
    }
    if (2 * long_ones < e.size() || furthest > kNear * largest) return {};
    return most <= kBfloat16
               ? fmt::format(
                     "Every element of {} has 8 binary digits at most: it went through a "
                     "__nv_bfloat16, where a float has 24.",
                     e.name)
               : fmt::format(
                     "Every element of {} has 11 binary digits at most: it went through "
                     "half precision (__half), where a float has 24.",
                     e.name);
}

}  // namespace lab
