// Bytes as text: base64 (RFC 4648), without line breaks.
#pragma once

#include <string>
#include <string_view>

namespace lab {

std::string base64(std::string_view bytes);

}  // namespace lab
