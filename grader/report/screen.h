// Shows a grading on one screen: the table, the first failure in the form of a compiler's message,
// and the next step. The rest is in grading_text (report/text.h), which --all prints.
#pragma once

#include <string>

#include "core/results.h"
#include "report/style.h"

namespace lab {

/// At most `style.height` - 1 lines (a terminal's last line is the shell's), unless the lines of
/// the tests alone take more; none wider than `style.width`. Quotes `grading.submission.text`.
/// `command` is the command of the grading without --test, --seed and --all: "./lab grade 02".
std::string grading_screen(const Grading& grading, const std::string& command,
                           const TextStyle& style);

/// The same without the next step, for a program that has keys for it.
std::string grading_verdict(const Grading& grading, const std::string& command,
                            const TextStyle& style);

}  // namespace lab
