// Some elements of a wrong output, for a screen that draws them side by side.
#pragma once

#include <nlohmann/json.hpp>

#include "check/diagnose/mismatch.h"

namespace lab {

/// The `values` of a result line (docs/results.md): the first wrong element and its neighbours.
/// The output has at least one wrong element, and as many as were expected.
nlohmann::json values_window(const detail::Mismatch& mismatch);

}  // namespace lab
