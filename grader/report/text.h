// A grading as text for the person who wrote the file: what was graded where, the table of tests,
// the first failure of each test, and what to do next.
//
// Interface: TextStyle, device_line, heading, grading_text, cases_text, wrapped, shell_word.
#pragma once

#include <string>
#include <string_view>

#include "core/results.h"

namespace lab {

struct TextStyle {
    bool colour = false;
};

/// "Device: virtual GPU (this machine has no NVIDIA driver)", with a newline.
std::string device_line(const Device& device, const TextStyle& style);

/// "Lab 02: Vector add, labs/02-vector-add/vector_add.cu", with a newline.
std::string heading(const Grading& grading, const TextStyle& style);

/// Everything after the device line. `command` is how the grading was asked for, without --test and
/// --seed: "./lab grade 02".
std::string grading_text(const Grading& grading, const std::string& command,
                         const TextStyle& style);

/// What went wrong in the pictures or benchmarks of a grading, or why it was not built; empty when
/// nothing did. `command` is how it was asked for, `more` a command that says more.
std::string cases_text(const Grading& grading, const std::string& command, const std::string& more,
                       const TextStyle& style);

/// Where prose is wrapped; tables and paths may be longer.
inline constexpr std::size_t kWidth = 92;

/// Prose in lines of at most `width` columns, each moved to the right by `indent`.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = kWidth);

/// A word as a shell takes it: quoted where it must be.
std::string shell_word(std::string_view word);

}  // namespace lab
