// Recognises mistakes of lab 14 by what is missing, there twice, or in another place.
#pragma once

#include <optional>
#include <string>

#include "oracle.h"

/// Why *count is `got`, which is not the number of elements that `a` keeps, in a sentence.
std::optional<std::string> mistake_of_count(const Floats& a, int got);

/// Why `kept` is not what `a` keeps, with a right *count. `in_order`: the order matters.
std::optional<std::string> mistake_of_kept(const Floats& a, const lab::Output<float>& kept,
                                           std::size_t count, bool in_order);

/// Why *made is `got`.
std::optional<std::string> mistake_of_made(const Entries& values, const Entries& got_entries,
                                           int got, int reserved);

/// What is wrong about the number of slots reserved; nothing if it may be right. `warps`: at most
/// as many have reserved some.
std::optional<std::string> mistake_of_reserved(int got, int made, long long warps);

/// A whole range that nobody needed.
std::optional<std::string> unused_range(const Entries& got, int reserved);

/// Why `got` does not hold what it should. kNotWritten stands where nothing was written.
std::optional<std::string> mistake_of_entries(const Entries& got, const Entries& values,
                                              int reserved, int jobs);
