// A grading on one screen: the table, then the first failure as a compiler would say it, and what
// to do next. What does not fit is in grading_text (report/text.h), which --all prints.
#pragma once

#include <string>

#include "core/results.h"
#include "report/style.h"

namespace lab {

/// At most `style.height` - 1 lines (the last one of a terminal is the shell's) where the tests'
/// own lines leave room, none wider than `style.width`. `grading.submission.text` is quoted.
/// `command` is how the grading was asked for, without --test, --seed and --all: "./lab grade 02".
std::string grading_screen(const Grading& grading, const std::string& command,
                           const TextStyle& style);

}  // namespace lab
