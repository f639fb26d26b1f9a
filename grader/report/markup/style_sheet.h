// The one style sheet of all pages.
#pragma once

#include <string_view>

namespace lab {

extern const std::string_view kStyleSheet;

}  // namespace lab
