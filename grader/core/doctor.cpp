#include "core/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build_config.h"
#include "core/device.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

using Health = Symptom::State;

/// The first line that a program prints about itself; nothing when it cannot be started.
std::optional<std::string> introduces_itself(const std::string& program) {
    Command command;
    command.argv = {program, "--version"};
    command.time_limit = std::chrono::seconds(10);
    const Finished finished = run(command);
    if (!finished.ok()) return std::nullopt;
    return finished.out.substr(0, finished.out.find('\n'));
}

Symptom compiler(const Project& project) {
    try {
        return {"nvcc", Health::good, nvcc_version(project) + ", " + project.tools.nvcc, ""};
    } catch (const Failure&) {
        return {"nvcc", Health::bad, project.tools.nvcc + " cannot be started",
                "Run ./lab without LAB_NO_INSTALL: it installs NVIDIA's compiler into .toolchain/. "
                "Or set LAB_NVCC to the nvcc that you have."};
    }
}

Symptom program(const char* what, const std::string& program, const std::string& package,
                Health when_missing) {
    if (const auto line = introduces_itself(program)) return {what, Health::good, *line, ""};
    return {what, when_missing, program + " cannot be started",
            "Install the package " + package + ", for example: sudo apt-get install " + package};
}

Symptom gpu(const Project& project) {
    const Probed found = find_gpu(project, true);
    if (found.usable)
        return {"GPU", Health::good, fmt::format("{} ({})", found.name, found.architecture), ""};
    return {"GPU", Health::note, "none to use: " + found.why_not,
            "None is needed: the virtual GPU grades. If this machine has one, install NVIDIA's "
            "driver; nvidia-smi must list the GPU."};
}

Symptom driver() {
    const auto version = read_file_if_there("/proc/driver/nvidia/version");
    std::smatch number;
    if (version && std::regex_search(*version, number, std::regex(R"(\d+\.\d+(\.\d+)?)")))
        return {"driver", Health::good, number[0], ""};
    return {"driver", Health::note, "no NVIDIA driver", "Only a GPU needs one."};
}

Symptom sandbox() {
    try {
        const Isolation& found = isolation();
        if (found.namespaces)
            return {"sandbox", Health::good,
                    "namespaces: submissions see neither files nor processes", ""};
        if (found.filter)
            return {"sandbox", Health::note, "guards against accidents only", found.note};
        return {"sandbox", Health::note, "none: submissions are graded without a sandbox",
                found.note + ". With a sandbox: unset LAB_SANDBOX"};
    } catch (const SandboxError& error) {
        return {"sandbox", Health::bad, "none is possible, so nothing is graded", error.what()};
    }
}

Symptom build_folder(const Project& project) {
    if (access(project.build.c_str(), W_OK) != 0)
        return {"build folder", Health::bad, project.build.string() + " cannot be written",
                "Run as the user whose folder it is, or set LAB_BUILD to another folder."};
    std::error_code unknown;
    const auto space = fs::space(project.build, unknown);
    const auto free_mb = unknown ? 0 : space.available >> 20;
    const std::string found = fmt::format("{}, {} MB free", project.build.string(), free_mb);
    // A build takes 200 MB, the cache of runners up to 512.
    if (free_mb < 700)
        return {"build folder", Health::note, found,
                "Make room on that disk: the build and its cache can take 700 MB."};
    return {"build folder", Health::good, found, ""};
}

/// In a list of its own: where all is well there is nothing to say.
std::vector<Symptom> virtual_gpu() {
    try {
        require_addresses();
        return {};
    } catch (const Failure& failure) {
        return {{"virtual GPU", Health::bad, "cannot work on this kernel", failure.what()}};
    }
}

}  // namespace

const char* to_string(Symptom::State state) {
    switch (state) {
        case Health::good:
            return "good";
        case Health::note:
            return "note";
        case Health::bad:
            break;
    }
    return "bad";
}

std::vector<Symptom> examine(const Project& project) {
    std::vector<Symptom> symptoms = {
        {"CUDA Labs", Health::good,
         fmt::format("{}{}, {}", build_config::kVersion, project.is_prebuilt() ? " (prebuilt)" : "",
                     project.root.string()),
         ""},
        compiler(project),
        program("C++ compiler", project.tools.host_compiler, "g++", Health::bad),
        program("binutils", project.tools.objcopy, "binutils", Health::bad)};
    if (!project.is_prebuilt())
        symptoms.push_back(program("CMake", project.tools.cmake, "cmake", Health::bad));
    symptoms.insert(symptoms.end(), {build_folder(project), driver(), gpu(project), sandbox(),
                                     program("gnuplot", "gnuplot", "gnuplot-nox", Health::note)});
    std::ranges::move(virtual_gpu(), std::back_inserter(symptoms));
    return symptoms;
}

}  // namespace lab
