// Links the modules of a program's files, as nvlink does for nvcc -rdc=true.
#pragma once

#include <vector>

#include "ptx/module.h"

// A function or variable that one file declares extern is the one that another defines. Of several
// definitions of one name the first counts if they are C++ functions or variables (inline ones and
// templates, which are the same in all files). Otherwise they are each file's own, such as the
// format strings of printf, and get names of their own.

namespace vgpu::ptx {

/// Takes at least one module. What no module defines stays extern, and fails where it is used.
Module link(std::vector<Module> modules);

}  // namespace vgpu::ptx
