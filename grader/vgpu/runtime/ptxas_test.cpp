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

TEST_CASE("ptxas: registers and stack from what it writes") {
    const auto needs = read_ptxas_output(
        "ptxas info    : 0 bytes gmem, 24 bytes cmem[4]\n"
        "ptxas info    : Compiling entry function '_Z3addPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z3addPf\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 12 registers, used 0 barriers, 380 bytes cmem[0]\n"
        "ptxas info    : Compiling entry function '_Z4deepi' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z4deepi\n"
        "    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 254 registers, used 1 barriers, 40 bytes cumulative stack size\n"
        "ptxas info    : Function properties for _Z6helperi\n"
        "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
    CHECK(needs == std::map<std::string, Needs>{{"_Z3addPf", {12, 0}}, {"_Z4deepi", {254, 40}}});
    CHECK(read_ptxas_output("").empty());
}

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
        std::ofstream(entry.path()) << "store 77 8\n";
    }
    CHECK(files == 1);
    CHECK(ptxas.measure(ptx) == std::map<std::string, Needs>{{"store", {77, 8}}});
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
