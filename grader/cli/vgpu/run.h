// Runs a program on the virtual GPU: starts the device process, then the program with a socket to
// it, and passes the device's findings on.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/project.h"
#include "report/vgpu_end.h"

namespace lab {

struct VgpuRun {
    std::vector<std::string> program;           ///< and its arguments; looked up in PATH
    fs::path device;                            ///< vgpu-device
    std::vector<std::string> device_arguments;  ///< in addition to its descriptors
    fs::path library;        ///< our CUDA runtime, in a folder that the loader searches first
    fs::path stand_ins;      ///< a folder for it, too: of cuBLAS and others
    bool annotates = false;  ///< the program uses that library, so NVTX may load it, too
    bool preload = false;    ///< before the program's own paths, too (DT_RPATH)
};

/// Runs the program to its end on our own terminal. `record` gets each line of
/// grader/vgpu/runtime/records.h without its newline, in order. Interrupts reach the program but
/// not us, so that findings are still reported.
VgpuEnd run_on_vgpu(const VgpuRun& run, const std::function<void(std::string_view)>& record);

}  // namespace lab
