// nvcc's warnings in one row each, for screens that have no room for the quoted code.
#pragma once

#include <string>

#include "report/lines.h"

namespace lab {

/// "  line 47: use of "=" where "==" may have been intended. = assigns, == compares.", of the
/// warnings in `messages` (explain_nvcc's text). Unused variables come last: they are rarely the
/// mistake. Rows may be wider than a screen.
Lines warning_rows(const std::string& messages);

}  // namespace lab
