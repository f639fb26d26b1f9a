#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace lab::cli {
namespace {

/// An environment variable's whole number, or 0.
std::size_t number_in(const Environment& environment, const char* name) {
    const std::string text = environment(name).value_or("");
    std::size_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? value : 0;
}

std::size_t first_known(std::size_t a, std::size_t b, std::size_t otherwise) {
    return a != 0 ? a : b != 0 ? b : otherwise;
}

}  // namespace

Terminal terminal_of_stdout() {
    Terminal terminal;
    terminal.is_terminal = isatty(STDOUT_FILENO) != 0;
    winsize size{};
    if (terminal.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        terminal.columns = size.ws_col;
        terminal.lines = size.ws_row;
    }
    return terminal;
}

bool is_dumb(const Environment& environment) {
    return environment("TERM").value_or("dumb") == "dumb";
}

TextStyle text_style(const Terminal& terminal, const Environment& environment) {
    constexpr std::size_t kNarrowest = 40, kWidest = 120, kLowest = 16;
    TextStyle style;
    style.width =
        std::clamp(first_known(terminal.columns, number_in(environment, "COLUMNS"), style.width),
                   kNarrowest, kWidest);
    style.height = std::max(
        first_known(terminal.lines, number_in(environment, "LINES"), style.height), kLowest);
    const bool is_forced = environment("CLICOLOR_FORCE").value_or("0") != "0";
    style.colour = (is_forced || (terminal.is_terminal && !is_dumb(environment))) &&
                   environment("NO_COLOR").value_or("").empty();
    return style;
}

}  // namespace lab::cli
