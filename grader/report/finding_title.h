// The field's name for a mistake that the virtual GPU found: the first words on the screen.
#pragma once

#include <string_view>

namespace lab {

/// For a finding's check as results have it, "race"; a sentence, or empty where the diagnosis needs
/// no name before it.
std::string_view finding_title(std::string_view check);

}  // namespace lab
