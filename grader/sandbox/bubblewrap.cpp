#include "sandbox/bubblewrap.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace lab {
namespace {

namespace fs = std::filesystem;

// Files in /tmp and in /dev/shm are memory: no limit on the program's own would count them.
constexpr const char* kTemporaryBytes = "268435456";
constexpr const char* kSharedBytes = "67108864";

void bind_system_folders(std::vector<std::string>& line) {
    line.insert(line.end(), {"--ro-bind", "/usr", "/usr"});
    for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
        std::error_code error;
        if (fs::is_symlink(name, error)) {
            line.insert(line.end(), {"--symlink", fs::read_symlink(name, error), name});
        } else if (fs::is_directory(name, error)) {
            line.insert(line.end(), {"--ro-bind", name, name});
        }
    }
    for (const char* name : {"/etc/ld.so.cache", "/etc/alternatives"}) {
        line.insert(line.end(), {"--ro-bind-try", name, name});
    }
}

void bind_nvidia_gpu(std::vector<std::string>& line) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/dev", error)) {
        const std::string path = entry.path();
        // Plain --bind would mount them without device access.
        if (path.rfind("/dev/nvidia", 0) == 0) {
            line.insert(line.end(), {"--dev-bind", path, path});
        }
    }
    line.insert(line.end(), {"--ro-bind", "/sys", "/sys"});
}

bool is_below(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

/// Already visible with /usr, perhaps through a link. A mount on top would fail, because bubblewrap
/// does not follow links out of its bound folders.
bool is_visible(const fs::path& path, const SandboxSpec& spec) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || !is_below(real, "/usr")) return false;
    for (const fs::path& hidden : spec.hidden) {
        if (is_below(real, hidden)) return false;
    }
    return true;
}

void bind_read_only(const fs::path& path, const SandboxSpec& spec, std::vector<std::string>& line) {
    if (!is_visible(path, spec)) line.insert(line.end(), {"--ro-bind", path, path});
}

/// Built next to the program that we are.
fs::path first_process() {
    return fs::read_symlink("/proc/self/exe").parent_path() / "sandbox-init";
}

}  // namespace

const std::string& bubblewrap_program() {
    static const std::string program = [] {
        const char* packages = std::getenv("LAB_DEPS");
        const std::string carried = std::string(packages ? packages : "") + "/bin/bwrap";
        const bool usable = packages && access(carried.c_str(), X_OK) == 0;
        return usable ? carried : std::string("/usr/bin/bwrap");
    }();
    return program;
}

std::vector<std::string> bubblewrap_line(const SandboxSpec& spec, int filter_descriptor,
                                         int status_descriptor) {
    // No --new-session: we made one before, and Child::kill() ends the group that it has.
    std::vector<std::string> line{bubblewrap_program(),
                                  "--unshare-all",
                                  "--unshare-user",
                                  "--uid",
                                  "65534",
                                  "--gid",
                                  "65534",
                                  "--cap-drop",
                                  "ALL",
                                  "--die-with-parent",
                                  "--as-pid-1",
                                  "--clearenv"};
    bind_system_folders(line);
    line.insert(line.end(), {"--proc", "/proc", "--dev", "/dev", "--size", kTemporaryBytes,
                             "--tmpfs", "/tmp", "--size", kSharedBytes, "--tmpfs", "/dev/shm"});
    if (spec.nvidia_gpu) bind_nvidia_gpu(line);
    for (const fs::path& path : spec.hidden) {
        // Other folders need no hiding: only these were bound.
        if (is_below(path, "/usr")) line.insert(line.end(), {"--tmpfs", path});
    }
    const fs::path init = first_process();
    bind_read_only(init, spec, line);
    bind_read_only(spec.program, spec, line);
    for (const fs::path& path : spec.readable) bind_read_only(path, spec, line);
    for (const fs::path& path : spec.writable) line.insert(line.end(), {"--bind", path, path});
    // bubblewrap makes both as memory without a limit.
    line.insert(line.end(), {"--remount-ro", "/dev", "--remount-ro", "/"});
    for (const std::string& variable : spec.environment) {
        const std::size_t equals = variable.find('=');
        line.insert(line.end(),
                    {"--setenv", variable.substr(0, equals), variable.substr(equals + 1)});
    }
    line.insert(line.end(), {"--chdir", spec.working_folder});
    line.insert(line.end(), {"--", init, std::to_string(filter_descriptor),
                             std::to_string(status_descriptor), spec.program});
    line.insert(line.end(), spec.arguments.begin(), spec.arguments.end());
    return line;
}

}  // namespace lab
