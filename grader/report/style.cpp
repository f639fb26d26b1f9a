#include "report/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/utf8.h"

namespace lab {
namespace {

const char* escape_code(Colour colour) {
    switch (colour) {
        case Colour::good:
            return "32";
        case Colour::bad:
            return "1;31";
        case Colour::notice:
            return "33";
        case Colour::dim:
            return "2";
        case Colour::strong:
            return "1";
        case Colour::plain:
            break;
    }
    return "0";
}

}  // namespace

std::string Painter::operator()(Colour colour, std::string_view text) const {
    if (!colours_ || colour == Colour::plain || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", escape_code(colour), text);
}

std::string shell_word(std::string_view word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-./:=,+@").find(c) != std::string_view::npos;
    });
    if (plain) return std::string(word);
    std::string quoted = "\"";
    for (const char c : word) {
        if (std::string_view("\"\\$`").find(c) != std::string_view::npos) quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string result;
    std::istringstream paragraphs{std::string(text)};
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        std::istringstream words(paragraph);
        std::string line;
        std::size_t columns = indent;
        for (std::string word; words >> word;) {
            const std::size_t more = display_width(word);
            if (!line.empty() && columns + 1 + more > width) {
                result += std::string(indent, ' ') + line + "\n";
                line.clear();
                columns = indent;
            }
            columns += more + (line.empty() ? 0 : 1);
            line += (line.empty() ? "" : " ") + word;
        }
        result += (line.empty() ? "" : std::string(indent, ' ') + line) + "\n";
    }
    return result;
}

}  // namespace lab
