// Prints a grading in full, however long, for ./lab grade --all, and the failures of pictures and
// benchmarks. report/screen.h shows it on one screen.
#pragma once

#include <string>

#include "core/results.h"
#include "report/style.h"

namespace lab {

/// "Device: virtual GPU (this machine has no NVIDIA driver)", with a newline.
std::string device_line(const Device& device, const TextStyle& style);

/// "Lab 02: Vector add, labs/02-vector-add/vector_add.cu", with a newline.
std::string heading(const Grading& grading, const TextStyle& style);

/// Everything after the device line. `command` is the command of the grading without --test, --seed
/// and --all: "./lab grade 02".
std::string grading_text(const Grading& grading, const std::string& command,
                         const TextStyle& style);

/// The failures of a grading's pictures or benchmarks, or of its build; empty if there are none.
/// `command` is the command that ran it, `more` one that says more.
std::string cases_text(const Grading& grading, const std::string& command, const std::string& more,
                       const TextStyle& style);

}  // namespace lab
