#include "author/replaced.h"

namespace lab {

std::string replaced(std::string text, const Replacements& replacements) {
    for (const auto& [from, to] : replacements)
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    return text;
}

}  // namespace lab
