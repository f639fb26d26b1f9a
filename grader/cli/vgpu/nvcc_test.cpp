// Tests `lab nvcc`, then `lab vgpu run`, with a user's own program, from any folder.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "base/files.h"
#include "base/process.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kProgram = R"(#include <cstdio>
__global__ void square(int* a) {
    a[threadIdx.x] *= a[threadIdx.x + OFFSET];
}
int main() {
    int* a;
    cudaMallocManaged(&a, 8 * sizeof(int));
    for (int i = 0; i < 8; ++i) a[i] = i;
    square<<<1, 8>>>(a);
    cudaDeviceSynchronize();
    std::printf("%d\n", a[7]);
}
)";

/// In a separate folder, with no nvcc in the PATH.
Finished lab_in(const fs::path& folder, std::vector<std::string> arguments) {
    Command command;
    command.argv = std::move(arguments);
    command.argv.insert(command.argv.begin(), LAB_TEST_BINARY);
    command.environment = {std::string("LAB_ROOT=") + LAB_TEST_ROOT,
                           std::string("LAB_BUILD=") + LAB_TEST_BUILD, "PATH=/usr/bin:/bin"};
    command.working_folder = folder;
    return run(command);
}

}  // namespace

TEST_CASE("nvcc: a program of one's own is compiled and runs on the virtual GPU") {
    const TemporaryFolder folder;
    write_atomically(folder.path() / "square.cu", kProgram);
    const Finished built =
        lab_in(folder.path(), {"nvcc", "-DOFFSET=0", "square.cu", "-o", "square"});
    INFO(built.out << built.err);
    REQUIRE(built.exit_code == 0);
    const Finished ran = lab_in(folder.path(), {"vgpu", "run", "--", "./square"});
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    CHECK(ran.out == "49\n");
}

TEST_CASE("nvcc: mistakes of the program have their lines") {
    const TemporaryFolder folder;
    write_atomically(folder.path() / "square.cu", kProgram);
    REQUIRE(lab_in(folder.path(), {"nvcc", "-DOFFSET=1", "square.cu", "-o", "square"}).exit_code ==
            0);
    CHECK_THAT(lab_in(folder.path(), {"vgpu", "run", "--", "./square"}).err,
               ContainsSubstring("square.cu:3"));
}

TEST_CASE("nvcc: its own arguments, output and exit code") {
    const TemporaryFolder folder;
    const Finished version = lab_in(folder.path(), {"nvcc", "--version"});
    CHECK(version.exit_code == 0);
    CHECK_THAT(version.out, ContainsSubstring("Cuda compiler driver"));
    CHECK_THAT(lab_in(folder.path(), {"nvcc", "--help"}).out,
               ContainsSubstring("--gpu-architecture"));
    const Finished missing = lab_in(folder.path(), {"nvcc", "nowhere.cu"});
    CHECK(missing.exit_code == 1);
    CHECK_THAT(missing.err, ContainsSubstring("nowhere.cu"));
}

TEST_CASE("nvcc: flags are added only where the program's own say nothing") {
    const TemporaryFolder folder;
    write_atomically(folder.path() / "square.cu", kProgram);
    const auto steps = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"nvcc", "--dryrun", "-DOFFSET=0", "square.cu"});
        return lab_in(folder.path(), std::move(arguments)).err;
    };
    const std::string usual = steps({});
    CHECK_THAT(usual, ContainsSubstring("-lcudart ") && ContainsSubstring("generate-line-info"));
    CHECK_THAT(steps({"-cudart=static"}), ContainsSubstring("-lcudart_static"));
    CHECK(steps({"-cudart", "none"}).find("-lcudart") == std::string::npos);
    CHECK(steps({"-G"}).find("overrides") == std::string::npos);
}
