#include "mistakes.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "check/mistakes/patterns.h"

using namespace lab;

namespace {

std::size_t size_of(int target) {
    return static_cast<std::size_t>(target) + 1;
}

/// next[i] = combine(i) for each i.
template <class Combine>
Column each_flag(std::size_t size, Combine combine) {
    Column next(size);
    for (std::size_t i = 0; i < size; ++i) next[i] = combine(i) ? 1 : 0;
    return next;
}

/// The item may be taken any number of times: what a column gives that is changed in place from
/// its first flag to its last.
Column column_in_place(Column column, int item) {
    for (auto i = static_cast<std::size_t>(item); i < column.size(); ++i) {
        column[i] |= column[i - static_cast<std::size_t>(item)];
    }
    return column;
}

/// The last column, if each one is `next(column, item)`.
template <class Next>
Column last_column(const std::vector<int>& items, Column column, Next next) {
    for (const int item : items) column = next(column, item);
    return column;
}

Column no_items(int target) {
    Column column(size_of(target));
    column[0] = 1;
    return column;
}

/// The last column, if column 0 has four flags that are 1, in steps of `step`.
Column from_four_ones(const std::vector<int>& items, int target, std::size_t step) {
    Column column(size_of(target));
    for (std::size_t i = 0; i < std::min(4 * step, column.size()); i += step) column[i] = 1;
    return last_column(items, std::move(column), column_after);
}

unsigned reversed(unsigned word) {
    unsigned result = 0;
    for (int bit = 0; bit < 32; ++bit) result |= (word >> bit & 1u) << (31 - bit);
    return result;
}

/// The last column in words, if each one is column | shifted(column, item).
template <class Shifted>
Words last_words(const std::vector<int>& items, int target, Shifted shifted) {
    Words column(size_of(target) / 32 + (size_of(target) % 32 != 0 ? 1 : 0));
    column[0] = 1;
    for (const int item : items) {
        Words next = column;
        for (std::size_t w = 0; w < next.size(); ++w) next[w] |= shifted(column, w, item);
        next.back() &= 0xffffffffu >> (31 - target % 32);
        column = std::move(next);
    }
    return column;
}

/// Word w - distance, or 0 before the first one.
unsigned word_before(const Words& column, std::size_t w, std::size_t distance) {
    return w >= distance ? column[w - distance] : 0;
}

const char* const kTakenAgain =
    "An item is in a sum more than once. The flag at i - item must come from the column before, "
    "which no thread changes, not from the one that is being written.";

std::vector<int> without(std::vector<int> items, std::size_t which) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(which));
    return items;
}

}  // namespace

std::vector<ColumnMistake> mistakes_of_columns(const Column& column, int item) {
    const std::size_t size = column.size();
    const auto distance = static_cast<std::size_t>(item);
    const auto has = [=, &column](std::size_t i) {
        return i >= distance && column[i - distance] != 0;
    };
    if (distance >= size) return {};
    return {
        {[&column] { return column; },
         "Every flag is that of the column before: the item has made no new sum."},
        {[=] { return each_flag(size, has); },
         "Only sums with the item are there. Those that need no item, column[i], are lost."},
        {[=, &column] {
             return each_flag(
                 size, [&](std::size_t i) { return column[i] != 0 || (i > distance && has(i)); });
         },
         "All flags are right but that of the sum " + std::to_string(item) +
             ", the item alone: i - item may be 0."},
        {[=, &column] { return column_in_place(column, item); }, kTakenAgain},
        {[=, &column] {
             return each_flag(
                 size, [&](std::size_t i) { return column[i] != 0 && (i < distance || has(i)); });
         },
         "A flag is 1 only where the sum can be made both with the item and without it. One of "
         "the two is enough."},
        {[=, &column] {
             return each_flag(size, [&](std::size_t i) { return (column[i] != 0) != has(i); });
         },
         "A flag is 0 where the sum can be made both with the item and without it."},
        {[=, &column] {
             return each_flag(size, [&](std::size_t i) {
                 return column[i] != 0 || (i + distance < size && column[i + distance] != 0);
             });
         },
         "The flag at i + item was taken, not that at i - item: the shift goes the wrong way."},
    };
}

std::vector<ColumnMistake> mistakes_of_sums(const std::vector<int>& items, int target) {
    std::vector<ColumnMistake> mistakes;
    if (items.empty()) return mistakes;
    const std::size_t n = items.size();
    mistakes.push_back({[=] { return Column(size_of(target), 0); },
                        "No sum is reachable, not even 0. Which flag of column 0 is 1?"});
    mistakes.push_back(
        {[=] { return Column(size_of(target), 1); },
         "Every sum is reachable. In column 0, without any item, only one sum is. Did cudaMemset "
         "set all flags to 1?"});
    mistakes.push_back({[&items, target] { return from_four_ones(items, target, 1); },
                        "Column 0 begins with four flags that are 1, and only the sum 0 needs no "
                        "item. A flag is one byte, not an int."});
    mistakes.push_back(
        {[&items, target] { return last_column(items, no_items(target), column_in_place); },
         kTakenAgain});
    const std::string last =
        n == 1 ? "This is column 0, without any item" : "This is the column before the last";
    mistakes.push_back(
        {[&items, target, n] { return sums_by_columns(without(items, n - 1), target); },
         last + ": the last item is missing. Does the loop end too early, or does the "
                "last column lie in the other array?"});
    mistakes.push_back({[&items, target] { return sums_by_columns(without(items, 0), target); },
                        "The first item is missing: these are the sums of all items but s[0]."});
    for (std::size_t room = 16; room < n; room *= 2) {
        mistakes.push_back({[=, &items] {
                                const auto end = items.begin() + static_cast<std::ptrdiff_t>(room);
                                return sums_by_columns({items.begin(), end}, target);
                            },
                            "Only the first " + std::to_string(room) +
                                " items were used. There may be any number of them."});
    }
    mistakes.push_back({[&items, target, n] { return sums_by_columns({items[n - 1]}, target); },
                        "Only the last item was used: each column began from column 0 again."});
    mistakes.push_back(
        {[&items, target] {
             std::vector<int> small = items;
             std::erase_if(small, [=](int item) { return item >= target; });
             return sums_by_columns(small, target);
         },
         "Items as large as the target were left out. The item alone has that sum."});
    mistakes.push_back({[&items, target] {
                            const auto end = std::ranges::find_if(
                                items, [=](int item) { return item > target; });
                            return sums_by_columns({items.begin(), end}, target);
                        },
                        "The items end at the first one that is larger than the target. Those "
                        "behind it count, too."});
    mistakes.push_back({[&items, target] {
                            Column column = no_items(target);
                            for (const int item : items) {
                                column = column_after(column, item);
                                if (column.back() != 0) break;
                            }
                            return column;
                        },
                        "The columns end with the first that reaches the target. The result is a "
                        "whole column: items after that one make new sums, too."});
    return mistakes;
}

std::vector<WordsMistake> mistakes_of_bits(const std::vector<int>& items, int target) {
    std::vector<WordsMistake> mistakes;
    for (auto& [flags, sentence] : mistakes_of_sums(items, target)) {
        mistakes.push_back({[flags] { return packed(flags()); }, sentence});
    }
    mistakes.push_back({[&items, target] {
                            Words words = packed(sums_by_columns(items, target));
                            std::ranges::transform(words, words.begin(), reversed);
                            return words;
                        },
                        "The bits of each word are in reverse order: bit 0, the lowest, has the "
                        "smallest sum of a word."});
    mistakes.push_back({[&items, target] { return packed(from_four_ones(items, target, 8)); },
                        "Column 0 begins with the word 0x01010101, not with 1: cudaMemset sets "
                        "bytes, not elements."});
    const auto add = [&](auto shifted, const char* sentence) {
        mistakes.push_back(
            {[&items, target, shifted] { return last_words(items, target, shifted); }, sentence});
    };
    add(
        [](const Words& column, std::size_t w, int item) {
            return word_before(column, w, static_cast<std::size_t>(item / 32)) << item % 32;
        },
        "Bits that leave a word at its top are lost. They belong into the lowest bits of the next "
        "word.");
    add([](const Words& column, std::size_t w,
           int item) { return word_before(column, w, static_cast<std::size_t>(item / 32)); },
        "Columns are shifted by whole words only: item % 32 bits are missing.");
    add(
        [](const Words& column, std::size_t w, int item) {
            const int bits = item % 32;
            return (column[w] << bits) | (bits == 0 ? 0 : word_before(column, w, 1) >> (32 - bits));
        },
        "Columns are shifted within a word and into the next, but not by item / 32 words.");
    add(
        [](const Words& column, std::size_t w, int item) {
            const auto words = static_cast<std::size_t>(item / 32);
            const std::uint64_t both = std::uint64_t{word_before(column, w, words)} |
                                       std::uint64_t{word_before(column, w, words + 1)} << 32;
            return static_cast<unsigned>(both << item % 32 >> 32);
        },
        "The two words that a shift needs have changed places: the one further down must be the "
        "lower half.");
    add(
        [](const Words& column, std::size_t w, int item) {
            const auto words = static_cast<std::size_t>(item / 32);
            const std::uint64_t both = std::uint64_t{word_before(column, w, words + 1)} |
                                       std::uint64_t{word_before(column, w, words)} << 32;
            return static_cast<unsigned>(both >> item % 32);
        },
        "The bits were shifted down, towards smaller sums.");
    add(
        [](const Words& column, std::size_t w, int item) {
            return word_before(column, w, static_cast<std::size_t>(item / 32) + 1) << item % 32;
        },
        "Of the two shifted words the lower one was taken. What it has lost at its top is in the "
        "upper one.");
    return mistakes;
}

std::optional<std::string> target_left_out(const Evidence& e) {
    const std::size_t target = e.size() - 1;
    if (e.size() < 3 || e.right[target] || !others_are_right(e, target)) return std::nullopt;
    return "Only the last flag, that of the target itself, " +
           std::string(e.untouched[target] ? "was not written" : "is wrong") +
           ": a column has target + 1 flags, from 0 to target.";
}

std::optional<std::string> no_loop(const Evidence& e, int chunk) {
    const auto first_wrong = std::ranges::find(e.right, false);
    const auto written = static_cast<std::size_t>(first_wrong - e.right.begin());
    if (chunk == 1 || written < kWarpLanes || written % kWarpLanes != 0 ||
        !right_only_up_to(e, written) ||
        written > (e.size() - 1) / static_cast<std::size_t>(chunk) + 1024) {
        return std::nullopt;
    }
    return "With chunk = " + std::to_string(chunk) + " only the first " + std::to_string(written) +
           " of " + std::to_string(e.size()) +
           " elements were written, one by each thread. Each thread has up to " +
           std::to_string(chunk) + " elements.";
}

std::optional<std::string> only_ones_stored(const Evidence& e) {
    std::size_t missing = 0, ones = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.right[i]) {
            ones += e.got(i) == 1;
            continue;
        }
        if (!e.untouched[i] || e.expected(i) != 0) return std::nullopt;
        ++missing;
    }
    if (missing < 4 || ones == 0) return std::nullopt;
    return "Only flags that are 1 are stored. " + e.name +
           " holds garbage before the call, so a flag that is 0 must be stored, too.";
}

std::optional<std::string> no_flag(const Evidence& e) {
    bool are_small = true;
    std::size_t all = 0, twos = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.untouched[i] || e.got(i) <= 1) continue;
        ++all;
        if (e.got(i) == 2) ++twos;
        are_small = are_small && e.got(i) < 128;
    }
    if (all == 0) return std::nullopt;
    bool are_right_but_255 = true;
    for (std::size_t i = 0; i < e.size(); ++i)
        are_right_but_255 = are_right_but_255 && e.got(i) == 255 * e.expected(i);
    if (are_right_but_255) {
        return "The right flags are set, but to 255. A flag is 0 or 1.";
    }
    if (twos == all) {
        return "Some flags are 2. A flag is 1 if there is at least one way to make the sum; it "
               "does not count them.";
    }
    if (are_small) {
        return "Some flags are larger than 1. They say that there is a way to make the sum; they "
               "do not count the ways.";
    }
    return "Some flags are neither 0 nor 1: they come from memory that was not set. Every flag of "
           "column 0 must be set, and later columns are made from the one before only.";
}

std::optional<std::string> nothing_without_items(const Evidence& e, int n) {
    if (n > 0 || !e.untouched[0]) return std::nullopt;
    return "Nothing was written to " + e.name +
           ". Without any items column 0 is the result: the sum 0 can be made.";
}

std::optional<std::string> bits_behind_target(const Evidence& e, int target) {
    const std::size_t last = e.size() - 1;
    const int used = target % 32 + 1;
    if (e.right[last] || !others_are_right(e, last)) return std::nullopt;
    const auto got = static_cast<std::uint32_t>(static_cast<std::int64_t>(e.got(last)));
    const auto expected = static_cast<std::uint32_t>(static_cast<std::int64_t>(e.expected(last)));
    if (!e.untouched[last] && (got | 1u << (used - 1)) == expected)
        return "All flags are right, but that of the target itself: in the last word its bit is 0.";
    if (used == 32 || e.untouched[last] || (got & ((1u << used) - 1)) != expected)
        return std::nullopt;
    return "All flags are right, but in the last word bits of sums above the target are 1, too. "
           "Only its lowest " +
           std::to_string(used) + " bits have a sum.";
}
