// Modules that no compiler would make: a submission decides what PTX the virtual GPU is given. What
// is too large is refused, and what is kept follows from the text's length, not from numbers in it.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <ctime>

#include "decode/demangle.h"
#include "decode/encoder.h"
#include "tests/program.h"
#include "tests/slowdown.h"

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

/// f0 calls f1, and so on; `body` of the last.
std::string chain_of(int functions, const std::string& last) {
    std::string text;
    for (int i = functions - 1; i >= 0; --i) {
        const std::string body = i == functions - 1 ? last : fmt::format("call f{};", i + 1);
        text += fmt::format(".func f{}() {{ {} ret; }}\n", i, body);
    }
    return text;
}

/// Text for each of 0 to count - 1.
template <class Text>
std::string repeat(int count, const Text& text) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text(i);
    return all;
}

long used_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/// CPU time to load the text and to decode its kernels, which are named k, k1, k2 and so on.
double decode_seconds(const std::string& text, int kernels = 1) {
    const std::clock_t begin = std::clock();
    Program program(text);
    for (int i = 0; i < kernels; ++i)
        (void)program.device.kernel(program.module, i == 0 ? "k" : fmt::format("k{}", i));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
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

TEST_CASE("limits: many registers of 128 bits, each read before it is written") {
    std::string declarations, body;
    for (int i = 0; i < 100; ++i) {
        declarations += fmt::format(".reg .b128 %q{};\n", i);
        body += fmt::format("mov.b128 %q{}, %q{};\n", i, (i + 1) % 100);
    }
    body += "mov.b128 {%d0, %d1}, %q7; st.global.u32 [%at], %d1;";
    CHECK(run(module_of("", declarations + ".reg .b64 %d<2>;", body))[0] == 0);
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

TEST_CASE("limits: printf of many texts that are long, whether they are shown or not") {
    // 100 000 times the same megabyte, which would take minutes.
    for (const char* conversion : {"%s", "%.0s", "%1000000d"}) {
        INFO(conversion);
        std::string format, text;
        for (const char c : repeat(100'000, [&](int) { return conversion; }))
            format += fmt::format("{},", static_cast<int>(c));
        for (int i = 0; i < 1'000'000; ++i) text += "65,";
        Program program(module_of(
            fmt::format(".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
                        ".global .b8 format[1000001] = {{{}0}};\n"
                        ".global .b8 text[1000001] = {{{}0}};\n"
                        ".global .b64 args[100000];\n",
                        format, text),
            ".reg .b64 %f, %a, %l; .reg .b32 %n, %i; .reg .pred %p;",
            "mov.u64 %l, args; mov.u64 %f, text; cvta.global.u64 %f, %f; mov.u32 %i, 0;\n"
            "again: st.global.u64 [%l], %f; add.u64 %l, %l, 8; add.u32 %i, %i, 1;\n"
            "setp.lt.u32 %p, %i, 100000; @%p bra again;\n"
            "mov.u64 %a, args; cvta.global.u64 %a, %a; mov.u64 %f, format; "
            "cvta.global.u64 %f, %f;\n"
            "{ .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p], %f; "
            "st.param.b64 [q], %a; call.uni (r), vprintf, (p, q); ld.param.b32 %n, [r]; }\n"
            "st.global.u32 [%at], %n;"));
        const auto out = program.array(std::vector<int>(32, -1));
        const std::clock_t begin = std::clock();
        const LaunchResult result = program.launch("k", {1}, {1}, out.at);
        CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 2 * kSlowdown);
        CHECK(result.outcome == Outcome::ok);
        CHECK(result.printed.size() == (conversion == std::string("%.0s") ? 0 : 1 << 20));
        CHECK(program.read(out)[0] <= 20);
    }
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

TEST_CASE("limits: functions that call each other ten thousand deep") {
    // The decoder followed them by recursion, and looked for each among all others.
    constexpr int kDeep = 10'000;
    const std::string before = ".global .u32 reached;\n.func f0();\n";
    const auto text = [&](const std::string& last) {
        return module_of(before + chain_of(kDeep, last), ".reg .b32 %x;",
                         "call f0; ld.global.u32 %x, [reached]; st.global.u32 [%at], %x;");
    };
    CHECK(decode_seconds(text("")) < 2 * kSlowdown);
    CHECK(run(text(".reg .b32 %x; mov.u32 %x, 7; st.global.u32 [reached], %x;"))[0] == 7);
    // And back to the first: each call of all of them takes a thread's stack, though no function
    // keeps anything there.
    const std::string round = text("call f0;");
    CHECK(decode_seconds(round) < 2 * kSlowdown);
    CHECK(run(round, Outcome::illegal_address)[0] == -1);
}

TEST_CASE("limits: functions that all call each other, with recursion") {
    // There are as many chains as there are orders of them.
    constexpr int kCount = 60;
    const std::string declarations =
        repeat(kCount, [](int i) { return fmt::format(".func f{}();\n", i); });
    const std::string functions = repeat(kCount, [](int i) {
        return fmt::format(".func f{}() {{ .local .align 16 .b8 a[16]; {} ret; }}\n", i,
                           repeat(kCount, [](int k) { return fmt::format("call f{};", k); }));
    });
    Program program(module_of(declarations + functions, "", "call f0;"));
    CHECK(program.device.kernel(program.module, "k").local_bytes == kCount * 16);
    CHECK(run(module_of(declarations + functions, "", "call f0;"), Outcome::illegal_address)[0] ==
          -1);
}

TEST_CASE("limits: a function without a frame that calls itself for ever") {
    const long before = used_mib();
    CHECK(run(module_of(".func f() { call f; ret; }", "", "call f;"),
              Outcome::illegal_address)[0] == -1);
    // With registers to keep aside: half a megabyte a call.
    constexpr int kRegisters = 4000;
    const std::string many =
        ".func f() { .reg .b32 %r<4000>;" +
        repeat(kRegisters, [](int i) { return fmt::format("mov.u32 %r{}, %tid.x;\n", i); }) +
        "call f;" +
        repeat(kRegisters, [](int i) { return fmt::format("add.u32 %r0, %r0, %r{};\n", i); }) +
        "ret; }";
    Program program(module_of(many, "", "call f;"));
    const auto out = program.array(std::vector<int>(1024, -1));
    const LaunchResult result = program.launch("k", {1}, {1024}, out.at);
    CHECK(result.outcome == Outcome::illegal_address);
    REQUIRE(result.findings.size() == 1);
    CHECK_THAT(describe(result.findings[0]),
               ContainsSubstring("k needs more than ") &&
                   ContainsSubstring(" of stack, by thread (0,0,0) of block (0,0,0); 32 threads in "
                                     "all: the stack overflows: the thread's stack is full"));
    CHECK(used_mib() - before < 4096);
}

TEST_CASE("limits: decoding takes time and memory in proportion to the text") {
    struct Shape {
        const char* what;
        std::string (*text)(int lines);
    };
    const Shape shapes[] = {
        {"sums",
         [](int n) {
             return module_of("", ".reg .b32 %r<1000000>;", repeat(n, [](int i) {
                                  return fmt::format("add.u32 %r{}, %r{}, 1;\n", i + 1, i);
                              }));
         }},
        {"different constants",
         [](int n) {
             return module_of("", ".reg .b32 %r;", repeat(n, [](int i) {
                                  return fmt::format("add.u32 %r, %r, {};\n", i + 1000);
                              }));
         }},
        {"branches",
         [](int n) {
             return module_of("", ".reg .b32 %r<1000000>; .reg .pred %p<1000000>;",
                              repeat(n / 4, [](int i) {
                                  return fmt::format(
                                      "setp.eq.u32 %p{0}, %r{0}, 3;\n@%p{0} bra L{0};\n"
                                      "add.u32 %r{0}, %r{0}, 1;\nL{0}: add.u32 %r{1}, %r{0}, 1;\n",
                                      i, i + 1);
                              }));
         }},
        {"jumps backwards",
         [](int n) {
             return module_of(
                 "", ".reg .b32 %r<1000000>;",
                 fmt::format("bra L{};\nL: ret;\n", n / 2 - 1) + repeat(n / 2, [](int i) {
                     const std::string to = i == 0 ? "L" : fmt::format("L{}", i - 1);
                     return fmt::format("L{0}: add.u32 %r{0}, %r{1}, 1;\nbra {2};\n", i, i + 1, to);
                 }));
         }},
        {"functions",
         [](int n) {
             return module_of(
                 repeat(n / 2, [](int i) { return fmt::format(".func f{}() {{ ret; }}\n", i); }),
                 "", repeat(n / 2, [](int i) { return fmt::format("call f{};\n", i); }));
         }},
    };
    for (const Shape& shape : shapes) {
        INFO(shape.what);
        const long before = used_mib();
        double small = 1e9;
        for (int i = 0; i < 3; ++i) small = std::min(small, decode_seconds(shape.text(2'000)));
        CHECK(small < 0.05 * kSlowdown);
        // Fifty times as much text takes 80 to 160 times as long: the host's caches are too small
        // for it. What grows with the square would take 2500 times as long.
        CHECK(decode_seconds(shape.text(100'000)) / small < 500);
        CHECK(used_mib() - before < 1024);
    }
}

TEST_CASE("limits: a thousand kernels, each decoded") {
    const std::string kernels = repeat(
        1000, [](int i) { return fmt::format(".visible .entry k{}() {{ ret; }}\n", i + 1); });
    CHECK(decode_seconds(module_of(kernels, "", ""), 1001) < 2 * kSlowdown);
}

TEST_CASE("limits: a thousand modules") {
    Program program(module_of(".global .u32 mine = 1;", "", ""));
    std::vector<ModuleId> modules;
    for (int i = 0; i < 1000; ++i)
        modules.push_back(program.device.load_module(
            module_of(fmt::format(".global .u32 mine = {};", i), ".reg .b32 %x;",
                      "ld.global.u32 %x, [mine]; st.global.u32 [%at], %x;")));
    const auto out = program.array(std::vector<int>(32, -1));
    for (const int i : {0, 500, 999}) {
        program.module = modules[static_cast<std::size_t>(i)];
        CHECK(program.launch("k", {1}, {32}, out.at).outcome == Outcome::ok);
        CHECK(program.read(out)[31] == i);
    }
}

TEST_CASE("limits: tables of branches whose targets are more than the text is long") {
    const auto text = [](int labels) {
        return module_of(
            "", ".reg .b32 %r;",
            "ts: .branchtargets " +
                repeat(labels, [](int i) { return fmt::format("{}L{}", i == 0 ? "" : ", ", i); }) +
                ";\n" +
                repeat(labels, [](int i) { return fmt::format("L{}: brx.idx %r, ts;\n", i); }));
    };
    CHECK(refusal(text(100)).empty());
    CHECK(refusal(text(1100)) == "the branches of function k have more than 1048576 targets");
}

TEST_CASE("limits: loops that are nested deeper than any program's") {
    const auto text = [](int n) {
        return module_of(
            "", ".reg .pred %p;",
            repeat(n, [](int i) { return fmt::format("L{}: mov.u32 %thread, 1;\n", i); }) +
                repeat(n, [n](int i) { return fmt::format("@%p bra L{};\n", n - 1 - i); }));
    };
    CHECK(refusal(text(1000)).empty());
    CHECK(refusal(text(33'000)) == "the branches of function k are nested too deep");
}

TEST_CASE("limits: registers that all stay live over all branches") {
    const auto text = [](int n) {
        return module_of(
            "", ".reg .b32 %r<20000>; .reg .pred %p;",
            repeat(n, [](int i) { return fmt::format("mov.u32 %r{}, %tid.x;\n", i); }) +
                repeat(n, [](int i) { return fmt::format("@%p bra L{0};\nL{0}:\n", i); }) +
                repeat(n, [](int i) { return fmt::format("add.u32 %r0, %r0, %r{};\n", i); }));
    };
    CHECK(refusal(text(1000)).empty());
    CHECK(refusal(text(12'000)) == "function k keeps too many registers over too many branches");
}

TEST_CASE("limits: more registers than a warp can have here") {
    Image image;
    image.demangled = "k";
    CHECK(take_registers(image, 1 << 20) == 0);
    CHECK(take_registers(image, 63 << 20) == 1 << 20);
    CHECK_THROWS_AS(take_registers(image, 1), Error);
    CHECK_THROWS_AS(take_registers(image, std::uint64_t{1} << 33), Error);
}

TEST_CASE("limits: a kernel's parameters") {
    const auto text = [](int bytes) {
        return fmt::format(
            ".version 8.1\n.target sm_75\n.address_size 64\n"
            ".visible .entry k(.param .align 8 .b8 p[{}]) {{ ret; }}",
            bytes);
    };
    CHECK(refusal(text(32764)).empty());  // as ptxas
    CHECK(refusal(text(65536)) ==
          "kernel k has 65536 bytes of parameters; a GPU takes at most 32764");
}

TEST_CASE("limits: a variable without bytes") {
    // Found by fuzz-vgpu_core: there is no memory where it lies.
    for (const char* variable : {".global .align 8 .b8 none[];", ".const .b8 none[0];",
                                 ".global .attribute(.managed) .align 8 .b8 none[];"}) {
        INFO(variable);
        CHECK(run(module_of(variable, "", "st.global.u32 [%at], %thread;"))[5] == 5);
        CHECK(run(module_of(variable, "", "st.global.u32 [none], %thread;"),
                  Outcome::illegal_address)[0] == -1);
    }
}

TEST_CASE("limits: a kernel of nothing, and names of ten thousand characters") {
    const std::string name(10'000, 'n');
    Program program(
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { }\n"
        ".visible .entry " +
        name + "(.param .u64 out) { st.global.u32 [out], 1; }");
    CHECK(program.launch("k", {1}, {32}).outcome == Outcome::ok);
    const LaunchResult result = program.launch(name, {1}, {32}, std::uint64_t{0});
    CHECK(result.outcome != Outcome::ok);
    REQUIRE(!result.findings.empty());
    CHECK(result.findings[0].kernel == name.substr(0, kMostNameLength) + "...");
}

TEST_CASE("limits: mangled names that refer to their own parts again and again") {
    // Each parameter is the template of the one before, twice: A, A<A, A>, A<A<A, A>, A<A, A>>.
    const auto reference = [](int i) {
        const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        return i == 0 ? std::string("S_") : fmt::format("S{}_", digits[static_cast<size_t>(i - 1)]);
    };
    const auto doubled = [&](const std::string& begin, int first, int times) {
        return begin + "1A" + repeat(times, [&](int i) {
                   const std::string last = reference(first + i);
                   return reference(first) + "I" + last + last + "E";
               });
    };
    CHECK(demangle(doubled("_Z1f", 0, 2)) == "f(A, A<A, A>, A<A<A, A>, A<A, A> >)");
    const long before = used_mib();
    const std::clock_t begin = std::clock();
    const std::string longest = doubled("_Z1f", 0, 34);
    CHECK(demangle(longest) == "f");
    CHECK(demangle(doubled("_ZN3lab4fillIiEE", 2, 30)) == "lab::fill<...>");
    // Nothing to write, but a walk through all of it: does a pack take part in what is repeated?
    const std::string pattern = doubled("_Z1fIJEEv", 1, 30) + "DpSU_";
    CHECK(demangle(pattern) == "f<...>");
    // A pack of three hundred elements, and a pattern of it in a pattern of it.
    const std::string pack = "_Z1fI1AJ" + std::string(300, 'i') + "EEv";
    const std::string nested = pack + "Dp1BIT0_DpS1_IT0_DpS1_IT0_DpS1_IT0_DpT0_EEEE";
    CHECK(demangle(nested) == "f<...>");
    CHECK(demangle("_Z1fI1AJiiEEvDp1BIT0_E") == "void f<A, int, int>(B<int>, B<int>)");
    // As long as such a name may become, and cut.
    const std::string cut =
        demangle("_Z1f64" + std::string(64, 'A') + doubled("_Z1f", 0, 6).substr(6));
    CHECK(cut.size() == kMostNameLength + 3);
    CHECK(cut.ends_with("..."));
    // What is not demangled stays, whatever its numbers say.
    for (const std::string& name : {"_Z99999999999999999999999999f" + longest, "_ZN0" + longest,
                                    "_ZZ" + longest, "_Z9000f" + longest})
        CHECK(demangle(name) == name);

    // The same where names come from: a kernel's, a shared variable's.
    Program program(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry " + longest +
                    "(.param .u64 out) { .shared .b32 " + longest +
                    "x; .reg .b32 %r; ld.shared.u32 %r, [" + longest +
                    "x]; st.global.u32 [out], %r; }");
    const LaunchResult result = program.launch(longest, {1}, {32}, std::uint64_t{0});
    CHECK(result.outcome != Outcome::ok);
    REQUIRE(!result.findings.empty());
    CHECK(result.findings[0].kernel == "f");
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 1.0 * kSlowdown);
    CHECK(used_mib() - before < 256);
}

TEST_CASE("limits: files and functions with long names, and a line for each instruction") {
    constexpr int kLines = 3000;
    const std::string name(300'000, 'n');
    std::string body = ".loc 1 1 1\n";
    for (int i = 2; i < kLines; ++i)
        body += fmt::format(
            ".loc 1 {} 1, function_name $name, inlined_at 1 {} 1\nadd.u32 %r, %r, 1;\n", i, i - 1);
    std::string bytes;
    for (const char c : name) bytes += fmt::format("{},", static_cast<int>(c));
    const std::string text = fmt::format(
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry {}(.param .u64 out) {{\n"
        ".reg .b32 %r; mov.u32 %r, 0;\n{}st.global.u32 [out], %r;\nret; }}\n"
        ".file 1 \"/{}.cu\"\n.section .debug_str {{ $name: .b8 {}0 }}\n",
        name, body, name, bytes);
    const long before = used_mib();
    Program program(text);
    Launch launch{program.module, name, {1}, {32}, 0, std::vector<std::byte>(8)};
    launch.want_lines = true;
    const LaunchResult result = program.device.launch(launch);
    CHECK(result.lines.size() > kLines / 2);
    CHECK(result.lines.back().where.file.size() == 4096);
    REQUIRE(!result.findings.empty());
    CHECK(result.findings[0].where.file.size() == 4096);
    CHECK(used_mib() - before < 200);
}

TEST_CASE("limits: a thousand modules whose only file has a large number") {
    const long before = used_mib();
    Device device;
    for (int i = 0; i < 1000; ++i)
        (void)device.load_module(
            ".version 8.0\n.target sm_75\n.address_size 64\n.file 65535 \"a.cu\"\n");
    CHECK(used_mib() - before < 200);
}
