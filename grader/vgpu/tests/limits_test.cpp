// Modules that no compiler would make: a submission decides what PTX the virtual GPU is given. What
// is too large is refused, and what is kept follows from the text's length, not from numbers in it.
#include <fmt/format.h>
#include <sys/resource.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "vgpu/tests/program.h"

using namespace vgpu;
using namespace vgpu::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A kernel "k(u64 out)"; %at is the thread's element (u32).
std::string module_of(const std::string& before, const std::string& declarations,
                      const std::string& body) {
    return fmt::format(R"(.version 8.0
.target sm_75
.address_size 64
{}
.visible .entry k(.param .u64 out) {{
.reg .b64 %at, %index;
.reg .b32 %thread;
{}
ld.param.u64 %at, [out];
mov.u32 %thread, %tid.x;
mul.wide.u32 %index, %thread, 4;
add.u64 %at, %at, %index;
{}
ret;
}})",
                       before, declarations, body);
}

std::string refusal(const std::string& text) {
    try {
        Program program(text);
        (void)program.device.kernel(program.module, "k");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::vector<int> run(const std::string& text, Outcome outcome = Outcome::ok) {
    Program program(text);
    const auto out = program.array(std::vector<int>(32, -1));
    const LaunchResult result = program.launch("k", {1}, {32}, out.at);
    CHECK(result.outcome == outcome);
    return program.read(out);
}

}  // namespace

TEST_CASE("limits: more memory than a block or a thread can have") {
    const auto shared = [](const char* bytes) {
        return module_of("", fmt::format(".shared .align 4 .b8 tile[{}];", bytes),
                         "mov.u32 %thread, tile; st.shared.u32 [%thread], %thread;");
    };
    CHECK(refusal(shared("49152")).empty());
    CHECK(refusal(shared("49153")) ==
          "kernel k has 49153 bytes of __shared__ variables; a GPU takes at most 49152");
    CHECK_THAT(refusal(shared("4294967300")), ContainsSubstring("'tile' is larger than"));

    const auto local = [](const char* bytes) {
        return module_of("", fmt::format(".local .b8 a[{}]; .local .b8 b[16];", bytes), "");
    };
    CHECK(refusal(local("524272")).empty());
    CHECK_THAT(refusal(local("524273")), ContainsSubstring("'b' is larger than"));
    CHECK_THAT(refusal(local("4294967296")), ContainsSubstring("'a' is larger than"));
}

TEST_CASE("limits: parameters whose sizes add up to a small number of 32 bits") {
    // 2^32 - 16 bytes and 32 more: copied into a frame of 16 bytes, they would overwrite all else.
    const std::string text = module_of(
        ".func f(.param .align 16 .b8 a[4294967280], .param .align 16 .b8 b[32]) { ret; }",
        ".param .align 16 .b8 x[4294967280]; .param .align 16 .b8 y[32];", "call f, (x, y);");
    CHECK_THAT(refusal(text), ContainsSubstring("is larger than"));
}

TEST_CASE("limits: a chain of functions with deep frames") {
    std::string functions;
    for (int i = 30; i >= 0; --i) {
        const std::string next = i == 30 ? "" : fmt::format("call f{};", i + 1);
        functions +=
            fmt::format(".func f{}() {{ .local .align 16 .b8 a[20000]; {} ret; }}\n", i, next);
    }
    CHECK(refusal(module_of(functions, "", "call f0;")) ==
          "kernel k has 620000 bytes of variables on each thread's stack; a GPU takes at most "
          "524288");
    CHECK(refusal(module_of(functions, "", "call f10;")).empty());
}

TEST_CASE("limits: functions that all call each other, without recursion") {
    // As many chains as there are sets of them.
    std::string functions;
    constexpr int kCount = 60;
    for (int i = kCount - 1; i >= 0; --i) {
        functions += fmt::format(".func f{}() {{ .local .align 16 .b8 a[16];", i);
        for (int k = i + 1; k < kCount; ++k) functions += fmt::format(" call f{};", k);
        functions += " ret; }\n";
    }
    const std::string text = module_of(functions, "", fmt::format("call f{};", kCount - 3));
    Program program(module_of(functions, "", "call f0;"));
    CHECK(program.device.kernel(program.module, "k").local_bytes == kCount * 16);
    CHECK(run(text).size() == 32);
}

TEST_CASE("limits: a hundred million registers, of which a few are used") {
    std::string declarations;
    for (int i = 0; i < 100; ++i)
        declarations += fmt::format(".reg .b32 %unused{}_<1000000>;\n", i);
    declarations += ".reg .b32 %r<1000000>;\n.reg .b32 %r1<3>;\n.reg .b64 %r20;\n";
    // %r20 is the first declaration's number 20, %r12 its number 12, not number 2 of %r1.
    const auto result =
        run(module_of("", declarations,
                      "add.u32 %r12, %thread, 1; add.u32 %r20, %r12, 1; add.u32 %r999999, %r20, 1;"
                      "mov.u32 %unused7_7, %r20; st.global.u32 [%at], %r999999;"));
    for (int i = 0; i < 32; ++i) CHECK(result[static_cast<std::size_t>(i)] == i + 3);
    CHECK(run(module_of("", ".reg .b32 %r<5>;", "mov.u32 %r5, 1;"),
              Outcome::illegal_instruction)[0] == -1);
    CHECK(run(module_of("", ".reg .b32 %r<5>;", "mov.u32 %r01, 1;"),
              Outcome::illegal_instruction)[0] == -1);
}

TEST_CASE("limits: registers of types that the virtual GPU does not have") {
    std::string declarations, body;
    for (int i = 0; i < 100; ++i) {
        declarations += fmt::format(".reg .b128 %q{};\n", i);
        body += fmt::format("mov.b128 %q{}, %q{};\n", i, (i + 1) % 100);
    }
    CHECK(run(module_of("", declarations, body), Outcome::illegal_instruction)[0] == -1);
}

TEST_CASE("limits: a predicate holds no numbers") {
    // It would take 128 bytes where there are 4, and what lies behind them.
    for (const char* access : {"ld.global.u32 %p, [%at];", "st.global.u32 [%at], %p;",
                               "cvt.u32.u64 %p, %at;", "cvt.u64.u32 %at, %p;"}) {
        INFO(access);
        const auto result =
            run(module_of("", ".reg .pred %p;", std::string(access)), Outcome::illegal_instruction);
        CHECK(result[0] == -1);
    }
}

TEST_CASE("limits: alloca below a stack pointer that the program made up") {
    for (const char* top : {"0x7000000000000000", "0x100000"}) {
        const auto result =
            run(module_of("", ".reg .b64 %top, %a;",
                          fmt::format("mov.u64 %top, {}; stackrestore.u64 %top; mov.u64 %top, 16; "
                                      "alloca.u64 %a, %top, 8; st.local.u32 [%a], %thread;",
                                      top)),
                Outcome::illegal_address);
        CHECK(result[0] == -1);
    }
}

TEST_CASE("limits: printf of widths that fill the memory") {
    // "%2000000000d%*d%.2000000000f"
    const std::string text = module_of(
        ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
        ".global .align 1 .b8 format[29] = {37, 50, 48, 48, 48, 48, 48, 48, 48, 48, 48, 100, 37, "
        "42, "
        "100, 37, 46, 50, 48, 48, 48, 48, 48, 48, 48, 48, 48, 102, 0};",
        ".local .align 16 .b8 args[32]; .reg .b64 %f, %a, %l; .reg .b32 %n;",
        "mov.u64 %l, args; mov.u32 %n, 1000000000; st.local.u32 [%l], %n; st.local.u32 [%l+4], %n; "
        "st.local.u32 [%l+8], %n; mov.u64 %a, 0; st.local.u64 [%l+16], %a; "
        "cvta.local.u64 %a, %l; mov.u64 %f, format; cvta.global.u64 %f, %f; "
        "{ .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p], %f; st.param.b64 [q], "
        "%a; "
        "call.uni (r), vprintf, (p, q); ld.param.b32 %n, [r]; } st.global.u32 [%at], %n;");
    Program program(text);
    const auto out = program.array(std::vector<int>(32, -1));
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    const LaunchResult result = program.launch("k", {1}, {1}, out.at);
    getrusage(RUSAGE_SELF, &after);
    CHECK(result.outcome == Outcome::ok);
    CHECK(result.printed.size() == 1 << 20);
    CHECK(program.read(out)[0] == 4);
    CHECK((after.ru_maxrss - before.ru_maxrss) / 1024 < 256);  // MiB
}

TEST_CASE("limits: instructions that lack their operands") {
    // Found by fuzz-vgpu_core: an atomic operation without any.
    for (const char* instruction : {"atom.global.add.u32",
                                    "atom.global.exch.b32",
                                    "atom.shared.add.u32",
                                    "red.global.add.u32",
                                    "mov.u32",
                                    "ld.global.u32",
                                    "ld.shared.u32",
                                    "st.global.u32",
                                    "selp.b32",
                                    "setp.eq.u32",
                                    "cvta.to.global.u64",
                                    "bra",
                                    "call",
                                    "brx.idx",
                                    "mbarrier.init.shared.b64",
                                    "cp.async.ca.shared.global",
                                    "tex.2d.v4.f32.f32",
                                    "suld.b.2d.b32.trap",
                                    "shfl.sync.down.b32",
                                    "bar.sync",
                                    "bar.red.popc.u32",
                                    "alloca.u64",
                                    "stackrestore.u64",
                                    "mad.lo.u32",
                                    "add.cc.u32",
                                    "vote.sync.any.pred"}) {
        INFO(instruction);
        run(module_of("", "", std::string(instruction) + ";"), Outcome::illegal_instruction);
    }
}
