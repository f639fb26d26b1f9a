// Finds a project's places: the checkout, its build folder, the user's state, and the tools.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace lab {

namespace fs = std::filesystem;

/// The tools of this machine (core/build/tools.h finds them).
struct Tools {
    std::string nvcc;  ///< LAB_NVCC overrides it
    std::string host_compiler, linker, nm, objcopy;
    std::string cmake;          ///< empty in a prebuilt package, which builds nothing
    std::string cudart_static;  ///< NVIDIA's libcudart_static.a; empty when the toolkit has none
    std::string cudart_shared;  ///< what programs call its shared runtime: "libcudart.so.13"
    std::string runner_sanitizers{};  ///< "-fsanitize=..." of the runner's libraries, or nothing
};

/// The progress of a build.
struct BuildProgress {
    int done = 0, total = 0;  ///< steps
    double seconds = 0;       ///< since it began
    bool is_waiting = false;  ///< for another process that builds in the same folder
    bool is_done = false;     ///< called once at the end of every build
};

struct Project {
    fs::path root;   ///< holds labs/, solutions/, grader/
    fs::path build;  ///< CMake's build folder; caches are there, too
    fs::path state;  ///< results, hints shown, backups: .lab/ in the root
    Tools tools;
    /// Called a few times a second while our targets are built. May be empty.
    std::function<void(const BuildProgress&)> on_progress{};

    /// The programs of a prebuilt package (core/course/release.h). Empty: the build folder has
    /// them.
    fs::path prebuilt{};

    bool is_prebuilt() const { return !prebuilt.empty(); }
    /// Holds bin/ and lib/.
    const fs::path& programs() const { return is_prebuilt() ? prebuilt : build; }
    fs::path labs() const { return root / "labs"; }
    fs::path solutions() const { return root / "solutions"; }
    fs::path binary(const std::string& name) const { return programs() / "bin" / name; }
};

/// The value of an environment variable, or nothing.
using Environment = std::function<std::optional<std::string>(const char* name)>;
Environment process_environment();

/// The root is LAB_ROOT, else the nearest folder at or above `from` that holds labs/ and grader/.
/// The build folder is LAB_BUILD, else the one in which this program was built; in a prebuilt
/// package, build/lab in the root. The state is LAB_STATE, else .lab/. Throws Failure: usage when
/// there is no project, our fault when the build folder belongs to another checkout.
Project find_project(const fs::path& from, const Environment& environment);

}  // namespace lab
