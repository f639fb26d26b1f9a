#include "check/mistakes/narrow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace lab {
namespace {

constexpr int kWordBits = 32;
constexpr std::array kWidths{16, 8};

/// Expected minus got.
std::vector<std::int64_t> shortages(const Evidence& e) {
    std::vector<std::int64_t> missing(e.size());
    for (std::size_t i = 0; i < e.size(); ++i) {
        missing[i] = std::llround(e.expected(i)) - std::llround(e.got(i));
    }
    return missing;
}

/// Each number is the right one's lowest bits, with or without a sign.
bool is_all_that_fits(const Evidence& e, int bits) {
    const auto fits = [&](bool has_sign) {
        const std::int64_t end = std::int64_t{1} << bits;
        for (std::size_t i = 0; i < e.size(); ++i) {
            std::int64_t rest = (std::llround(e.expected(i)) % end + end) % end;
            if (has_sign && rest >= end / 2) rest -= end;
            if (std::llround(e.got(i)) != rest) return false;
        }
        return true;
    };
    return fits(false) || fits(true);
}

/// Counters of `bits` bits, several in an int, that carried into the next one in it.
bool has_carried(const std::vector<std::int64_t>& missing, int bits) {
    const auto in_a_word = static_cast<std::size_t>(kWordBits / bits);
    bool is_seen = false;
    for (std::size_t first = 0; first < missing.size(); first += in_a_word) {
        std::uint64_t word = 0;
        for (std::size_t j = 0; j < in_a_word && first + j < missing.size(); ++j) {
            word += static_cast<std::uint64_t>(missing[first + j]) << static_cast<int>(j) * bits;
            is_seen = is_seen || missing[first + j] < 0;
        }
        if (static_cast<std::uint32_t>(word) != 0) return false;
    }
    return is_seen;
}

}  // namespace

std::optional<std::string> narrow_counters(const Evidence& e) {
    const bool is_known = e.got && e.expected && !e.floating && e.size() > 0;
    if (!is_known || std::ranges::find(e.untouched, true) != e.untouched.end()) return std::nullopt;
    const std::vector<std::int64_t> missing = shortages(e);
    for (const int bits : kWidths) {
        const std::int64_t end = std::int64_t{1} << bits;
        if (is_all_that_fits(e, bits)) {
            return fmt::format("The numbers begin again at {}: they are kept in {} bits somewhere.",
                               end, bits);
        }
        if (std::ranges::all_of(missing, [=](auto m) { return m >= 0 && m % end == 0; })) {
            return fmt::format(
                "Each wrong number is a multiple of {} too low: counters of {} bits "
                "begin again there.",
                end, bits);
        }
        if (has_carried(missing, bits)) {
            return fmt::format(
                "Counters of {} bits share an int, and one that was full has carried "
                "into the next. The most that a block may count is {}.",
                bits, end - 1);
        }
    }
    return std::nullopt;
}

}  // namespace lab
