// Decides which calls break the promise of lab 10, element by element, and explains why.
#pragma once

#include <cstddef>
#include <string>

#include "pointer_aliasing.h"

/// Would anneal write an element that it also reads through another pointer?
bool breaks_promise(const AnnealCall& call);

/// "calls[3] = {start 0, ...}"
std::string text_of(std::size_t k, const AnnealCall& call);

/// Explains why the call keeps or breaks the promise.
std::string reason(const AnnealCall& call);
