#include "mistakes.h"

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

Diagnoser off_by_words(const Ints& a) {
    const unsigned long long expected = cpu_sum_of_squares(a);
    return [=, &a](const Evidence& e) -> std::optional<std::string> {
        if (e.size() != 1 || e.untouched[0] || a.empty()) return std::nullopt;
        // A double holds the result only roughly, so the exact words are made here.
        unsigned long long by_products = 0;
        for (const int x : a) {
            const auto word = static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(x);
            by_products += static_cast<unsigned long long>(
                static_cast<long long>(static_cast<std::int32_t>(word)));
        }
        // Cut are the products, or the sum of right ones.
        for (const unsigned long long cut : {by_products, expected & 0xffffffffULL}) {
            if (e.got(0) == static_cast<double>(cut) && cut != expected)
                return "Expected and got differ by a multiple of 2^32. What here has 32 bits?";
        }
        return std::nullopt;
    };
}
