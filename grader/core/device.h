// The devices that submissions run on: this machine's GPU, or the virtual one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/course/project.h"
#include "protocol/checker_options.h"

namespace lab {

/// "gpu" or "vgpu".
const char* to_string(DeviceKind kind);

struct Device {
    DeviceKind kind = DeviceKind::vgpu;
    std::string name;          ///< "NVIDIA H200", or "virtual GPU"
    std::string architecture;  ///< for nvcc's -arch: "sm_90"; empty for the virtual GPU
    std::string why;           ///< why this one, as a clause: "this machine has no NVIDIA driver"
};

enum class DeviceChoice { automatic, gpu, vgpu };

/// "auto", "gpu" or "vgpu"; throws Failure (usage) for anything else.
DeviceChoice parse_device(std::string_view word);

/// The result of a test kernel on this machine's GPU.
struct Probed {
    bool usable = false;
    std::string name, architecture;  ///< "NVIDIA H200", "sm_90"
    std::string why_not;             ///< a clause: "this machine has no NVIDIA driver"
};

/// Searches for a GPU that runs a test kernel. Remembers a good answer until the driver, the GPUs
/// or the environment change; `again` asks the GPU in any case.
Probed find_gpu(const Project& project, bool again = false);

/// NVIDIA's compute-sanitizer, next to nvcc or on the PATH; empty when there is none, or when
/// LAB_SANITIZER is "off".
fs::path find_sanitizer(const Project& project);

/// The file by which gradings of this user take turns (check/gpu/gpu_lock.h), on all GPUs of the
/// machine: programs that start on one slow down allocations on the others, too. This user's
/// gradings do not wait for other users'.
fs::path gpu_lock_file();

/// `automatic` takes the GPU if there is one. Throws Failure (no device), saying why, when the GPU
/// was asked for and cannot be used, and when the virtual GPU cannot work on this kernel.
Device choose_device(const Project& project, DeviceChoice choice);

/// Throws Failure (no device) if programs cannot have the virtual GPU's addresses here, or other
/// ones up to `end`.
void require_addresses(std::optional<std::uint64_t> end = {});

/// "13.0.88". Throws Failure (our fault) when nvcc cannot be started.
std::string nvcc_version(const Project& project);

/// The target for nvcc: the GPU's own code ("sm_90") if nvcc knows it, else the newest older PTX
/// ("compute_90"), which the driver compiles. `known` is the output of `nvcc --list-gpu-code`.
/// Empty if the GPU is older than all of them.
std::string architecture_for(std::string_view gpu, std::string_view known);

/// Reads the output of core/probe.cu.
Probed parse_probe(std::string_view printed, int exit_code, bool timed_out);

}  // namespace lab
