#include "core/device.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "base/failure.h"
#include "base/files.h"
#include "base/nearest.h"
#include "base/process.h"
#include "core/build/cache.h"
#include "vgpu/address_space.h"

namespace lab {
namespace {

/// Without these no program reaches a GPU; checking costs nothing. /dev/dxg is Windows' (WSL).
bool driver_present() {
    return fs::exists("/dev/nvidia0") || fs::exists("/dev/nvidiactl") || fs::exists("/dev/dxg");
}

/// Everything that decides whether the probe's last answer still holds.
std::string circumstances(const Project& project) {
    std::string text = "probe 1\n" + nvcc_version(project);
    text += read_file(project.root / "grader/core/probe.cu");
    for (const char* file : {"/proc/driver/nvidia/version", "/proc/sys/kernel/random/boot_id"})
        text += read_file_if_there(file).value_or("-") + "\n";
    std::error_code none;
    for (const auto& gpu : fs::directory_iterator("/proc/driver/nvidia/gpus", none))
        text += read_file_if_there(gpu.path() / "information").value_or("-");
    const Environment environment = process_environment();
    for (const char* name : {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"})
        text += fmt::format("{}={}\n", name, environment(name).value_or("-"));
    return text;
}

/// The probe's program, compiled once.
fs::path probe_program(const Project& project) {
    const fs::path source = project.root / "grader/core/probe.cu";
    const Cache cache(project.build / "cache");
    const auto entry =
        cache.get("probe program 1\n" + nvcc_version(project) + read_file(source),
                  [&](const fs::path& folder) {
                      Command nvcc;
                      nvcc.argv = {project.tools.nvcc,
                                   "-gencode",
                                   "arch=compute_75,code=compute_75",
                                   "-o",
                                   (folder / "probe").string(),
                                   source.string()};
                      nvcc.time_limit = std::chrono::seconds(120);
                      const Finished finished = run_again_if_ended(nvcc, "nvcc");
                      if (finished.ok()) return;
                      throw own_fault("nvcc cannot compile the program that looks for a GPU:\n" +
                                      finished.err + disk_trouble(finished.err, project.build));
                  });
    return entry.folder / "probe";
}

Probed ask_gpu(const Project& project) {
    Command probe;
    probe.argv = {probe_program(project).string()};
    probe.time_limit = std::chrono::seconds(30);  // starting a driver can take 10
    const Finished finished = run_again_if_ended(probe, "The program that looks for a GPU");
    Probed probed = parse_probe(finished.out, finished.exit_code, finished.timed_out);
    Command nvcc;
    nvcc.argv = {project.tools.nvcc, "--list-gpu-code"};
    if (!probed.usable) return probed;
    const std::string gpu = probed.architecture;
    probed.architecture = architecture_for(gpu, run_again_if_ended(nvcc, "nvcc").out);
    if (probed.architecture.empty())
        return {false, "", "", fmt::format("nvcc does not compile for its architecture, {}", gpu)};
    return probed;
}

/// 90 for "sm_90"; 0 if letters follow the number ("sm_90a"), or for anything else.
int architecture_number(std::string_view name) {
    int number = 0;
    if (!name.starts_with("sm_")) return 0;
    const char* end = name.data() + name.size();
    const auto [parsed, error] = std::from_chars(name.data() + 3, end, number);
    return error == std::errc() && parsed == end ? number : 0;
}

}  // namespace

const char* to_string(DeviceKind kind) {
    return kDeviceNames[static_cast<int>(kind)];
}

DeviceChoice parse_device(std::string_view word) {
    if (word == "auto") return DeviceChoice::automatic;
    if (word == "gpu") return DeviceChoice::gpu;
    if (word == "vgpu") return DeviceChoice::vgpu;
    const std::array<std::string, 3> known = {"auto", "gpu", "vgpu"};
    throw usage_failure(fmt::format("There is no device \"{}\".{} The devices: auto, gpu, vgpu.",
                                    word, did_you_mean(word, known)));
}

std::string architecture_for(std::string_view gpu, std::string_view known) {
    const int wanted = architecture_number(gpu);
    int best = 0;
    std::istringstream names{std::string(known)};
    for (std::string name; names >> name;) {
        const int number = architecture_number(name);
        if (number <= wanted) best = std::max(best, number);
    }
    if (best == 0) return "";
    return fmt::format("{}_{}", best == wanted ? "sm" : "compute", best);
}

Probed parse_probe(std::string_view printed, int exit_code, bool timed_out) {
    Probed probed;
    const std::string_view line = printed.substr(0, printed.find('\n'));
    if (timed_out) {
        probed.why_not = "a test kernel did not finish on this machine's GPU within 30 s";
    } else if (exit_code == 0 && line.starts_with("ok ")) {
        const std::string_view rest = line.substr(3);
        const auto space = rest.find(' ');
        probed.usable = true;
        probed.architecture = rest.substr(0, space);
        probed.name = space == std::string_view::npos ? "GPU" : rest.substr(space + 1);
    } else if (exit_code == 0 && line.starts_with("no ")) {
        probed.why_not = fmt::format("a test kernel does not run here: {}", line.substr(3));
    } else {
        probed.why_not =
            fmt::format("the program that looks for a GPU ended with code {}", exit_code);
    }
    return probed;
}

// The answer is kept as a file: starting CUDA to ask again would cost up to half a second.
Probed find_gpu(const Project& project, bool again) {
    if (!driver_present()) return {false, "", "", "this machine has no NVIDIA driver"};
    const fs::path remembered = project.build / "gpu.txt";
    const std::string now = sha256(circumstances(project));
    if (const auto known = read_file_if_there(remembered);
        known && !again && known->starts_with(now + "\n")) {
        return parse_probe(std::string_view(*known).substr(now.size() + 1), 0, false);
    }
    const Probed probed = ask_gpu(project);
    if (probed.usable)
        write_atomically(remembered,
                         fmt::format("{}\nok {} {}\n", now, probed.architecture, probed.name));
    return probed;
}

fs::path gpu_lock_file() {
    return fs::temp_directory_path() / fmt::format("cuda-labs-{}-gpus", geteuid());
}

fs::path find_sanitizer(const Project& project) {
    const Environment environment = process_environment();
    if (environment("LAB_SANITIZER").value_or("") == "off") return {};
    const fs::path beside = fs::weakly_canonical(project.tools.nvcc).parent_path();
    std::vector<fs::path> places{beside / "compute-sanitizer",
                                 beside.parent_path() / "compute-sanitizer/compute-sanitizer"};
    std::istringstream path(environment("PATH").value_or(""));
    for (std::string folder; std::getline(path, folder, ':');)
        places.push_back(fs::path(folder) / "compute-sanitizer");
    for (const fs::path& place : places) {
        std::error_code error;
        if (fs::is_regular_file(place, error)) return place;
    }
    return {};
}

void require_addresses(std::optional<std::uint64_t> end) {
    const std::optional<int> bits = vgpu::too_few_address_bits(end.value_or(vgpu::kWindowEnd));
    if (!bits) return;
    throw Failure(
        Exit::no_device,
        fmt::format("The virtual GPU needs addresses of {} bits: it maps its memory into programs "
                    "at {:#x}. This kernel gives programs {} bits.\nUse a kernel with 47 bits or "
                    "more. On Arm that is CONFIG_ARM64_VA_BITS=48, as in Debian and Ubuntu.",
                    vgpu::kNeededAddressBits, vgpu::kWindowBegin, *bits));
}

Device choose_device(const Project& project, DeviceChoice choice) {
    if (choice == DeviceChoice::vgpu) {
        require_addresses();
        return {DeviceKind::vgpu, "virtual GPU", "", "asked for"};
    }
    const Probed gpu = find_gpu(project);
    if (gpu.usable)
        return {DeviceKind::gpu, gpu.name, gpu.architecture,
                choice == DeviceChoice::gpu ? "asked for" : "a test kernel ran there"};
    if (choice == DeviceChoice::automatic) {
        require_addresses();
        return {DeviceKind::vgpu, "virtual GPU", "", gpu.why_not};
    }
    throw Failure(Exit::no_device, fmt::format("There is no GPU to grade on: {}.\n"
                                               "The virtual GPU needs none:  --device vgpu",
                                               gpu.why_not));
}

std::string nvcc_version(const Project& project) {
    Command nvcc;
    nvcc.argv = {project.tools.nvcc, "--version"};
    const Finished finished = run_again_if_ended(nvcc, "nvcc");
    const auto at = finished.out.rfind(", V");
    if (!finished.ok() || at == std::string::npos)
        throw own_fault(fmt::format(
            "Cannot start NVIDIA's compiler, {}.\nRun ./lab doctor: it says how to get one.",
            project.tools.nvcc));
    const auto begin = at + 3;
    return finished.out.substr(begin, finished.out.find_first_of("\r\n ", begin) - begin);
}

}  // namespace lab
