// Control flow and memory spaces in PTX that nvcc seldom writes: guarded returns, calls and
// barriers, brx.idx, named barriers, generic addresses, special registers, vectors of narrow types.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// A kernel "k" with one parameter, the array out; %i is the thread, %at its element's address
/// (u32).
std::string kernel(const std::string& body, const std::string& before = "") {
    return fmt::format(R"(.version 8.0
.target sm_75
.address_size 64
{}
.visible .entry k(.param .u64 out) {{
.reg .pred %p<8>;
.reg .b16 %h<8>;
.reg .b32 %r<16>, %i, %v;
.reg .b64 %d<8>, %at;
mov.u32 %i, %tid.x;
mov.u32 %v, 0;
ld.param.u64 %d0, [out];
mul.wide.u32 %at, %i, 4;
add.u64 %at, %at, %d0;
{}
st.global.u32 [%at], %v;
ret;
}})",
                       before, body);
}

std::vector<int> run(const std::string& text, int threads = 32, int elements = 0) {
    Program program(text);
    const auto out = program.array(
        std::vector<int>(static_cast<std::size_t>(elements != 0 ? elements : threads), -1));
    const auto result = program.launch("k", {1}, {static_cast<std::uint32_t>(threads)}, out.at);
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    CHECK(result.outcome == Outcome::ok);
    return program.read(out);
}
template <class F>
std::vector<int> each(int n, F f) {
    std::vector<int> values;
    for (int i = 0; i < n; ++i) values.push_back(f(i));
    return values;
}

}  // namespace

TEST_CASE("control: guarded ret and exit take their lanes only") {
    CHECK(run(kernel("setp.lt.u32 %p0, %i, 5; @%p0 ret; setp.gt.u32 %p0, %i, 20; @%p0 exit; "
                     "mov.u32 %v, %i;")) ==
          each(32, [](int i) { return i < 5 || i > 20 ? -1 : i; }));
}

TEST_CASE("control: brx.idx sends lanes to four places, which meet again") {
    const auto text = kernel(R"(
        and.b32 %r0, %i, 3;
        TABLE: .branchtargets A, B, C, D;
        brx.idx %r0, TABLE;
        A: mov.u32 %v, 10; bra.uni DONE;
        B: mov.u32 %v, 20; bra.uni DONE;
        C: mov.u32 %v, 30;
        D: add.u32 %v, %v, 1;
        DONE: activemask.b32 %r1; popc.b32 %r1, %r1; add.u32 %v, %v, %r1;)");
    const int expected[] = {42, 52, 63, 33};
    CHECK(run(text) == each(32, [&](int i) { return expected[i % 4]; }));
}

TEST_CASE("control: brx.idx right before the place where its targets meet") {
    const auto text = kernel(R"(
        and.b32 %r0, %i, 1;
        TABLE: .branchtargets A, DONE;
        brx.idx %r0, TABLE;
        DONE: add.u32 %v, %v, 1; bra.uni END;
        A: mov.u32 %v, 10; bra.uni DONE;
        END:)");
    CHECK(run(text) == each(32, [](int i) { return i % 2 == 0 ? 11 : 1; }));
}

TEST_CASE("control: a loop with two exits, and lanes that never enter it") {
    const auto text = kernel(R"(
        setp.lt.u32 %p0, %i, 4; @%p0 bra END;
        mov.u32 %r0, 0;
        LOOP: add.u32 %r0, %r0, 1; add.u32 %v, %v, %r0;
        setp.eq.u32 %p1, %r0, 7; @%p1 bra SEVEN;
        setp.lt.u32 %p2, %r0, %i; @%p2 bra LOOP;
        bra.uni END;
        SEVEN: add.u32 %v, %v, 1000;
        END:)");
    CHECK(run(text) == each(32, [](int i) {
              if (i < 4) return 0;
              return i < 7 ? i * (i + 1) / 2 : 1028;
          }));
}

TEST_CASE("control: a guarded call runs for its lanes, and the others wait for nothing") {
    const std::string function = R"(
.func (.param .b32 result) triple(.param .b32 x) {
.reg .b32 %r<2>;
ld.param.u32 %r0, [x];
mul.lo.u32 %r1, %r0, 3;
st.param.b32 [result], %r1;
ret;
})";
    CHECK(run(kernel(R"(
        mov.u32 %v, %i;
        setp.gt.u32 %p0, %i, 9;
        { .param .b32 a; .param .b32 b; st.param.b32 [a], %i;
          @%p0 call (b), triple, (a);
          @%p0 ld.param.b32 %v, [b]; })",
                     function)) == each(32, [](int i) { return i > 9 ? 3 * i : i; }));
}

TEST_CASE("control: named barriers, with and without a number of threads") {
    // Two warps pass barrier 3 together; the third never comes to it.
    const std::string shared = ".shared .align 4 .b8 box[4];";
    CHECK(run(kernel(R"(
        setp.ge.u32 %p0, %i, 64; @%p0 bra END;
        setp.ne.u32 %p1, %i, 40; @%p1 bra WAIT;
        mov.u32 %r0, 77; st.shared.u32 [box], %r0;
        WAIT: barrier.sync 3, 64;
        ld.shared.u32 %v, [box];
        END: bar.sync 0;)",
                     shared),
              96) == each(96, [](int i) { return i < 64 ? 77 : 0; }));
}

TEST_CASE("control: a number of threads counts whole warps, those with fewer lanes, too") {
    // PTX: each warp that arrives adds 32. The last has 8 lanes, of which 4 leave.
    CHECK(run(kernel(R"(
        setp.ge.u32 %p0, %i, 36; @%p0 exit;
        bar.sync 3, 64;
        mov.u32 %v, 5;)"),
              40) == each(40, [](int i) { return i < 36 ? 5 : -1; }));
}

TEST_CASE("control: a guarded bar.sync holds its lanes until the others come round") {
    CHECK(run(kernel(R"(
        setp.lt.u32 %p0, %i, 32;
        @%p0 bar.sync 1, 32;
        mov.u32 %v, 5;
        bar.sync 0;)"),
              64) == std::vector<int>(64, 5));
}

TEST_CASE("control: a shuffle waits for lanes that come another way, not for those that left") {
    CHECK(run(kernel(R"(
        setp.ge.u32 %p0, %i, 24; @%p0 exit;
        setp.lt.u32 %p1, %i, 8; @%p1 bra FEW;
        add.u32 %v, %i, 100; bra.uni BOTH;
        FEW: mov.u32 %v, %i;
        BOTH: shfl.sync.idx.b32 %v, %v, 9, 31, -1;)")) ==
          each(32, [](int i) { return i < 24 ? 109 : -1; }));
}

TEST_CASE("control: what a shuffle reads from a lane that is not there is wrong, and repeats") {
    const auto seen = [] {
        return run(kernel(R"(
            add.u32 %v, %i, 100;
            setp.ge.u32 %p0, %i, 8; @%p0 bra END;
            shfl.sync.down.b32 %v, %v, 4, 31, 0xff;
            END: bar.sync 0;)"));
    };
    const std::vector<int> values = seen();
    for (int i = 0; i < 32; ++i) {
        INFO(i);
        const int value = values[static_cast<std::size_t>(i)];
        if (i < 4 || i >= 8)
            CHECK(value == (i < 4 ? 104 + i : 100 + i));
        else
            CHECK(is_undefined_value(value));
    }
    CHECK(seen() == values);
}

TEST_CASE("memory spaces: generic addresses reach shared, local and global memory") {
    const std::string variables = ".shared .align 8 .b8 tile[256]; .global .u32 word = 1234;";
    CHECK(run(kernel(R"(
        .local .align 8 .b8 mine[8];
        mov.u64 %d1, tile; cvta.shared.u64 %d1, %d1; mul.wide.u32 %d2, %i, 4; add.u64 %d1, %d1, %d2;
        st.u32 [%d1], %i; ld.u32 %r0, [%d1];
        mov.u64 %d3, mine; cvta.local.u64 %d3, %d3;
        st.u32 [%d3+4], %r0; ld.u32 %r1, [%d3+4];
        mov.u64 %d4, word; cvta.global.u64 %d4, %d4; ld.u32 %r2, [%d4];
        isspacep.shared %p0, %d1; isspacep.local %p1, %d3; isspacep.global %p2, %d4; isspacep.global %p3, %d1;
        selp.u32 %r3, 1, 0, %p0; selp.u32 %r4, 1, 0, %p1; selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 1, 0, %p3;
        add.u32 %v, %r1, %r2; add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; add.u32 %r3, %r3, %r6;
        mad.lo.u32 %v, %r3, 10000, %v;
        cvta.to.shared.u64 %d5, %d1; cvt.u32.u64 %r7, %d5; ld.shared.u32 %r8, [%r7]; sub.u32 %v, %v, %r8;)",
                     variables)) == std::vector<int>(32, 31234));
}

TEST_CASE("memory spaces: loads widen by sign, stores cut off, vectors keep their order") {
    const std::string variables = ".shared .align 16 .b8 s[16];";
    CHECK(run(kernel(R"(
        mov.u32 %r0, 0x8081fe7f; st.shared.u32 [s], %r0;
        ld.shared.v4.s8 {%r1, %r2, %r3, %r4}, [s];
        ld.shared.u8 %r5, [s+1]; ld.shared.s16 %r6, [s+2]; ld.shared.s16 %d1, [s+2];
        cvt.u32.u64 %r7, %d1; add.u32 %v, %r1, %r2; add.u32 %v, %v, %r3; add.u32 %v, %v, %r4;
        add.u32 %v, %v, %r5; add.u32 %v, %v, %r6; sub.u32 %v, %v, %r7;
        st.shared.v2.u8 [s+8], {%r0, %r5}; ld.shared.u16 %r8, [s+8]; add.u32 %v, %v, %r8;)",
                     variables),
              1) == std::vector<int>{127 - 2 - 127 - 128 + 254 + 0xfe7f});
}

TEST_CASE("memory spaces: an mbarrier lies in shared memory, whatever its address says") {
    // Of global memory, several workers would change one at a time without taking turns.
    Options options;
    options.workers = 2;
    Program program(kernel("mbarrier.arrive.b64 %d1, [%d0];"), options);
    const auto out = program.array(std::vector<int>(256, 0), "out");
    const auto result = program.launch("k", {64}, {256}, out.at);
    CHECK(result.outcome == Outcome::illegal_address);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].check == Check::host_pointer);
    CHECK(describe_cause(result.findings[0]) == "the address belongs to another state space");
}

TEST_CASE("memory spaces: a surface's row may be shorter than one access") {
    Program program(
        kernel("cvt.u64.u32 %d1, %i; ld.global.u64 %d2, [%d0]; mov.u32 %r1, 7; "
               "suld.b.1d.v4.b32.clamp {%r1, %r2, %r3, %r4}, [%d2, {%i}]; "
               "mov.u32 %v, %r1;"));
    const auto row = program.array(std::vector<int>(1, 5), "row");
    Texture texture;
    texture.base = row.at;
    texture.row_bytes = texture.layer_bytes = 4;
    const std::uint64_t surface = program.device.create_texture(texture);
    const auto out = program.array(std::vector<std::uint64_t>(1, surface), "out");
    const auto result = program.launch("k", {1}, {1}, out.at);
    CHECK(result.findings.empty());
    CHECK(program.read(out)[0] >> 32 == surface >> 32);
    CHECK(static_cast<std::uint32_t>(program.read(out)[0]) == 0);
}

TEST_CASE("special registers") {
    const auto value = [](const std::string& name) {
        return run(kernel("mov.u32 %v, " + name + ";"), 40);
    };
    CHECK(value("%laneid") == each(40, [](int i) { return i % 32; }));
    CHECK(value("%warpid") == each(40, [](int i) { return i / 32; }));
    CHECK(value("%nwarpid") == std::vector<int>(40, 2));
    CHECK(value("%lanemask_lt") == each(40, [](int i) { return int((1u << i % 32) - 1); }));
    CHECK(value("%lanemask_ge") == each(40, [](int i) { return int(~((1u << i % 32) - 1)); }));
    CHECK(value("%lanemask_le") == each(40, [](int i) { return int((2ull << i % 32) - 1); }));
    CHECK(value("%lanemask_gt") == each(40, [](int i) { return int(~((2ull << i % 32) - 1)); }));
    CHECK(value("%lanemask_eq") == each(40, [](int i) { return int(1u << i % 32); }));
    CHECK(value("%dynamic_smem_size") == std::vector<int>(40, 0));
    CHECK(value("WARP_SZ") == std::vector<int>(40, 32));
    CHECK(value("%ntid.x") == std::vector<int>(40, 40));
    CHECK(value("%nctaid.z") == std::vector<int>(40, 1));
}

TEST_CASE("unsupported: unknown operands and forms are refused where they are executed") {
    const auto reason = [](const std::string& instruction) {
        Program program(kernel(instruction));
        const auto out = program.array(std::vector<int>(1));
        const auto result = program.launch("k", {1}, {1}, out.at);
        CHECK(result.outcome == Outcome::illegal_instruction);
        return result.findings.empty() ? "" : describe_cause(result.findings[0]);
    };
    CHECK(reason("add.rn.s32 %v, %v, %v;") ==
          "add.rn.s32 is to be added in grader/vgpu/src/execute/ops/integer.cpp");
    CHECK(reason("add.e4m3 %h0, %h0, %h0;") ==
          "add.e4m3 is to be added in grader/vgpu/src/execute/ops/integer.cpp");
    CHECK(reason("add.u32 %v, %v, %at;") ==
          "add.u32 with the register %at, whose size does not fit is to be added in "
          "grader/vgpu/src/execute/ops/integer.cpp");
    CHECK(reason("mov.u32 %v, %envreg3;") ==
          "mov.u32 with the operand '%envreg3' is to be added in "
          "grader/vgpu/src/execute/ops/move_decode.cpp");
    CHECK(reason("mov.u64 %d1, k;") ==
          "mov.u64 of a kernel's address (k), with which kernels launch kernels, is to be added in "
          "grader/vgpu/src/execute/ops/move_decode.cpp");
    CHECK(reason("call __cudaCDP2LaunchDeviceV2;") ==
          "call of __cudaCDP2LaunchDeviceV2, with which kernels launch kernels, is to be added in "
          "grader/vgpu/src/execute/ops/calls.cpp");
    CHECK(reason("txq.width.b32 %v, [%at];") ==
          "txq.width.b32 is to be added in grader/vgpu/src/execute/ops/txq.cpp (a new file)");
}

TEST_CASE("undefined function: a call of what is only declared, where it is executed") {
    Program program(kernel("setp.eq.u32 %p0, %i, 7; @%p0 call _Z4halfPKfi;"));
    const auto out = program.array(std::vector<int>(8));
    CHECK(program.launch("k", {1}, {7}, out.at).findings.empty());
    const auto result = program.launch("k", {1}, {8}, out.at);
    CHECK(result.outcome == Outcome::illegal_instruction);
    REQUIRE(result.findings.size() == 1);
    CHECK(
        describe(result.findings[0]) ==
        "k calls the undefined function half(float const*, int), by thread (7,0,0) of block "
        "(0,0,0): it is only declared, and a definition with other types of parameters is another "
        "function");
}

TEST_CASE(
    "memory spaces: constant memory and parameters cannot be written, spaces are not mixed up") {
    const auto sentence = [](const std::string& body, const std::string& variables) {
        Program program(kernel(body, variables));
        const auto out = program.array(std::vector<int>(1));
        const auto result = program.launch("k", {1}, {1}, out.at);
        CHECK(result.outcome == Outcome::illegal_address);
        return result.findings.empty() ? "" : describe_cause(result.findings[0]);
    };
    const std::string constant = ".const .u32 fixed = 5;";
    CHECK(sentence("mov.u64 %d1, fixed; st.u32 [%d1], %v;", constant) ==
          "constant memory and parameters cannot be written");
    CHECK(sentence("mov.b64 %d1, out; cvta.param.u64 %d1, %d1; st.u32 [%d1], %v;", "") ==
          "constant memory and parameters cannot be written");
    CHECK(sentence("mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.global.u32 %v, [%d1];",
                   ".shared .u32 s;") == "the address belongs to another state space");
    CHECK(run(kernel("mov.u64 %d1, fixed; ld.u32 %v, [%d1]; ld.const.u32 %r0, [fixed]; add.u32 %v, "
                     "%v, %r0;",
                     constant),
              1) == std::vector<int>{10});
}

TEST_CASE("memory spaces: what lies past the end of a constant array is said to be that") {
    Program program(kernel("mov.u64 %d1, fixed; ld.const.u32 %v, [%d1+8];",
                           ".const .align 4 .b8 fixed[8] = {1, 2, 3, 4, 5, 6, 7, 8};"));
    const auto out = program.array(std::vector<int>(1));
    const auto result = program.launch("k", {1}, {1}, out.at);
    CHECK(result.outcome == Outcome::illegal_address);
    REQUIRE(result.findings.size() == 1);
    CHECK(describe(result.findings[0]) ==
          "k reads 4 bytes just past the end of fixed (8 bytes), by thread (0,0,0) of block "
          "(0,0,0)");
}

TEST_CASE("launch: parameters of another size than the kernel's are refused") {
    Program program(kernel(""));
    CHECK_THROWS_AS(program.launch("k", {1}, {1}, 1), Error);
    CHECK_THROWS_AS(program.launch("no_such_kernel", {1}, {1}), Error);
}
