#include "core/course/project.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/failure.h"
#include "base/files.h"
#include "core/build/targets.h"
#include "core/build/tools.h"
#include "core/build_config.h"
#include "core/course/release.h"

namespace lab {
namespace {

bool is_root(const fs::path& folder) {
    return fs::is_directory(folder / "labs") && fs::is_directory(folder / "grader");
}

fs::path find_root(const fs::path& from, const Environment& environment) {
    if (const auto root = environment("LAB_ROOT")) {
        if (is_root(*root)) return fs::canonical(*root);
        throw usage_failure(fmt::format(
            "LAB_ROOT is {}, and that is no CUDA Labs checkout: it has no labs/ and grader/.",
            *root));
    }
    for (fs::path folder = fs::absolute(from);; folder = folder.parent_path()) {
        if (is_root(folder)) return fs::canonical(folder);
        if (folder == folder.parent_path()) break;
    }
    throw usage_failure(fmt::format(
        "{} is not inside a CUDA Labs checkout.\nGo to the folder that holds labs/ and ./lab, and "
        "run the command there.",
        from.string()));
}

/// A build folder remembers absolute paths, so one that was copied or moved builds something else.
void check_build_folder(const Project& project) {
    const auto cache = read_file_if_there(project.build / "CMakeCache.txt");
    if (!cache)
        throw own_fault(fmt::format(
            "There is no build in {}.\nRun ./lab, which makes one, or build it yourself:\n"
            "    cmake --preset default && cmake --build --preset default",
            project.build.string()));
    const fs::path home = cmake_variable(*cache, "CMAKE_HOME_DIRECTORY");
    if (home.empty()) return;
    std::error_code gone;
    if (fs::equivalent(home, project.root, gone)) return;
    throw own_fault(
        fmt::format("The build folder {0} was made from another checkout:\n"
                    "    expected  {1}\n"
                    "    got       {2}\n"
                    "Delete it, and run ./lab again, which makes a new one:\n"
                    "    rm -r {0}",
                    project.build.string(), project.root.string(), home.string()));
}

}  // namespace

Environment process_environment() {
    return [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') return std::nullopt;
        return value;
    };
}

Project find_project(const fs::path& from, const Environment& environment) {
    Project project;
    project.root = find_root(from, environment);
    if (const fs::path programs = prebuilt_programs(project.root); fs::exists(programs))
        project.prebuilt = programs;
    project.build = environment("LAB_BUILD")
                        .value_or(project.is_prebuilt() ? (project.root / "build/lab").string()
                                                        : build_config::kBuildFolder);
    project.state = environment("LAB_STATE").value_or((project.root / ".lab").string());
    project.tools = project.is_prebuilt() ? tools_of_this_machine(project.root, environment)
                                          : tools_of_the_build(environment);
    if (project.is_prebuilt()) {
        make_folder(project.build);
    } else {
        check_build_folder(project);
    }
    return project;
}

}  // namespace lab
