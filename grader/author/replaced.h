// Fills in templates.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lab {

/// Each first one becomes its second one, wherever it stands.
using Replacements = std::vector<std::pair<std::string, std::string>>;

std::string replaced(std::string text, const Replacements& replacements);

}  // namespace lab
