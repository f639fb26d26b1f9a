// What submissions run on: the GPU of this machine, or the virtual one.
//
// Interface: DeviceKind, DeviceChoice, Device, choose_device, parse_device, nvcc_version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/project.h"

namespace lab {

enum class DeviceKind { gpu, vgpu };

/// "gpu" or "vgpu".
const char* to_string(DeviceKind kind);

struct Device {
    DeviceKind kind = DeviceKind::vgpu;
    std::string name;          ///< "NVIDIA H200", or "virtual GPU"
    std::string architecture;  ///< "sm_90"; empty for the virtual GPU
    std::string why;           ///< why this one, as a clause: "this machine has no NVIDIA driver"
};

enum class DeviceChoice { automatic, gpu, vgpu };

/// "auto", "gpu" or "vgpu"; throws Failure (usage) for anything else.
DeviceChoice parse_device(std::string_view word);

/// `automatic` takes the GPU if a test kernel runs there. Throws Failure (no device) when the GPU
/// was asked for and cannot be used, saying why. Remembers the answer until driver, GPUs or the
/// environment change; `probe_again` asks the GPU in any case.
Device choose_device(const Project& project, DeviceChoice choice, bool probe_again = false);

/// "13.0.88". Throws Failure (our fault) when nvcc cannot be started.
std::string nvcc_version(const Project& project);

/// What the test kernel's program printed, understood. Anything else is why there is no GPU.
struct Probed {
    bool usable = false;
    std::string name, architecture, why_not;
};
Probed parse_probe(std::string_view printed, int exit_code, bool timed_out);

}  // namespace lab
