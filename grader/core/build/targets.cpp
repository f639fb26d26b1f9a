#include "core/build/targets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <thread>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "vgpu/host_isa.h"

namespace lab {
namespace {

/// A wait too short to report: other gradings also check whether everything is built.
constexpr std::chrono::seconds kUnexplainedWait{3};

/// Only one process at a time may run a build tool in a build folder.
class BuildLock {
public:
    explicit BuildLock(const Project& project)
        : file_(open((project.build / "lab.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (file_ < 0) return;  // a folder that cannot be written fails when it is built in
        constexpr std::chrono::milliseconds kOften{20};
        const auto patient_until = std::chrono::steady_clock::now() + kUnexplainedWait;
        while (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            if (std::chrono::steady_clock::now() > patient_until) {
                if (project.on_progress) project.on_progress({.is_waiting = true});
                flock(file_, LOCK_EX);
                return;
            }
            std::this_thread::sleep_for(kOften);
        }
    }
    ~BuildLock() {
        if (file_ >= 0) close(file_);
    }
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;

private:
    int file_;
};

void run_build_tool(const Project& project, Command command) {
    const auto begin = std::chrono::steady_clock::now();
    command.on_output = [&](std::string_view so_far) {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        auto progress = read_progress(so_far);
        if (!progress || !project.on_progress) return;
        progress->seconds = seconds;
        project.on_progress(*progress);
    };
    const Finished finished = run_again_if_ended(command, "The build of the grader");
    if (finished.ok()) return;
    const std::string output = finished.out + finished.err;
    const std::string remedy = disk_trouble(output, project.build);
    throw own_fault(fmt::format("The grader itself could not be built. {}\n{}",
                                remedy.empty() ? "The end of what the build said:" : remedy,
                                last_lines(output, 30)));
}

/// Builds for this processor, too, if no existing build runs on it, as in a home folder that is
/// used on another machine.
void add_host_isa(const Project& project) {
    const auto cache = read_file_if_there(project.build / "CMakeCache.txt");
    const std::string built = cmake_variable(cache.value_or(""), "LAB_HOST_ISAS");
    if (built.empty()) return;
    const std::string list = ";" + built + ";";
    std::string_view best;
    for (const vgpu::HostIsa isa : vgpu::kHostIsas) {
        if (!vgpu::has_isa(isa)) continue;
        if (list.find(fmt::format(";{};", vgpu::to_string(isa))) != std::string::npos) return;
        if (best.empty()) best = vgpu::to_string(isa);
    }
    Command configure;
    configure.argv = {project.tools.cmake, fmt::format("-DLAB_HOST_ISAS={};{}", built, best),
                      project.build.string()};
    run_build_tool(project, configure);
}

void require_prebuilt(const Project& project, const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
        if (fs::exists(project.programs() / made_by(project, target))) continue;
        throw usage_failure(
            fmt::format("This prebuilt package has no {}, and builds nothing.\nUse a checkout with "
                        "the course's "
                        "sources for this command: there, ./lab builds what is missing.",
                        made_by(project, target).filename().string()));
    }
}

}  // namespace

fs::path made_by(const Project& project, std::string_view target) {
    constexpr std::string_view kEntry = "entry-object-";
    if (target.starts_with(kEntry))
        return fs::path("lib/entry") / (std::string(target.substr(kEntry.size())) + ".o");
    if (target.starts_with("runner_")) return fmt::format("lib/runner/lib{}.a", target);
    if (target == "vgpu_cudart") return "lib/vgpu/libcudart_static.a";
    if (target == "vgpu_cudart_shared") return fs::path("lib/vgpu") / project.tools.cudart_shared;
    if (target == "vgpu_libraries") return "lib/vgpu/stand_ins";
    return fs::path("bin") / target;
}

std::string cmake_variable(std::string_view cache, std::string_view name) {
    const std::string key = fmt::format("\n{}:", name);
    const std::size_t line =
        cache.starts_with(std::string_view(key).substr(1)) ? 0 : cache.find(key);
    if (line == std::string_view::npos) return "";
    const std::size_t end = std::min(cache.size(), cache.find('\n', line + 1));
    const std::size_t value = cache.find('=', line);
    return value < end ? std::string(cache.substr(value + 1, end - value - 1)) : "";
}

std::optional<BuildProgress> read_progress(std::string_view ninja_output) {
    for (std::size_t at = ninja_output.size(); at > 0;) {
        at = ninja_output.rfind('[', at - 1);
        if (at == std::string_view::npos) return std::nullopt;
        if (at > 0 && ninja_output[at - 1] != '\n') continue;
        BuildProgress progress;
        const char* const end = ninja_output.data() + ninja_output.size();
        const auto done = std::from_chars(ninja_output.data() + at + 1, end, progress.done);
        if (done.ec != std::errc() || done.ptr == end || *done.ptr != '/') continue;
        const auto total = std::from_chars(done.ptr + 1, end, progress.total);
        if (total.ec == std::errc() && total.ptr != end && *total.ptr == ']') return progress;
    }
    return std::nullopt;
}

void ensure_targets(const Project& project, const std::vector<std::string>& targets) {
    if (project.is_prebuilt()) return require_prebuilt(project, targets);
    const BuildLock lock(project);
    add_host_isa(project);
    Command build;
    build.argv = {project.tools.cmake,
                  "--build",
                  project.build.string(),
                  "--parallel",
                  std::to_string(std::max(1u, std::thread::hardware_concurrency())),
                  "--target"};
    build.argv.insert(build.argv.end(), targets.begin(), targets.end());
    build.environment = {"NINJA_STATUS=[%f/%t] "};
    run_build_tool(project, build);
    if (project.on_progress) project.on_progress({.is_done = true});
}

}  // namespace lab
