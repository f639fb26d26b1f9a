// Which sums some items can make: the right answers of lab 13, in plain code of two kinds.
#pragma once

#include <cstddef>
#include <vector>

using Column = std::vector<unsigned char>;  ///< target + 1 of them, each 0 or 1
using Words = std::vector<unsigned>;        ///< the same, 32 in a word

/// next_column: the flags of the sums with the item, or without it.
Column column_after(const Column& column, int item);

/// The last column by the recurrence, item after item.
Column sums_by_columns(const std::vector<int>& items, int target);

/// The same without a table: the sum of each of the 2^n subsets. For at most 20 items.
Column sums_of_all_subsets(const std::vector<int>& items, int target);

/// 32 flags in a word, the first in the lowest bit.
Words packed(const Column& flags);

/// The sums of all subsets, as bits.
Words bits_of_all_subsets(const std::vector<int>& items, int target);
