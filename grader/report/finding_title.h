// The field's name for a mistake that the virtual GPU found, as the first words on the screen.
//
// Interface: finding_title.
#pragma once

#include <string_view>

namespace lab {

/// For a finding's check as results have it, "race"; a sentence, or empty where the diagnosis needs
/// no name before it.
std::string_view finding_title(std::string_view check);

}  // namespace lab
