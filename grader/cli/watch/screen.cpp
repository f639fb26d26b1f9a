#include "cli/watch/screen.h"

#include <algorithm>

#include "base/utf8.h"

namespace lab::cli {
namespace {

constexpr const char *kClear = "\x1b[H\x1b[2J", *kEraseLine = "\r\x1b[K", *kLineUp = "\x1b[1A";

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// No line feed at its end: it would scroll a line away.
std::string footer(const WatchScreen& screen, const TextStyle& terminal) {
    const Painter paint(terminal);
    // A full last column makes some terminals begin a new line.
    const std::size_t width = terminal.width - 1;
    return kEraseLine + cut_to_width(screen.status, width) + "\n" + kEraseLine +
           paint(Colour::dim, cut_to_width(screen.keys, width));
}

}  // namespace

TextStyle verdict_style(const TextStyle& terminal) {
    TextStyle style = terminal;
    style.height -=
        std::min(style.height - 1, kFooterLines - 1);  // a screen leaves one line itself
    return style;
}

std::string draw(const WatchScreen& screen, const TextStyle& terminal) {
    std::string text = kClear;
    const bool has_both = !screen.verdict.empty() && !screen.output.empty();
    const bool both_fit =
        lines_of(screen.verdict) + 1 + lines_of(screen.output) + kFooterLines <= terminal.height;
    if (screen.output.empty() || both_fit) text += screen.verdict;
    if (has_both && both_fit) text += "\n";
    text += screen.output;
    return text + "\n" + footer(screen, terminal);
}

std::string redraw_footer(const WatchScreen& screen, const TextStyle& terminal) {
    return kLineUp + footer(screen, terminal);
}

}  // namespace lab::cli
