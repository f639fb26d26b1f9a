#include "core/build/tools.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "base/files.h"

using namespace lab;

namespace {

void make_program(const fs::path& file) {
    write_atomically(file, "#!/bin/sh\n");
    fs::permissions(file, fs::perms::owner_all);
}

}  // namespace

TEST_CASE("tools: of another machine's build, those in the PATH and in nvcc's toolkit are taken") {
    const TemporaryFolder folder;
    const fs::path root = fs::canonical(folder.path());
    make_program(root / "one/g++");
    make_program(root / "two/g++");
    make_program(root / "two/ld");
    write_atomically(root / "two/nm", "no program");
    const fs::path library = root / "cuda/targets/x86_64-linux/lib/libcudart_static.a";
    write_atomically(library, "");

    std::map<std::string, std::string> variables = {
        {"PATH", (root / "one").string() + ":.:" + (root / "two").string()},
        {"LAB_NVCC", (root / "cuda/bin/nvcc").string()}};
    const Environment environment = [&](const char* name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
    };
    const Tools tools = tools_of_this_machine(root, environment);
    CHECK(tools.host_compiler == root / "one/g++");
    CHECK(tools.linker == root / "two/ld");
    CHECK(tools.nm == "nm");
    CHECK(tools.cmake.empty());
    CHECK(tools.nvcc == root / "cuda/bin/nvcc");
    CHECK(tools.cudart_static == library);

    variables.erase("LAB_NVCC");
    CHECK(tools_of_this_machine(root, environment).nvcc ==
          root / ".toolchain/nvidia/cu13/bin/nvcc");
    CHECK(tools_of_this_machine(root, environment).cudart_static.empty());
}
