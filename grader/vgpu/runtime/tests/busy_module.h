// A module whose kernels use all that a device offers, for the session's fuzzer and its seeds:
// textures and surfaces, barriers of every kind, atomics, the heap, printf, shared memory. It
// includes the kernels of tiny_module.h.
#pragma once

#include <string>

#include "runtime/tests/tiny_module.h"

namespace vgpu::test {

/// fetch(texture, f32* out): every kind of fetch. draw(surface, u32* out): stores and loads.
/// phases(u32* out): an mbarrier. meet(u32* out): atomics, a grid's barrier (cooperative launches),
/// printf and the heap. rotate(u32* out, u32 rounds): a loop with barriers around dynamic shared
/// memory, 4 bytes a thread. poke(p, u32 value): accesses of all widths at p + 16 * thread.
/// wait(u32* flag): until somebody else sets it.
inline constexpr std::string_view kBusyPtx = R"(
.extern .func (.param .b32 written) vprintf (.param .b64 format, .param .b64 arguments);
.extern .func (.param .b64 begin) malloc (.param .b64 bytes);
.extern .func free (.param .b64 begin);
.global .align 1 .b8 text[9] = {37, 100, 32, 37, 115, 32, 120, 10};
.global .attribute(.managed) .align 8 .b8 shared_with_host[64] = {1, 2, 3};
.const .align 4 .u32 factor = 3;
.extern .shared .align 16 .b8 dynamic[];

.visible .entry fetch(.param .u64 texture, .param .u64 out) {
    .reg .f32 %f<30>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.rn.f32.u32 %f2, %r2;
    fma.rn.f32 %f1, %f1, 0f3F000000, 0fC0000000;
    tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [%rd1, {%r1}];
    tex.1d.v4.f32.f32 {%f7, %f4, %f5, %f6}, [%rd1, {%f1}];
    add.f32 %f3, %f3, %f7;
    tex.2d.v4.f32.f32 {%f7, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
    add.f32 %f3, %f3, %f7;
    tld4.g.2d.v4.f32.f32 {%f7, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
    add.f32 %f3, %f3, %f7;
    tex.level.a2d.v4.f32.f32 {%f7, %f4, %f5, %f6}, [%rd1, {%r2, %f1, %f2, %f2}], %f2;
    add.f32 %f3, %f3, %f7;
    tex.3d.v4.u32.f32 {%f7, %f4, %f5, %f6}, [%rd1, {%f1, %f2, %f1, %f1}];
    add.f32 %f3, %f3, %f7;
    tex.acube.v4.f32.f32 {%f7, %f4, %f5, %f6}, [%rd1, {%r2, %f1, %f2, %f1}];
    add.f32 %f3, %f3, %f7;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd2, %rd2, %rd3;
    st.global.f32 [%rd2], %f3;
    ret;
}
.visible .entry draw(.param .u64 surface, .param .u64 out) {
    .reg .b32 %r<10>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [surface];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    shl.b32 %r3, %r1, 2;
    suld.b.2d.b32.zero {%r4}, [%rd1, {%r3, %r2}];
    suld.b.2d.v4.b32.clamp {%r5, %r6, %r7, %r8}, [%rd1, {%r3, %r2}];
    add.u32 %r4, %r4, %r5;
    suld.b.a2d.v2.b16.zero {%r5, %r6}, [%rd1, {%r2, %r3, %r1, %r1}];
    sust.b.3d.b8.zero [%rd1, {%r3, %r2, %r1, %r1}], {%r4};
    sust.b.2d.b32.trap [%rd1, {%r3, %r2}], {%r1};
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd2, %rd2, %rd3;
    st.global.u32 [%rd2], %r4;
    ret;
}
.visible .entry phases(.param .u64 out) {
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    .shared .align 8 .b8 barrier[8];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, barrier;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra READY;
    mov.u32 %r3, %ntid.x;
    mbarrier.init.shared.b64 [%r2], %r3;
READY:
    bar.sync 0;
    mbarrier.arrive.shared::cta.b64 %rd2, [%r2], 1;
WAIT:
    mbarrier.try_wait.shared.b64 %p2, [%r2], %rd2;
    @!%p2 bra WAIT;
    mbarrier.pending_count.b64 %r4, %rd2;
    mbarrier.arrive_drop.shared.b64 %rd3, [%r2];
    mbarrier.test_wait.parity.shared.b64 %p2, [%r2], %r1;
    bar.sync 0;
    mbarrier.inval.shared.b64 [%r2];
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd1, %rd1, %rd4;
    st.global.u32 [%rd1], %r4;
    ret;
}
.visible .entry meet(.param .u64 out) {
    .local .align 16 .b8 arguments[16];
    .reg .pred %p<4>;
    .reg .b32 %r<16>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [out];
    atom.global.add.u32 %r1, [%rd1], 1;
    red.global.max.u32 [%rd1+4], %r1;
    mov.u32 %r2, %envreg2;
    mov.u32 %r3, %envreg1;
    cvt.u64.u32 %rd2, %r2;
    cvt.u64.u32 %rd3, %r3;
    bfi.b64 %rd4, %rd3, %rd2, 32, 32;
    setp.eq.s64 %p1, %rd4, 0;
    @%p1 bra ALONE;
    bar.sync 0;
    mov.u32 %r4, %tid.x;
    setp.ne.u32 %p2, %r4, 0;
    @%p2 bra TOGETHER;
    mov.u32 %r5, %nctaid.x;
    mov.u32 %r6, %ctaid.x;
    setp.eq.u32 %p3, %r6, 0;
    sub.s32 %r7, -2147483647, %r5;
    selp.b32 %r8, %r7, 1, %p3;
    atom.add.release.gpu.u32 %r9, [%rd4+4], %r8;
AGAIN:
    ld.acquire.gpu.u32 %r10, [%rd4+4];
    xor.b32 %r11, %r10, %r9;
    setp.gt.s32 %p3, %r11, -1;
    @%p3 bra AGAIN;
TOGETHER:
    bar.sync 0;
ALONE:
    ld.global.u32 %r12, [%rd1];
    mov.u64 %rd5, arguments;
    st.local.u32 [%rd5], %r12;
    mov.u64 %rd6, text;
    cvta.global.u64 %rd6, %rd6;
    st.local.u64 [%rd5+8], %rd6;
    cvta.local.u64 %rd7, %rd5;
    {
    .param .b64 first;
    .param .b64 second;
    .param .b32 result;
    st.param.b64 [first], %rd6;
    st.param.b64 [second], %rd7;
    call.uni (result), vprintf, (first, second);
    ld.param.b32 %r13, [result];
    }
    {
    .param .b64 first;
    .param .b64 result;
    st.param.b64 [first], 32;
    call.uni (result), malloc, (first);
    ld.param.b64 %rd8, [result];
    }
    st.u32 [%rd8], %r12;
    {
    .param .b64 first;
    st.param.b64 [first], %rd8;
    call.uni free, (first);
    }
    ret;
}
.visible .entry rotate(.param .u64 out, .param .u32 rounds) {
    .reg .pred %p<3>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ntid.x;
    shl.b32 %r4, %r2, 2;
    mov.u32 %r5, dynamic;
    add.u32 %r5, %r5, %r4;
    ld.const.u32 %r6, [factor];
    mov.u32 %r10, %r2;
ROUND:
    st.shared.u32 [%r5], %r10;
    bar.sync 0;
    add.u32 %r7, %r2, %r6;
    rem.u32 %r7, %r7, %r3;
    shl.b32 %r7, %r7, 2;
    mov.u32 %r8, dynamic;
    add.u32 %r8, %r8, %r7;
    ld.shared.u32 %r9, [%r8];
    activemask.b32 %r11;
    shfl.sync.bfly.b32 %r9, %r9, 1, 31, %r11;
    and.b32 %r7, %r9, 1;
    setp.eq.u32 %p1, %r7, 0;
    @%p1 bra EVEN;
    mad.lo.u32 %r10, %r9, %r6, %r10;
EVEN:
    bar.sync 0;
    sub.u32 %r1, %r1, 1;
    setp.gt.s32 %p2, %r1, 0;
    @%p2 bra ROUND;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r10;
    ret;
}
.visible .entry poke(.param .u64 p, .param .u32 value) {
    .reg .b16 %h<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [value];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 16;
    add.s64 %rd1, %rd1, %rd2;
    ld.u8 %h1, [%rd1+15];
    st.u8 [%rd1], %h1;
    ld.volatile.u16 %h2, [%rd1+2];
    atom.cas.b32 %r3, [%rd1+4], %r1, %r2;
    atom.exch.b64 %rd3, [%rd1+8], %rd2;
    st.v4.u32 [%rd1], {%r1, %r2, %r3, %r1};
    ld.v2.u32 {%r4, %r5}, [%rd1+8];
    ret;
}
.visible .entry wait(.param .u64 flag) {
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [flag];
AGAIN:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    ret;
}
)";

inline std::string busy_fatbin() {
    return tiny_fatbin(std::string(kTinyPtx) + std::string(kBusyPtx));
}

}  // namespace vgpu::test
