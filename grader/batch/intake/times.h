// Dates as tables and exports write them.
#pragma once

#include <optional>
#include <string>

#include "batch/class.h"

namespace lab {

/// "2026-11-20T23:59:00+01:00", "2026-11-20 23:59 Z", "2026-11-20 22:59:00.123 UTC": the offset
/// from UTC must be there. Nothing for anything else.
std::optional<Time> parse_date(const std::string& text);

}  // namespace lab
