// Two cudaMallocPitch that store their pitches in the same variable, while the other one is used
// without a value.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// "image_pitch never gets a value: cudaMallocPitch stores both pitches in raw_pitch, on lines 132
/// and 133." Empty when all variables for pitches in the body of `function` get one.
std::string unset_pitch(std::string_view source, std::string_view function);

}  // namespace lab
