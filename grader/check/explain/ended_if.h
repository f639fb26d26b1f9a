// A guard that guards nothing: if (i < n);
#pragma once

#include <string>

namespace lab {

/// Says which line has an if that its own ; ends, in the place's line or just above it; empty where
/// there is none. `file`: where the source can be read.
std::string ended_if(const std::string& file, int line);

}  // namespace lab
