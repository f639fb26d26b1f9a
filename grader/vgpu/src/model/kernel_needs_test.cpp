#include "vgpu/kernel_needs.h"

#include <catch2/catch_test_macros.hpp>

using namespace vgpu;

TEST_CASE("kernel needs: registers, stack and spills from what ptxas writes") {
    const auto needs = read_ptxas_output(
        "ptxas info    : 0 bytes gmem, 24 bytes cmem[4]\n"
        "ptxas info    : Compiling entry function '_Z3addPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z3addPf\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 12 registers, used 0 barriers, 380 bytes cmem[0]\n"
        "ptxas info    : Compiling entry function '_Z4deepi' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z4deepi\n"
        "    40 bytes stack frame, 24 bytes spill stores, 36 bytes spill loads\n"
        "ptxas info    : Used 254 registers, used 1 barriers, 40 bytes cumulative stack size\n"
        "ptxas info    : Function properties for _Z6helperi\n"
        "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
    CHECK(needs == KernelNeeds{{"_Z3addPf", {12, 0}}, {"_Z4deepi", {254, 40, 24, 36}}});
    CHECK(read_ptxas_output("").empty());
}

TEST_CASE("kernel needs: a table is read as it was written, up to its first bad line") {
    const KernelNeeds needs{{"_Z3addPf", {12, 0}}, {"_Z4deepi", {254, 40, 24, 36}}};
    CHECK(read_table(to_table(needs)) == needs);
    CHECK(read_table("").empty());
    CHECK(read_table("a 1 2 3 4\nb 1 2\nc 1 2 3 4\n") == KernelNeeds{{"a", {1, 2, 3, 4}}});
}
