// Recognises mistakes of lab 10 by the results that they compute.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "temperatures.h"

using Mistake = lab::KnownMistake<std::function<Floats()>>;

/// Mistakes in the temperatures.
std::vector<Mistake> mistakes_of_anneal(const Parts& parts, int cycles);

/// Recognises temperatures `got` after another number of cycles. `parts` must outlive it.
lab::Diagnoser other_cycles(const Parts& parts, std::vector<float> got, int cycles);

/// "__restrict__ stands on a host function"; empty if it does not, or on a kernel, too.
std::string misplaced_promise();

/// The mistake that explains the whole result, where a single bit cannot; empty if none is known.
std::string wrong_bits(unsigned got, unsigned expected, std::size_t count);

/// Mistakes in the differences, with out `offset` elements after `in`, which must outlive them.
std::vector<Mistake> mistakes_of_differences(const Floats& in, long long offset);

/// Recognises an unchanged out: inside `in` it still holds the old elements, elsewhere it was not
/// written. Also recognises it after the first quarter, if a copy counted elements for bytes.
std::optional<std::string> unchanged(const lab::Evidence& e, const Floats& in, long long offset);
