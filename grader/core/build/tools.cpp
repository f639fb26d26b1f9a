#include "core/build/tools.h"

#include <unistd.h>

#include <initializer_list>
#include <sstream>

#include "core/build_config.h"

namespace lab {
namespace {

/// The first of the names that is a program in the PATH.
std::string in_path(const std::string& path, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');) {
            const fs::path file = fs::path(folder) / name;
            if (file.is_absolute() && access(file.c_str(), X_OK) == 0) return file;
        }
    }
    return *names.begin();
}

/// libcudart_static.a of nvcc's toolkit. NVIDIA's packages, its wheels and clusters have it in
/// different folders.
std::string cudart_static_of(const fs::path& nvcc) {
    std::error_code error;
    const fs::path toolkit = fs::weakly_canonical(nvcc, error).parent_path().parent_path();
    for (const char* folder :
         {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
        const fs::path file = toolkit / folder / "libcudart_static.a";
        if (fs::exists(file, error)) return file;
    }
    return "";
}

}  // namespace

Tools tools_of_the_build(const Environment& environment) {
    return {environment("LAB_NVCC").value_or(build_config::kNvcc),
            build_config::kHostCompiler,
            build_config::kLinker,
            build_config::kNm,
            build_config::kObjcopy,
            build_config::kCMake,
            build_config::kCudartStatic,
            build_config::kCudartShared,
            build_config::kRunnerSanitizers};
}

Tools tools_of_this_machine(const fs::path& root, const Environment& environment) {
    const std::string path = environment("PATH").value_or("/usr/bin:/bin");
    const fs::path installed = root / ".toolchain/nvidia/cu13/bin/nvcc";
    Tools tools;
    tools.nvcc = environment("LAB_NVCC").value_or(installed.string());
    tools.host_compiler = in_path(path, {"g++", "c++"});
    tools.linker = in_path(path, {"ld"});
    tools.nm = in_path(path, {"nm"});
    tools.objcopy = in_path(path, {"objcopy"});
    tools.cudart_static = cudart_static_of(tools.nvcc);
    tools.cudart_shared = build_config::kCudartShared;
    return tools;
}

}  // namespace lab
