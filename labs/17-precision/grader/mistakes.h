// Recognises mistakes of lab 17 by the numbers that come out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/mistakes/known_mistake.h"
#include "numbers.h"

template <class T>
std::vector<lab::KnownMistake<std::vector<T>>> mistakes_of_axpy(const Axpy<T>& arguments);

/// In axpy: from some element on, y is as it was before the call.
std::optional<std::string> tail_unchanged(const lab::Evidence& e);

/// In a sum of halves.
std::optional<std::string> last_has_no_partner(const Floats& a, double got);
/// In a sum of halves: by more than one thread.
std::optional<std::string> last_counts_again(const Floats& a, double got);
/// In a sum of halves, whose sum is exact.
std::optional<std::string> one_of_each_pair(const Floats& a, double got);
/// In a sum of halves that should have been `sum`.
std::optional<std::string> added_as_halves(const Sum& sum, double got);

/// In a sum of floats that cancel, by kernels that add in the order of those that are handed out.
std::optional<std::string> not_compensated(const Floats& a, const lab::Evidence& e);

/// In sin(x) of a single term.
std::vector<lab::KnownMistake<Floats>> mistakes_of_sines(const Floats& x, const Floats& w);
/// In the same: all that is wrong are signs, those of negative angles.
std::optional<std::string> negative_angles_are_wrong(const Floats& x, const lab::Evidence& e);
/// In the same: every second sign is wrong.
std::optional<std::string> signs_are_wrong(const lab::Evidence& e);
/// In the same: small angles are right.
std::optional<std::string> large_angles_are_wrong(const Floats& x, const lab::Evidence& e);
