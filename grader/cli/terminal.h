// Finds out which terminal stdout is, and which style its text gets.
#pragma once

#include <cstddef>

#include "core/course/project.h"
#include "report/style.h"

namespace lab::cli {

/// The system's data about stdout.
struct Terminal {
    bool is_terminal = false;
    std::size_t columns = 0, lines = 0;  ///< 0: not known
};
Terminal terminal_of_stdout();

/// According to TERM, the terminal has no escape sequences.
bool is_dumb(const Environment& environment);

/// Width: the terminal's, else COLUMNS, else 80; at least 40, at most 120. Height: the terminal's,
/// else LINES, else 24; at least 16. Colours on a terminal that is not
/// dumb, or if CLICOLOR_FORCE is set and not 0; none if NO_COLOR is set.
TextStyle text_style(const Terminal& terminal, const Environment& environment);

}  // namespace lab::cli
