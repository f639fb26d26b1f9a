#include "check/session/compiled_kernels.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("compiled kernels: the name is without return type, namespace and parameters") {
    CHECK(kernel_name("add_kernel(float const*, int)") == "add_kernel");
    CHECK(kernel_name("void blend_kernel<8>(float*, int)") == "blend_kernel<8>");
    CHECK(kernel_name("void blend_kernel<(Mode)1, unsigned int>(float*)") ==
          "blend_kernel<(Mode)1, unsigned int>");
    CHECK(kernel_name("void (anonymous namespace)::k<(anonymous namespace)::Op>(Op)") == "k<Op>");
    CHECK(kernel_name("plain_c_name") == "plain_c_name");
    CHECK(kernel_name("") == "");
}
