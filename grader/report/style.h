// Describes the terminal that text is for: its size, and its colours, if any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab {

/// The terminal that text is made for.
struct TextStyle {
    bool colour = false;
    std::size_t width = 80;   ///< columns
    std::size_t height = 24;  ///< lines; the last is the shell's
};

enum class Colour { plain, good, bad, notice, dim, strong };

/// Colours text, if there are colours. A colour alone never carries a meaning.
class Painter {
public:
    explicit Painter(const TextStyle& style) : colours_(style.colour) {}

    /// `text` is one line, safe for a terminal.
    std::string operator()(Colour colour, std::string_view text) const;

private:
    bool colours_;
};

/// The width of prose where the terminal's is not used.
inline constexpr std::size_t kWidth = 80;

/// Prose in lines of at most `width` columns, each indented by `indent`. Longer words stay whole.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = kWidth);

/// A word for a shell, quoted if necessary.
std::string shell_word(std::string_view word);

}  // namespace lab
