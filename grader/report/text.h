// A grading in full, however long: what ./lab grade --all prints, and what pictures and benchmarks
// say of their cases. One screen of it is in report/screen.h.
#pragma once

#include <string>

#include "core/results.h"
#include "report/style.h"

namespace lab {

/// "Device: virtual GPU (this machine has no NVIDIA driver)", with a newline.
std::string device_line(const Device& device, const TextStyle& style);

/// "Lab 02: Vector add, labs/02-vector-add/vector_add.cu", with a newline.
std::string heading(const Grading& grading, const TextStyle& style);

/// Everything after the device line. `command` is how the grading was asked for, without --test,
/// --seed and --all: "./lab grade 02".
std::string grading_text(const Grading& grading, const std::string& command,
                         const TextStyle& style);

/// What went wrong in the pictures or benchmarks of a grading, or why it was not built; empty when
/// nothing did. `command` is how it was asked for, `more` a command that says more.
std::string cases_text(const Grading& grading, const std::string& command, const std::string& more,
                       const TextStyle& style);

}  // namespace lab
