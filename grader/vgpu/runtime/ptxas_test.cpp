// Against ptxas itself: the answers that a program gets must be those that running it by hand
// gives.
#include "runtime/ptxas.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "runtime/tests/tiny_module.h"

using namespace vgpu;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "vgpu-test-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() { fs::remove_all(path); }
};

/// What ptxas says of a kernel, read in another way than ours.
unsigned registers_by_hand(const fs::path& folder, std::string_view ptx, const char* kernel) {
    std::ofstream(folder / "hand.ptx") << ptx;
    const std::string command = std::string(VGPU_TEST_PTXAS) + " -arch=sm_90 -v " +
                                (folder / "hand.ptx").string() + " -o " +
                                (folder / "hand.cubin").string() + " 2>&1 | grep -A3 \"'" + kernel +
                                "'\" | grep -o 'Used [0-9]*' | tr -dc 0-9";
    FILE* const pipe = popen(command.c_str(), "r");
    unsigned registers = 0;
    REQUIRE(std::fscanf(pipe, "%u", &registers) == 1);
    pclose(pipe);
    return registers;
}

}  // namespace

TEST_CASE("ptxas: the numbers of the assembler, kept for the next time") {
    if (!fs::exists(VGPU_TEST_PTXAS)) SKIP("this toolkit has no ptxas");
    const Folder folder;
    const std::string ptx(test::kTinyPtx);
    const Ptxas ptxas(VGPU_TEST_PTXAS, folder.path / "cache");
    const auto needs = ptxas.measure(ptx);
    REQUIRE(needs.size() == 4);
    for (const char* kernel : {"store", "count", "f", "trap"}) {
        CHECK(needs.at(kernel).registers == registers_by_hand(folder.path, ptx, kernel));
    }
    // Now there is one file; what it says is believed without asking ptxas again.
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder.path / "cache")) {
        ++files;
        std::ofstream(entry.path()) << "store 77 8 4 2\n";
    }
    CHECK(files == 1);
    CHECK(ptxas.measure(ptx) == KernelNeeds{{"store", {77, 8, 4, 2}}});
}

TEST_CASE("ptxas: without it, with a broken one or with bad PTX nothing is said") {
    const Folder folder;
    CHECK(Ptxas().measure(std::string(test::kTinyPtx)).empty());
    CHECK(Ptxas("/no/such/ptxas", folder.path).measure("").empty());
    CHECK(Ptxas("/bin/false", folder.path).measure("").empty());
    CHECK(Ptxas("/bin/true", folder.path).measure("").empty());
    if (fs::exists(VGPU_TEST_PTXAS)) {
        CHECK(Ptxas(VGPU_TEST_PTXAS, folder.path).measure("this is no PTX").empty());
    }
    CHECK(fs::is_empty(folder.path));
}

TEST_CASE("ptxas: one that knows the answers asks nobody") {
    const KernelNeeds known{{"store", {40, 8, 4, 2}}};
    CHECK(Ptxas(known).measure("").at("store") == Needs{40, 8, 4, 2});
    CHECK(Ptxas(known).knows());
    CHECK_FALSE(Ptxas().knows());
}
