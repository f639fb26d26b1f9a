#include "runtime/ptxas.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

namespace vgpu {
namespace {

namespace fs = std::filesystem;

/// The GPU that the virtual one stands for (model::h200).
constexpr const char* kArchitecture = "-arch=sm_90";
/// The PTX is the program's; it shall not keep the assembler busy for ever, or fill the disk.
constexpr unsigned kPatience_s = 20;
constexpr rlim_t kMostFileBytes = 256 << 20;

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

/// A folder of its own, gone with the object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code none;
        std::string name = (fs::temp_directory_path(none) / "vgpu-ptxas-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code none;
        if (!path_.empty()) fs::remove_all(path_, none);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// What ptxas writes about a module; nothing when it fails.
std::optional<std::string> run(const fs::path& program, const std::string& ptx) {
    const TemporaryFolder folder;
    if (folder.path().empty()) return std::nullopt;
    const std::string in = folder.path() / "module.ptx", out = folder.path() / "module.cubin",
                      text = folder.path() / "text", name = program;
    std::ofstream(in) << ptx;
    const char* const arguments[] = {name.c_str(), kArchitecture, "-v",   "-o",
                                     out.c_str(),  in.c_str(),    nullptr};
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return std::nullopt;
    if (child == 0) {
        // Only calls that are safe after fork() in a program with threads.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        const rlimit file_bytes{kMostFileBytes, kMostFileBytes};
        setrlimit(RLIMIT_FSIZE, &file_bytes);
        const int file = open(text.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        alarm(kPatience_s);  // stays set in the new program, which it ends
        execv(arguments[0], const_cast<char**>(arguments));
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
    return content(text);
}

/// Whoever reads it sees all of it or nothing: it is renamed into its place. Without a cache, all
/// works, only slower.
void keep(const fs::path& file, const KernelNeeds& needs) {
    std::error_code none;
    fs::create_directories(file.parent_path(), none);
    const fs::path draft = fmt::format("{}.{}", file.string(), getpid());
    if (!(std::ofstream(draft) << to_table(needs)).flush()) return;
    fs::rename(draft, file, none);
}

}  // namespace

fs::path Ptxas::default_cache() {
    const auto folder = [](const char* name) {
        const char* const value = std::getenv(name);
        return fs::path(value == nullptr ? "" : value);
    };
    if (const fs::path cache = folder("XDG_CACHE_HOME"); cache.is_absolute())
        return cache / "cuda-labs/ptxas";
    if (const fs::path home = folder("HOME"); home.is_absolute())
        return home / ".cache/cuda-labs/ptxas";
    return {};
}

KernelNeeds Ptxas::measure(const std::string& ptx) const {
    if (!known_.empty()) return known_;
    std::error_code none;
    if (program_.empty() || !fs::exists(program_, none)) return {};
    // Another ptxas may answer otherwise.
    const auto changed = fs::last_write_time(program_, none).time_since_epoch().count();
    const std::string which = fmt::format("2 {} {} {}", program_.string(), changed, kArchitecture);
    const fs::path file =
        cache_.empty()
            ? fs::path()
            : cache_ / fmt::format("{:016x}-{:x}", fnv1a(ptx, fnv1a(which, 0xcbf29ce484222325)),
                                   ptx.size());
    if (!file.empty()) {
        if (auto cached = read_table(content(file)); !cached.empty()) return cached;
    }
    const auto text = run(program_, ptx);
    if (!text) return {};
    auto needs = read_ptxas_output(*text);
    if (!file.empty() && !needs.empty()) keep(file, needs);
    return needs;
}

}  // namespace vgpu
