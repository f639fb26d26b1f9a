// What a program needs to start on the virtual GPU.
#pragma once

#include <string>
#include <vector>

#include "base/failure.h"
#include "cli/vgpu/run.h"
#include "core/course/project.h"

namespace lab {

/// Our CUDA runtime under NVIDIA's name; the archive for default builds lies next to it, stand-ins
/// for other libraries in a folder there.
fs::path vgpu_runtime(const Project& project);

/// Builds it and the device, unless they are newer than their sources.
void ensure_vgpu_built(const Project& project);

/// Everything but the device's arguments. `program`: and its own arguments. Builds the device if
/// necessary. Throws Failure (usage) where the program's file shows that it cannot run.
VgpuRun prepared_run(const Project& project, const std::vector<std::string>& program);

/// Why the program did not start; `error`: errno.
Failure cannot_start(const std::string& program, int error);

}  // namespace lab
