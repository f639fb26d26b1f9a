#include "cli/vgpu/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lab {
namespace {

/// NVIDIA's libraries that reach the GPU past the CUDA runtime, so that the runtime alone cannot
/// serve them. Only those whose functions a program calls are reported.
struct Library {
    const char* name;    ///< of its file, up to ".so"
    const char* prefix;  ///< of its functions
    const char* what;
};
constexpr Library kLibraries[] = {
    {"libcuda", "cu", "the CUDA driver API"},
    {"libnvrtc", "nvrtc", "NVRTC, which compiles kernels while the program runs"},
    {"libnvJitLink", "nvJitLink", "nvJitLink, which links kernels while the program runs"},
    {"libcublas", "cublas", "cuBLAS"},
    {"libcublasLt", "cublasLt", "cuBLASLt"},
    {"libcufft", "cufft", "cuFFT"},
    {"libcurand", "curand", "the host functions of cuRAND"},
    {"libcusolver", "cusolver", "cuSOLVER"},
    {"libcusparse", "cusparse", "cuSPARSE"},
    {"libcudnn", "cudnn", "cuDNN"},
    {"libnccl", "nccl", "NCCL"},
    {"libnvjpeg", "nvjpeg", "nvJPEG"},
    {"libnpp", "npp", "NPP"},
};

/// Whether the rest of a name after its library's prefix begins a word: cuInit, not cudaMalloc.
bool begins_word(char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "libcublas.so.13" is cuBLAS's, "libcublasLt.so.13" is not; NPP has many.
bool is_file_of(const Library& library, std::string_view file) {
    const std::string_view name(library.name);
    return file.starts_with(name) &&
           (name == "libnpp" || file.substr(name.size()).starts_with('.'));
}

/// The functions of `library` that the program calls.
std::vector<std::string> functions_of(const Library& library, const Elf& elf) {
    std::vector<std::string> called;
    const std::string_view prefix(library.prefix);
    const bool any_case = prefix == "npp" || prefix == "cusolver";  // nppiFilter, cusolverDnCreate
    for (const std::string& name : elf.imports) {
        if (name.starts_with(prefix) && name.size() > prefix.size() &&
            (any_case || begins_word(name[prefix.size()]))) {
            called.push_back(name);
        }
    }
    return called;
}

bool contains(std::span<const std::byte> file, std::string_view text) {
    const std::string_view all(reinterpret_cast<const char*>(file.data()), file.size());
    return all.find(text) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> vgpu_obstacle(std::span<const std::byte> file, const std::string& shown,
                                         const std::string& runtime,
                                         const std::filesystem::path& stand_ins) {
    const auto elf = read_elf(file);
    if (!elf) return std::nullopt;  // perhaps a script, whose programs may use the runtime
    if (!elf->is_native) return fmt::format("{} is a program for another machine.", shown);

    for (const Library& library : kLibraries) {
        const bool is_needed =
            std::any_of(elf->needed.begin(), elf->needed.end(), [&](const std::string& n) {
                return is_file_of(library, n) && !std::filesystem::exists(stand_ins / n);
            });
        if (!is_needed) continue;
        const auto called = functions_of(library, *elf);
        if (called.empty()) continue;
        return fmt::format(
            "{} needs {} ({}{}), which the virtual GPU does not have.\n"
            "It runs kernels of the program's own: replace these calls by a kernel, or run the "
            "program on a GPU.",
            shown, library.what, called.front(),
            called.size() == 1 ? "" : fmt::format(" and {} more", called.size() - 1));
    }

    const std::string family = runtime.substr(0, runtime.rfind('.') + 1);
    for (const std::string& name : elf->needed) {
        if (!name.starts_with(family) || name == runtime) continue;
        return fmt::format(
            "{} was built for {}, and the virtual GPU stands in for {}.\n"
            "Build it with the nvcc that ./lab uses: ./lab nvcc ...",
            shown, name, runtime);
    }
    const bool has_runtime =
        std::find(elf->needed.begin(), elf->needed.end(), runtime) != elf->needed.end();
    // Our own archive names the variable through which it finds the device.
    if (elf->sections.contains(".nv_fatbin") && !has_runtime && !contains(file, "VGPU_CLIENT_FD")) {
        return fmt::format(
            "{} was linked with NVIDIA's own CUDA runtime (nvcc does that unless it is told "
            "otherwise), which needs a real GPU.\n"
            "Build it again with ./lab nvcc, which links the shared runtime: ./lab nvcc ...",
            shown);
    }
    return std::nullopt;
}

}  // namespace lab
