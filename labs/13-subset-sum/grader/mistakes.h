// Recognises mistakes of lab 13 by the columns that they compute.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "oracle.h"

/// Columns that are computed only when an output is wrong.
using ColumnMistake = lab::KnownMistake<std::function<Column()>>;
using WordsMistake = lab::KnownMistake<std::function<Words()>>;

/// Mistakes in one column. `column` is the one before, and must outlive the result.
std::vector<ColumnMistake> mistakes_of_columns(const Column& column, int item);

/// Mistakes in the last column of these items, which must outlive the result.
std::vector<ColumnMistake> mistakes_of_sums(const std::vector<int>& items, int target);

/// The same in bits: those of mistakes_of_sums, and mistakes in the shift.
std::vector<WordsMistake> mistakes_of_bits(const std::vector<int>& items, int target);

/// "The flag of the target itself was not written": all others are right.
std::optional<std::string> target_left_out(const lab::Evidence&);
/// "With chunk = 4 only the first 256 of 1001 elements were written": no loop over the rest.
std::optional<std::string> no_loop(const lab::Evidence&, int chunk);
/// "A flag is 2": the sum of two flags, another number for true, or the bytes of something else.
std::optional<std::string> no_flag(const lab::Evidence&);
/// "Only flags that are 1 are stored": of all others nothing was written.
std::optional<std::string> only_ones_stored(const lab::Evidence&);
/// "Nothing was written": a return for n = 0, where column 0 is the result.
std::optional<std::string> nothing_without_items(const lab::Evidence&, int n);
/// "Bits of sums above the target are 1", or that of the target is 0: all others are right.
std::optional<std::string> bits_behind_target(const lab::Evidence&, int target);
