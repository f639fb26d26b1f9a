// Names a mistake that the virtual GPU found in the terms of the field: the first words on the
// screen.
#pragma once

#include <string_view>

namespace lab {

/// The title for a finding's check, such as "race" in results: a sentence, or empty if the
/// diagnosis needs no title.
std::string_view finding_title(std::string_view check);

}  // namespace lab
