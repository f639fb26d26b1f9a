// What `lab watch` draws: the verdict, below it perhaps a hint, and two lines at the end: what
// happens, and the keys.
#pragma once

#include <string>

#include "report/style.h"

namespace lab::cli {

/// Texts are painted and safe for a terminal; those of several lines end with a line feed.
struct WatchScreen {
    std::string verdict;
    std::string output;  ///< of a command that a key has run; may be empty
    std::string status;  ///< one line
    std::string keys;    ///< one line
};

/// Lines at the end that are not the verdict's: an empty one, status, keys.
inline constexpr std::size_t kFooterLines = 3;

/// The style of a verdict that leaves room for them.
TextStyle verdict_style(const TextStyle& terminal);

/// Clears the terminal and draws everything. The verdict gives way to an output that does not fit
/// below it.
std::string draw(const WatchScreen& screen, const TextStyle& terminal);

/// Draws status and keys over those that draw() or this function has left.
std::string redraw_footer(const WatchScreen& screen, const TextStyle& terminal);

}  // namespace lab::cli
