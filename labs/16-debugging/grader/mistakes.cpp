#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

using namespace lab;

Diagnoser part_of_each_row(int height, int width) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        const auto rows = static_cast<std::size_t>(height),
                   columns = static_cast<std::size_t>(width);
        // Every row has the same number of right elements at its beginning, and none after them.
        std::size_t part = 0;
        while (part < columns && e.right[part]) ++part;
        if (part == 0 || part == columns) return std::nullopt;
        for (std::size_t i = 0; i < rows * columns; ++i) {
            const bool inside = i % columns < part;
            if (inside ? !e.right[i] : !e.untouched[i]) return std::nullopt;
        }
        std::string sentence = "Of each row, only the first " + std::to_string(part) + " of " +
                               std::to_string(width) + " elements ";
        sentence += e.on_host ? "arrived." : "were written.";
        if (columns / 4 == part && columns >= 8) sentence += " That is a quarter.";
        return sentence;
    };
}

Diagnoser some_of_the_rows(int height, int width) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        const auto columns = static_cast<std::size_t>(width);
        std::size_t right = 0, wrong = 0;
        bool written = false;
        while (right < e.size() && e.right[right]) ++right;
        for (std::size_t i = right; i < e.size(); ++i) {
            wrong += !e.right[i];
            written = written || !e.untouched[i];
        }
        if (right == 0 || right % columns != 0 || columns < 2) return std::nullopt;
        const std::size_t rows = right / columns;
        if (!written)
            return "Only the first " + std::to_string(rows) + " of " + std::to_string(height) +
                   " rows arrived.";
        // By chance, or from an overlap, a few of the others may be right.
        if (rows != 1 || 2 * wrong < e.size() - right) return std::nullopt;
        return "Only the first row is right. How far apart do the rows begin, in " + e.name +
               " and on the device?";
    };
}

Diagnoser of_a_later_row(const Floats& a) {
    return [&a](const Evidence& e) -> std::optional<std::string> {
        constexpr std::size_t kRow = kThreads;
        std::size_t first_wrong = e.size(), found = 0;
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e.right[i]) continue;
            first_wrong = std::min(first_wrong, i);
            // What a later row has at this place.
            std::size_t row = i / kRow + 1;
            const std::size_t from = kRow - 1 - i % kRow;
            while (row * kRow < e.size() && e.got(i) != static_cast<double>(a[row * kRow + from]))
                ++row;
            if (row * kRow >= e.size()) return std::nullopt;
            if (i == first_wrong) found = row;
        }
        if (first_wrong == e.size()) return std::nullopt;
        return "Wrong elements hold what belongs to a later row: element " +
               std::to_string(first_wrong) + ", of row " + std::to_string(first_wrong / kRow) +
               ", comes from row " + std::to_string(found) +
               ". When it was read, the tile was already that row's.";
    };
}

/// Whether each result is what the last lane of its warp began with.
static bool is_last_of_each_warp(const Ints& a, const Evidence& e) {
    if (a.size() < 64) return false;
    for (std::size_t w = 0; w < a.size() / 32; ++w)
        if (e.untouched[w] || e.got(w) != static_cast<double>(a[32 * w + 31])) return false;
    return true;
}

Diagnoser not_the_largest(const Ints& a) {
    return [&a](const Evidence& e) -> std::optional<std::string> {
        if (is_last_of_each_warp(a, e))
            return "Each result is the last element of its warp. After __shfl_down_sync another "
                   "lane has the maximum.";
        const auto wrong = static_cast<std::size_t>(std::ranges::count(e.right, false));
        if (a.size() % 32 == 0 || wrong != 1 || e.right.back() || e.untouched.back())
            return std::nullopt;
        const std::size_t lanes = a.size() % 32;
        const bool larger = e.got(e.size() - 1) > e.expected(e.size() - 1);
        return "Only the last maximum is wrong, that of " + std::to_string(lanes) +
               (lanes == 1 ? " element: it is " : " elements: it is ") +
               (larger ? "larger than all of them. It comes from a lane without an element."
                       : "smaller than one of them, which has not come.");
    };
}

Diagnoser off_by_words(const Ints& a) {
    const unsigned long long expected = cpu_sum_of_squares(a);
    return [=, &a](const Evidence& e) -> std::optional<std::string> {
        if (e.size() != 1 || e.untouched[0] || a.empty()) return std::nullopt;
        // A double holds the result only roughly, so the exact words are made here.
        unsigned long long by_products = 0, by_unsigned_products = 0, of_unsigned = 0;
        for (const int x : a) {
            of_unsigned += 1ULL * static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(x);
            const auto word = static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(x);
            by_products += static_cast<unsigned long long>(
                static_cast<long long>(static_cast<std::int32_t>(word)));
            by_unsigned_products += word;
        }
        // Cut are the products, or the sum of right ones.
        for (const unsigned long long cut :
             {by_products, by_unsigned_products, expected & 0xffffffffULL}) {
            if (e.got(0) == static_cast<double>(cut) && cut != expected)
                return "Expected and got differ by a multiple of 2^32. What here has 32 bits?";
        }
        if (of_unsigned != expected && e.got(0) == static_cast<double>(of_unsigned))
            return "Numbers below 0 went through an unsigned int before they were multiplied: -1 "
                   "becomes 4,294,967,295.";
        const auto right = static_cast<double>(expected);
        if (e.got(0) == right && right > 0x1p53)
            return "Only the last digits are wrong: somewhere the number is a double, which has 53 "
                   "binary digits.";
        if (std::abs(e.got(0) - right) < 1e-5 * right && right > 0x1p24)
            return "The first digits are right, the last ones are not: somewhere the number is a "
                   "float, which has 24 binary digits.";
        return std::nullopt;
    };
}
