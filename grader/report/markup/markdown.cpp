#include "report/markup/markdown.h"

#include <algorithm>
#include <cctype>

#include "base/visible.h"

namespace lab {
namespace {

/// What begins a link by itself on GitHub: an address, www., or a mention.
bool begins_link(std::string_view text, std::size_t at) {
    return text[at] == '@' || text.substr(at).starts_with("://") ||
           (text[at] == '.' && at >= 3 && (text[at - 1] == 'w' || text[at - 1] == 'W'));
}

/// An underscore between letters or digits: it is no emphasis, and names of functions have many.
bool is_within_word(std::string_view text, std::size_t at) {
    const auto is_letter = [&](std::size_t i) {
        return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    };
    return at > 0 && text[at] == '_' && is_letter(at - 1) && is_letter(at + 1);
}

}  // namespace

std::string markdown_text(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*_[]<>|~#$!&{}";
    const std::string shown = visible(text);
    std::string line;
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const char c = shown[at];
        if (c == '\n' || c == '\t') {
            line += ' ';
        } else if (begins_link(shown, at)) {
            // A backslash would not do: GitHub looks for links in what it escapes, too.
            line += c == '@' ? "&#64;" : c == ':' ? "&#58;" : "&#46;";
        } else {
            if (kMarkup.find(c) != std::string_view::npos && !is_within_word(shown, at))
                line += '\\';
            line += c;
        }
    }
    return line;
}

std::string markdown_code(std::string_view text, std::string_view language) {
    const std::string shown = visible(text);
    std::size_t longest = 2, run = 0;
    for (const char c : shown) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    return fence + std::string(language) + "\n" + shown +
           (shown.empty() || shown.ends_with('\n') ? "" : "\n") + fence + "\n";
}

}  // namespace lab
