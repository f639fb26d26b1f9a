// Checks what lab 15 says about kernels with too many registers, or with local memory.
#include "needs.h"

#include <catch2/catch_test_macros.hpp>

namespace {

lab::CompiledKernel kernel(const char* name, std::uint32_t registers, std::uint32_t stack = 0,
                           std::uint32_t spilled = 0) {
    return {name, {registers, stack, spilled, spilled}};
}

const Kernels kHeavy{kernel("run_kernel<2u>", 57)};

}  // namespace

TEST_CASE("lab 15: an instance of 32 registers is light, unless something was spilled for it") {
    CHECK(why_not_light({kernel("run_kernel<0u>", 32)}, kHeavy).empty());
    CHECK(why_not_light({kernel("run_kernel<0u>", 33)}, kHeavy) ==
          "run_kernel<0u> needs 33 registers a thread. The work of kSpread is not for these flags: "
          "is it in the kernel all the same?");
    CHECK(why_not_light({kernel("run_kernel", 32, 104, 196)}, kHeavy) ==
          "run_kernel needs 32 registers and 104 bytes of local memory a thread. A limit on its "
          "registers sent the rest to local memory: the work of kSpread is still in this kernel.");
}

TEST_CASE("lab 15: a heavy kernel without kSpread is the one with it, or one of several") {
    CHECK(why_not_light({kernel("run_kernel", 56)}, {kernel("run_kernel", 56)}) ==
          "run_kernel needs 56 registers a thread. With kSpread the same kernel runs. It needs "
          "registers for its most expensive part, whether a launch gets there or not.");
    CHECK(why_not_light({kernel("run_kernel<0u>", 10), kernel("run_kernel<2u>", 57)}, kHeavy) ==
          "run_kernel<2u> needs 57 registers a thread. This call launched 2 different kernels, and "
          "one of them is enough.");
}

TEST_CASE("lab 15: where launches are not known, one light kernel is enough") {
    CHECK(why_none_light({kernel("run_a", 57), kernel("run_b", 10)}).empty());
    CHECK(why_none_light({kernel("run_a", 60), kernel("run_b", 56)}) ==
          "Of your kernels whose names begin with \"run\", run_b needs 56 registers a thread, and "
          "no other needs less. A kernel needs registers for its most expensive part, whether a "
          "launch gets there or not.");
}

TEST_CASE("lab 15: local memory has three causes") {
    CHECK(why_local({kernel("blend_kernel<9>", 27)}).empty());
    CHECK(why_local({kernel("blend_kernel", 32, 40)}) ==
          "blend_kernel keeps 40 bytes a thread in local memory. An array is in registers only if "
          "the compiler knows every index. Do loops of this kernel end at a number that comes with "
          "the launch?");
    CHECK(why_local({kernel("blend_kernel<3>", 16), kernel("blend_kernel<9>", 32, 40)}) ==
          "blend_kernel<9> keeps 40 bytes a thread in local memory. It is an instance of a "
          "template, but the compiler does not know every index of the array. Does one depend on "
          "the data, or does a function get an address?");
    CHECK(why_local({kernel("blend_kernel<9>", 16, 24, 48)}) ==
          "blend_kernel<9> keeps 24 bytes a thread in local memory: it has too few registers, and "
          "stores 48 bytes of them there. Does something limit them?");
}
