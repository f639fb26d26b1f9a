// Source files that are text, but not in UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab {

struct Decoded {
    std::string text;      ///< in UTF-8
    std::string encoding;  ///< that it was in: "UTF-16" or "Windows-1252"
};

/// UTF-16 by its byte order mark; all else that is neither UTF-8 nor has zero bytes as
/// Windows-1252, which Western editors save, and which has Latin-1's letters. Nothing for what is
/// UTF-8 already, or no text.
std::optional<Decoded> decoded(std::string_view bytes);

}  // namespace lab
