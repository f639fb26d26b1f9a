// Formats values for messages: floats with the digits that distinguish them, unknown types as
// bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "check/call/call.h"

namespace lab {

/// The shortest text that reads back as the same value: "0.1", "-3.25e-09", "nan".
std::string show_float(float value);
std::string show_float(double value);
/// In two digits, which is what a tolerance is worth: "6.2e-05".
std::string show_tolerance(double value);

/// An element known by its bytes only.
std::string show_element(const ElementType& type, std::span<const std::byte> bytes);

}  // namespace lab
