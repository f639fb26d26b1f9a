// Reads the lines of source that findings name.
#pragma once

#include <string>

#include "vgpu/finding.h"

namespace lab {

/// The line without its indentation; empty if the file is not where it was compiled.
std::string source_line(const vgpu::SourceLine&);

}  // namespace lab
