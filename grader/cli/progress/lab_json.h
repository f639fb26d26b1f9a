// Writes a lab and the student's standing in it for `list --json` and `show --json`
// (docs/results.md).
#pragma once

#include <optional>

#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {

Json lab_json(const Lab& lab, const std::optional<Standing>& standing, bool untouched);

}  // namespace lab::cli
