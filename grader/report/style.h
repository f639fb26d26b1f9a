// The look of text for a terminal: its size, and colours where there are any.
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

/// Colours text, if there are colours. No meaning is in a colour alone.
class Painter {
public:
    explicit Painter(const TextStyle& style) : colours_(style.colour) {}

    /// `text` is on one line, and as a terminal may show it.
    std::string operator()(Colour colour, std::string_view text) const;

private:
    bool colours_;
};

/// What prose was wrapped to before terminals were asked how wide they are.
inline constexpr std::size_t kWidth = 80;

/// Prose in lines of at most `width` columns, each moved to the right by `indent`. Words that are
/// longer stay whole.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = kWidth);

/// A word as a shell takes it: quoted where it must be.
std::string shell_word(std::string_view word);

}  // namespace lab
