// Recognises mistakes of lab 12 by the elements that they name.
#pragma once

#include <optional>
#include <string>

#include "best.h"

/// The mistake behind `got`, which is not the best of `a`, in a sentence.
std::optional<std::string> mistake_of(const Floats& a, const Best& got, const lab::Evidence& e);
