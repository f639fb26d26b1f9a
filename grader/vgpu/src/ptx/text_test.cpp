#include "ptx/text.h"

#include <catch2/catch_test_macros.hpp>

#include "ptx/test_text.h"

using namespace vgpu::ptx;

TEST_CASE("text: an instruction reads as it was written") {
    for (const char* text : {
             "ret",
             "@%p1 bra $L__BB0_2",
             "@!%p1 add.s32 %r1, %r2, -4",
             "mov.u32 %r1, %tid.x",
             "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16]",
             "st.shared.u32 [tile-4], %r1",
             "mov.u64 %rd1, table+8",
             "fma.rn.f32 %f1, %f2, 0f3F800000, 0fBF800000",
             "add.f64 %fd1, %fd2, 0d3FF0000000000000",
             "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3",
             "shfl.sync.bfly.b32 _, %r1, 1, 31, -1",
             "call.uni (retval0), f, (param0, param1)",
             "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]",
         })
        CHECK(to_text(instruction(text + std::string(";"))) == text);
}
