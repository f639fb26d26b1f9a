#include "cli/vgpu/prepared_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "base/failure.h"
#include "base/process.h"
#include "cli/vgpu/elf.h"
#include "cli/vgpu/program.h"
#include "core/build/targets.h"
#include "core/device.h"

namespace lab {
namespace {

/// Is it newer than all its sources? Asking the build tool would cost a quarter of a second.
bool is_current(const Project& project, const fs::path& file) {
    if (project.is_prebuilt()) return fs::exists(file);
    std::error_code none;
    const auto made = fs::last_write_time(file, none);
    if (none) return false;
    for (const auto& entry : fs::recursive_directory_iterator(project.root / "grader/vgpu", none)) {
        if (entry.last_write_time(none) > made) return false;
    }
    return true;
}

/// A program's file, mapped: some hold hundreds of megabytes of device code.
class MappedFile {
public:
    explicit MappedFile(const fs::path& file) {
        const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        const off_t size = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END);
        if (size > 0) {
            size_ = static_cast<std::size_t>(size);
            data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        }
        if (descriptor >= 0) close(descriptor);
    }
    ~MappedFile() {
        if (data_ != MAP_FAILED) munmap(data_, size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::span<const std::byte> bytes() const {
        if (data_ == MAP_FAILED) return {};
        return {static_cast<const std::byte*>(data_), size_};
    }

private:
    void* data_ = MAP_FAILED;
    std::size_t size_ = 0;
};

/// The file that execvp would run.
fs::path file_of(const std::string& program) {
    if (program.find('/') != std::string::npos) return program;
    const std::string path = process_environment()("PATH").value_or("");
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const fs::path file = fs::path(path.substr(begin, end - begin)) / program;
        if (access(file.c_str(), X_OK) == 0) return file;
        begin = end + 1;
    }
    return {};
}

}  // namespace

fs::path vgpu_runtime(const Project& project) {
    return project.programs() / "lib/vgpu" / project.tools.cudart_shared;
}

void ensure_vgpu_built(const Project& project) {
    if (is_current(project, vgpu_runtime(project)) &&
        is_current(project, project.binary("vgpu-device")))
        return;
    ensure_targets(project, {"vgpu-device", "vgpu_cudart", "vgpu_cudart_shared", "vgpu_libraries"});
}

VgpuRun prepared_run(const Project& project, const std::vector<std::string>& program) {
    require_addresses();
    const fs::path library = vgpu_runtime(project);
    const MappedFile file(file_of(program.front()));
    ensure_vgpu_built(project);
    const fs::path stand_ins = library.parent_path() / "stand_ins";
    const auto obstacle =
        vgpu_obstacle(file.bytes(), program.front(), library.filename(), stand_ins);
    if (obstacle) throw usage_failure(*obstacle);
    VgpuRun how{program, project.binary("vgpu-device"), {}, library, stand_ins};
    if (const auto elf = read_elf(file.bytes())) {
        how.preload = elf->has_rpath;
        how.annotates =
            std::ranges::find(elf->needed, library.filename().string()) != elf->needed.end();
    }
    return how;
}

Failure cannot_start(const std::string& program, int error) {
    std::string hint;
    if (error == ENOENT && program.find('/') == std::string::npos && fs::exists(program))
        hint = fmt::format(" It is in this folder: ./{}", program);
    if (error == EACCES && fs::is_regular_file(program))
        hint = " Is it a program? Compile a .cu file first: ./lab nvcc x.cu -o x";
    return usage_failure(
        fmt::format("Cannot start {}: {}.{}", program, std::strerror(error), hint));
}

}  // namespace lab
