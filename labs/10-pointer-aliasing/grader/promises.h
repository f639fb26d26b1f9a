// Which calls break the promise of lab 10, element by element, and why.
//
// Interface: breaks_promise, text_of, reason.
#pragma once

#include <cstddef>
#include <string>

#include "pointer_aliasing.h"

/// Would anneal write an element that it also reads through another pointer?
bool breaks_promise(const AnnealCall& call);

/// "calls[3] = {start 0, ...}"
std::string text_of(std::size_t k, const AnnealCall& call);

/// Why the call keeps or breaks the promise.
std::string reason(const AnnealCall& call);
