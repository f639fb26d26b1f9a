// The mistakes that the grader of lab 10 knows by what they compute.
//
// Interface: Mistake, mistakes_of_anneal, other_cycles; wrong_bits; mistakes_of_differences,
// unchanged.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "temperatures.h"

using Mistake = lab::KnownMistake<std::function<Floats()>>;

/// Of temperatures.
std::vector<Mistake> mistakes_of_anneal(const Parts& parts, int cycles);

/// Recognises temperatures `got` after another number of cycles. `parts` must outlive it.
lab::Diagnoser other_cycles(const Parts& parts, std::vector<float> got, int cycles);

/// What makes the whole result wrong, where a single bit does not tell; empty: nothing known.
std::string wrong_bits(unsigned got, unsigned expected, std::size_t count);

/// Of differences, with out `offset` elements behind `in`, which must outlive them.
std::vector<Mistake> mistakes_of_differences(const Floats& in, long long offset);

/// Where out lies in `in`, it still holds what was there; elsewhere it was not written. The same
/// behind the quarter that a copy brings if it counts elements for bytes.
std::optional<std::string> unchanged(const lab::Evidence& e, const Floats& in, long long offset);
