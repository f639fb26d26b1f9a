#include "runtime/client/memory/fault_context.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>
#include <vector>

using vgpu::client::stores_on_arm64;

// Words and text as GNU as and objdump have them.
TEST_CASE("fault context: instructions of 64-bit Arm that store") {
    const std::vector<std::pair<std::uint32_t, const char*>> all = {
        {0xb9000020, "str w0, [x1]"},
        {0xf8008c20, "str x0, [x1, #8]!"},
        {0x3d800020, "str q0, [x1]"},
        {0xfc226820, "str d0, [x1, x2]"},
        {0x38226820, "strb w0, [x1, x2]"},
        {0x781ff020, "sturh w0, [x1, #-1]"},
        {0xa9000440, "stp x0, x1, [x2]"},
        {0xad010440, "stp q0, q1, [x2, #32]"},
        {0x6c000440, "stnp d0, d1, [x2]"},
        {0x4c007820, "st1 {v0.4s}, [x1]"},
        {0x4c9f0820, "st4 {v0.4s-v3.4s}, [x1], #64"},
        {0x0d009020, "st1 {v0.s}[1], [x1]"},
        {0x889ffc20, "stlr w0, [x1]"},
        {0x88027c20, "stxr w2, w0, [x1]"},
        {0xc8228c20, "stlxp w2, x0, x3, [x1]"},
        {0xd50b7420, "dc zva, x0"},
        {0x99004020, "stlur w0, [x1, #4]"},
        {0x88a07c41, "cas w0, w1, [x2]"},
        {0x48207c82, "casp x0, x1, x2, x3, [x4]"},
        {0xc8e0fc41, "casal x0, x1, [x2]"},
        {0xb8200041, "ldadd w0, w1, [x2]"},
        {0xf8208041, "swp x0, x1, [x2]"},
        {0xb820003f, "stadd w0, [x1]"},
    };
    for (const auto& [word, text] : all) {
        INFO(text);
        CHECK(stores_on_arm64(word));
    }
}

TEST_CASE("fault context: instructions of 64-bit Arm that do not store") {
    const std::vector<std::pair<std::uint32_t, const char*>> all = {
        {0xb9400020, "ldr w0, [x1]"},       {0xf8408420, "ldr x0, [x1], #8"},
        {0x3dc00020, "ldr q0, [x1]"},       {0xfc626820, "ldr d0, [x1, x2]"},
        {0x38a26820, "ldrsb x0, [x1, x2]"}, {0xb9800020, "ldrsw x0, [x1]"},
        {0x7c401020, "ldur h0, [x1, #1]"},  {0xa9400440, "ldp x0, x1, [x2]"},
        {0x69400440, "ldpsw x0, x1, [x2]"}, {0xad400440, "ldp q0, q1, [x2]"},
        {0x4c407820, "ld1 {v0.4s}, [x1]"},  {0x4cdf0820, "ld4 {v0.4s-v3.4s}, [x1], #64"},
        {0x4d40c820, "ld1r {v0.4s}, [x1]"}, {0x88dffc20, "ldar w0, [x1]"},
        {0x885f7c20, "ldxr w0, [x1]"},      {0xc87f0c20, "ldxp x0, x3, [x1]"},
        {0xb8bfc020, "ldapr w0, [x1]"},     {0x99404020, "ldapur w0, [x1, #4]"},
        {0x58000020, "ldr x0, label"},      {0xf9800020, "prfm pldl1keep, [x1]"},
        {0x8b020020, "add x0, x1, x2"},     {0x1f020c20, "fmadd s0, s1, s2, s3"},
        {0xf8201420, "ldraa x0, [x1, #8]"}, {0x17fffffc, "b label"},
    };
    for (const auto& [word, text] : all) {
        INFO(text);
        CHECK_FALSE(stores_on_arm64(word));
    }
}
