// Lanes that look at each other, barriers that some only pass, and copies past the registers.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// Runs `body` on one warp, thread i starting with value[i] in %a (and %wide); returns what each
/// leaves in %v.
std::vector<std::uint32_t> run(const std::string& body, const std::vector<std::uint32_t>& value,
                               const std::string& variables = "") {
    Program program(fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
{}
.visible .entry k(.param .u64 in, .param .u64 out) {{
.reg .pred %p<8>;
.reg .b32 %r<16>, %i, %a, %v;
.reg .b64 %d<8>, %in, %out, %wide;
mov.u32 %i, %tid.x;
mov.u32 %v, 0;
ld.param.u64 %in, [in];
ld.param.u64 %out, [out];
mul.wide.u32 %d0, %i, 4;
add.u64 %in, %in, %d0;
add.u64 %out, %out, %d0;
ld.global.u32 %a, [%in];
mul.wide.u32 %wide, %a, 0x10000;
{}
st.global.u32 [%out], %v;
ret;
}})",
                                variables, body));
    const auto in = program.array(value), out = program.array(value);
    const auto size = static_cast<std::uint32_t>(value.size());
    const auto result = program.launch("k", {1}, {size}, in.at, out.at);
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    CHECK(result.outcome == Outcome::ok);
    return program.read(out);
}

std::vector<std::uint32_t> scattered(std::uint32_t kinds, std::size_t count = 32) {
    std::vector<std::uint32_t> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<std::uint32_t>(i * 2654435761u) % kinds * 0x0100'0001u;
    return values;
}

}  // namespace

TEST_CASE("match.any: each lane gets those that hold the same") {
    for (const std::uint32_t kinds : {1u, 3u, 40u})
        for (const std::string type : {"b32", "b64"}) {
            const auto values = scattered(kinds);
            const auto got = run(
                fmt::format("match.any.sync.{} %v, {}, -1;", type, type == "b32" ? "%a" : "%wide"),
                values);
            for (std::size_t i = 0; i < 32; ++i) {
                std::uint32_t same = 0;
                for (std::size_t k = 0; k < 32; ++k)
                    if (values[k] == values[i]) same |= 1u << k;
                CHECK(got[i] == same);
            }
        }
}

TEST_CASE("match.all: all lanes of the mask or none, and a predicate that says which") {
    const std::string body =
        "setp.lt.u32 %p0, %i, 20; @!%p0 bra REST;\n"
        "match.all.sync.b32 %r0|%p1, %a, 0xfffff; bra DONE;\n"
        "REST: match.all.sync.b32 %r0|%p1, %a, 0xfff00000;\n"
        "DONE: selp.u32 %r1, 1, 0, %p1; add.u32 %v, %r0, %r1;";
    std::vector<std::uint32_t> values(32, 5);
    values[30] = 6;
    const auto got = run(body, values);
    for (std::size_t i = 0; i < 32; ++i) CHECK(got[i] == (i < 20 ? 0xfffffu + 1 : 0));
}

TEST_CASE("redux: one result for all lanes of the mask") {
    const auto values = scattered(32);
    const auto check = [&](const std::string& operation, auto function, auto first) {
        const auto got = run("redux.sync." + operation + " %v, %a, -1;", values);
        auto expected = first;
        for (const auto value : values)
            expected = static_cast<decltype(first)>(
                function(expected, static_cast<decltype(first)>(value)));
        CHECK(got == std::vector<std::uint32_t>(32, static_cast<std::uint32_t>(expected)));
    };
    using u32 = std::uint32_t;
    using s32 = std::int32_t;
    check("add.s32", std::plus<u32>(), u32{0});
    check("add.u32", std::plus<u32>(), u32{0});
    check("and.b32", std::bit_and<u32>(), ~u32{0});
    check("or.b32", std::bit_or<u32>(), u32{0});
    check("xor.b32", std::bit_xor<u32>(), u32{0});
    const auto least = [](auto a, auto b) { return std::min(a, b); };
    const auto largest = [](auto a, auto b) { return std::max(a, b); };
    check("min.u32", least, values[3]);
    check("max.u32", largest, values[3]);
    check("min.s32", least, static_cast<s32>(values[3]));
    check("max.s32", largest, static_cast<s32>(values[3]));
}

TEST_CASE("redux: lanes on two ways reduce by themselves") {
    const auto got =
        run("setp.lt.u32 %p0, %i, 12; @%p0 bra FEW;\n"
            "redux.sync.add.u32 %v, %i, 0xfffff000; bra DONE;\n"
            "FEW: redux.sync.max.u32 %v, %i, 0xfff; DONE:",
            scattered(1));
    for (std::size_t i = 0; i < 32; ++i) CHECK(got[i] == (i < 12 ? 11u : 430u));
}

TEST_CASE("elect: one lane of the mask") {
    const auto got =
        run("setp.lt.u32 %p0, %i, 5; @%p0 bra DONE;\n"
            "elect.sync %r0|%p1, 0xffffffe0; selp.u32 %v, 100, 0, %p1; add.u32 %v, %v, %r0; DONE:",
            scattered(1));
    for (std::size_t i = 0; i < 32; ++i) CHECK(got[i] == (i < 5 ? 0u : i == 5 ? 105u : 5u));
}

TEST_CASE("bar.arrive: those who arrive count, and do not wait") {
    // Warp 1 writes and arrives; warp 0 waits for it before it reads.
    const auto got =
        run("setp.ge.u32 %p0, %i, 32; @%p0 bra WRITE;\n"
            "barrier.cta.sync 2, 64; ld.shared.u32 %v, [box]; bra DONE;\n"
            "WRITE: setp.eq.u32 %p1, %i, 40; @%p1 st.shared.u32 [box], 77;\n"
            "bar.arrive 2, 64; mov.u32 %v, 1; DONE:",
            scattered(1, 64), ".shared .align 4 .b8 box[4];");
    for (std::size_t i = 0; i < 64; ++i) CHECK(got[i] == (i < 32 ? 77u : 1u));
}

TEST_CASE("nanosleep: the others get their turn, which is what it waits for") {
    const auto got =
        run("setp.ge.u32 %p0, %i, 32; @%p0 bra WRITE;\n"
            "SPIN: nanosleep.u32 20; ld.volatile.shared.u32 %v, [box];\n"
            "setp.ne.u32 %p1, %v, 9; @%p1 bra SPIN; bra DONE;\n"
            "WRITE: mov.u32 %v, 9; st.volatile.shared.u32 [box], %v; DONE: ",
            scattered(1, 64), ".shared .align 4 .b8 box[4];");
    CHECK(std::count(got.begin(), got.end(), 9u) == 64);
}

TEST_CASE("cp.async: copies 4, 8 and 16 bytes to shared memory, with zeros behind what is read") {
    std::vector<std::uint32_t> values(36);
    std::iota(values.begin(), values.end(), 100);
    const std::string box = ".shared .align 16 .b8 box[1024];";
    const auto copy = [&](const std::string& form, int step, const std::string& sizes) {
        return run(
            fmt::format("setp.ge.u32 %p0, %i, 32; @%p0 ret;\n"
                        "mad.lo.u32 %r1, %i, {0}, 0; and.b32 %r5, %i, 7;\n"
                        "mov.u32 %r2, box; add.u32 %r1, %r1, %r2;\n"
                        "rem.u32 %r6, %i, {1}; mul.wide.u32 %d1, %r6, 4; sub.u64 %d2, %in, %d1;\n"
                        "cp.async.{2}.shared.global [%r1], [%d2], {0}{3};\n"
                        "cp.async.commit_group; cp.async.wait_group 0;\n"
                        "ld.shared.u32 %v, [%r1+{4}];",
                        step, step / 4, form, sizes, step - 4),
            values, box);
    };
    const auto four = copy("ca", 4, "");
    const auto sixteen = copy("cg", 16, "");
    const auto hinted = copy("ca", 8, ", 8");
    const auto partly = copy("ca", 8, ", %r5");
    for (std::uint32_t i = 0; i < 32; ++i) {
        CHECK(four[i] == 100 + i);
        CHECK(sixteen[i] == 100 + i / 4 * 4 + 3);
        CHECK(hinted[i] == 100 + i / 2 * 2 + 1);
        // i % 8 bytes are read: of the second word, the lowest i % 8 - 4.
        const std::uint32_t read = i % 8;
        const std::uint32_t word = 100 + i / 2 * 2 + 1;
        CHECK(partly[i] == (read <= 4 ? 0 : word & ((1u << (8 * (read - 4))) - 1)));
    }
}

TEST_CASE("cp.async: races like any load and store") {
    for (const bool waits : {false, true}) {
        // Each thread copies its own word and reads that of the other warp.
        Program program(fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 box[256];
.visible .entry k(.param .u64 in) {{
.reg .b32 %r<6>;
.reg .b64 %in, %d<2>;
ld.param.u64 %in, [in];
mov.u32 %r0, %tid.x;
mul.wide.u32 %d0, %r0, 4;
add.u64 %in, %in, %d0;
mov.u32 %r1, box;
mad.lo.u32 %r2, %r0, 4, %r1;
cp.async.ca.shared.global [%r2], [%in], 4;
cp.async.wait_all;
{}
xor.b32 %r3, %r0, 32;
mad.lo.u32 %r4, %r3, 4, %r1;
ld.shared.u32 %r5, [%r4];
ret;
}})",
                                    waits ? "bar.sync 0;" : ""));
        std::vector<int> values(64);
        std::iota(values.begin(), values.end(), 1);
        const auto in = program.array(values);
        const auto result = program.launch("k", {1}, {64}, in.at);
        const auto races = std::count_if(result.findings.begin(), result.findings.end(),
                                         [](const Finding& f) { return f.check == Check::race; });
        CHECK((races != 0) == !waits);
        if (waits) CHECK(result.findings.empty());
    }
}

TEST_CASE("races: blocks that CUB's relaxed flags order, and a kernel's own that do not") {
    // The second block waits for the first one's flag, then overwrites what that has read.
    for (const std::string name :
         {"_ZN3cub6kernelEPiS0_", "_Z6kernelPiS_", "_ZN6thrust6kernelEPiS0_"}) {
        Program program(fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry {}(.param .u64 data, .param .u64 flag) {{
.reg .pred %p<4>;
.reg .b32 %r<6>;
.reg .b64 %d<4>;
ld.param.u64 %d0, [data];
ld.param.u64 %d1, [flag];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
setp.eq.u32 %p0, %r0, 0;
setp.ne.u32 %p1, %r1, 0;
mul.wide.u32 %d2, %r0, 4;
add.u64 %d2, %d2, %d0;
@%p1 bra SECOND;
ld.global.u32 %r2, [%d2];
bar.sync 0;
@%p0 st.relaxed.gpu.global.u32 [%d1], 1;
ret;
SECOND:
@!%p0 bra COME;
AGAIN:
ld.relaxed.gpu.global.u32 %r3, [%d1];
setp.eq.u32 %p2, %r3, 0;
@%p2 bra AGAIN;
COME:
bar.sync 0;
st.global.u32 [%d2], %r1;
ret;
}})",
                                    name));
        const auto data = program.array(std::vector<int>(64, 7)),
                   flag = program.array(std::vector<int>(1));
        const auto result = program.launch(name, {2}, {64}, data.at, flag.at);
        CHECK(result.outcome == Outcome::ok);
        CHECK(program.read(data) == std::vector<int>(64, 1));
        const auto races = std::count_if(result.findings.begin(), result.findings.end(),
                                         [](const Finding& f) { return f.check == Check::race; });
        INFO(name);
        CHECK((races != 0) == name.starts_with("_Z6"));
    }
}

TEST_CASE("surfaces and textures: race like any load and store") {
    const std::string
        suld = "suld.b.1d.b32.trap {%r5}, [%d1, {%r4}];",
        tex = "shr.u32 %r4, %r4, 2; tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r4}];";
    for (const std::string& load : {suld, tex})
        for (const bool waits : {false, true}) {
            // Each thread stores its own element and reads one of the other warp.
            Program program(fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 surface) {{
.reg .b32 %r<10>;
.reg .b64 %d<2>;
ld.param.u64 %d1, [surface];
mov.u32 %r0, %tid.x;
shl.b32 %r1, %r0, 2;
add.u32 %r2, %r0, 100;
sust.b.1d.b32.trap [%d1, {{%r1}}], {{%r2}};
{}
xor.b32 %r3, %r0, 32;
shl.b32 %r4, %r3, 2;
{}
ret;
}})",
                                        waits ? "bar.sync 0;" : "", load));
            const auto elements = program.array(std::vector<int>(64, 0));
            Texture surface;
            surface.base = elements.at;
            surface.width = 64;
            surface.element = Texture::Element::natural;
            const auto handle = program.device.create_texture(surface);
            const auto result = program.launch("k", {1}, {64}, handle);
            CHECK(result.outcome == Outcome::ok);
            CHECK(program.read(elements)[63] == 163);
            const auto races =
                std::count_if(result.findings.begin(), result.findings.end(),
                              [](const Finding& f) { return f.check == Check::race; });
            INFO(load << " waits: " << waits);
            CHECK((races != 0) == !waits);
            if (waits) CHECK(result.findings.empty());
        }
}

TEST_CASE("cp.async: both sides are checked") {
    const auto finding = [](const std::string& from, const std::string& to) {
        Program program(fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 box[64];
.visible .entry k(.param .u64 in) {{
.reg .b32 %r<2>;
.reg .b64 %in;
ld.param.u64 %in, [in];
mov.u32 %r0, box;
cp.async.ca.shared.global [%r0{}], [%in{}], 4;
ret;
}})",
                                    to, from));
        const auto in = program.array(std::vector<int>(4));
        const auto result = program.launch("k", {1}, {1}, in.at);
        CHECK(result.outcome == Outcome::illegal_address);
        REQUIRE(result.findings.size() == 1);
        return result.findings[0];
    };
    const Finding source = finding("+16", "");
    CHECK(source.space == Space::global);
    CHECK(!source.is_write);
    CHECK(source.nearest->distance_bytes == 0);
    const Finding target = finding("", "+64");
    CHECK(target.space == Space::shared);
    CHECK(target.is_write);
}

TEST_CASE("atom.add.v4: results may stand in the registers of what is added") {
    const auto seen =
        run(".reg .f32 %f<9>;"
            "mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f40000000;"
            "mov.f32 %f2, 0f40400000; mov.f32 %f3, 0f40800000;"
            "atom.global.add.v4.f32 {%f4, %f5, %f6, %f7}, [sums], {%f0, %f1, %f2, %f3};"
            "bar.sync 0; and.b32 %r0, %i, 3; shl.b32 %r0, %r0, 2; cvt.u64.u32 %d1, %r0;"
            "mov.u64 %d2, sums; add.u64 %d2, %d2, %d1; ld.global.f32 %f8, [%d2];"
            "cvt.rzi.u32.f32 %v, %f8;",
            std::vector<std::uint32_t>(32), ".global .align 16 .b8 sums[16];");
    for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == 32 * (i % 4 + 1));
}

TEST_CASE("registers of 128 bits: moves, loads, stores, exch and cas") {
    const std::string box = ".global .align 16 .b8 box[512], one[16] = {5};";
    const std::string at =
        ".reg .b128 %q<4>; mov.u64 %d1, box; mul.wide.u32 %d2, %i, 16;"
        "add.u64 %d1, %d1, %d2; cvt.u64.u32 %d2, %i; add.u64 %d3, %d2, 7;";
    std::vector<std::uint32_t> values(32, 0), expected(32);
    const auto gives = [&](const std::string& body, auto f) {
        for (std::uint32_t i = 0; i < 32; ++i) expected[i] = f(i);
        INFO(body);
        CHECK(run(at + body, values, box) == expected);
    };
    // Both halves, in their order; a register read by the move that writes its parts.
    gives(
        "mov.b128 %q0, {%d2, %d3}; mov.b128 %q1, %q0; mov.b128 {%d3, %d2}, %q1;"
        "shl.b64 %d2, %d2, 8; add.u64 %d2, %d2, %d3; cvt.u32.u64 %v, %d2;",
        [](auto i) { return (i + 7) << 8 | i; });
    gives("mov.b128 %q0, {%d2, %d3}; st.global.b128 [%d1], %q0; ld.global.u32 %v, [%d1+8];",
          [](auto i) { return i + 7; });
    gives(
        "st.global.v2.u64 [%d1], {%d2, %d3}; ld.global.b128 %q0, [%d1];"
        "mov.b128 {_, %d3}, %q0; cvt.u32.u64 %v, %d3;",
        [](auto i) { return i + 7; });
    // Each lane gets what the lane before it stored.
    gives(
        "mov.b128 %q0, {%d2, %d3}; mov.u64 %d1, one; atom.global.exch.b128 %q1, [%d1], %q0;"
        "mov.b128 {%d4, %d5}, %q1; cvt.u32.u64 %v, %d4;",
        [](auto i) { return i == 0 ? 5 : i - 1; });
    // Lane 0 finds {5, 0} and stores {1, 9}; the others compare with {5, 0}, and store nothing.
    gives(
        "mov.u64 %d1, one; mov.u64 %d4, 5; mov.u64 %d5, 0; mov.b128 %q0, {%d4, %d5};"
        "mov.u64 %d4, 1; mov.u64 %d5, 9; mov.b128 %q1, {%d4, %d5};"
        "atom.relaxed.gpu.global.cas.b128 %q2, [%d1], %q0, %q1; mov.b128 {%d4, %d5}, %q2;"
        "shl.b64 %d5, %d5, 8; add.u64 %d4, %d4, %d5; cvt.u32.u64 %v, %d4;",
        [](auto i) { return i == 0 ? 5u : 9u << 8 | 1; });
    // Halves that differ in one: nothing is stored.
    gives(
        "mov.u64 %d1, one; mov.u64 %d4, 5; mov.u64 %d5, 1; mov.b128 %q0, {%d4, %d5};"
        "atom.global.cas.b128 _, [%d1], %q0, %q0; bar.warp.sync -1; ld.global.u32 %v, [%d1+8];",
        [](auto) { return 0u; });
}

TEST_CASE("cache hints change no result") {
    std::vector<std::uint32_t> values(32);
    std::iota(values.begin(), values.end(), 3u);
    const std::string policies =
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %d1, 0.5;"
        "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d2, [%in], 64, 128;"
        "createpolicy.cvt.L2.b64 %d3, 0x14F0000000000000;";
    const std::string box = ".global .align 16 .b8 box[512]; .shared .align 16 .b8 near[512];";
    const auto seen = run(
        policies +
            "mov.u64 %d4, box; mul.wide.u32 %d5, %i, 16; add.u64 %d4, %d4, %d5;"
            "ld.global.L2::cache_hint.u32 %r0, [%in], %d1;"
            "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.u32 %r1, [%in], %d2;"
            "st.global.L2::cache_hint.v4.u32 [%d4], {%r0, %r1, %r0, %r1}, %d3;"
            "ld.global.L1::evict_last.L2::128B.u32 %r2, [%d4+4];"
            "ld.global.L2::evict_first.v2.u32 {%r3, %r4}, [%d4];"
            "atom.global.add.L2::cache_hint.u32 %r5, [%d4+8], 10, %d1;"
            "red.global.add.L2::cache_hint.u32 [%d4+8], 100, %d1;"
            "prefetch.global.L2::evict_last [%d4];"
            "mov.u32 %r6, near; mad.lo.u32 %r6, %i, 16, %r6;"
            "cp.async.cg.shared.global.L2::cache_hint.L2::128B [%r6], [%d4], 16, 12, %d1;"
            "cp.async.wait_all; ld.shared.u32 %r7, [%r6+8]; ld.shared.u32 %r8, [%r6+12];"
            "add.u32 %v, %r2, %r3; add.u32 %v, %v, %r5; add.u32 %v, %v, %r7; add.u32 %v, %v, %r8;",
        values, box);
    // Two loads, the old value, and the sum of that and 110; zeros behind the 12 bytes.
    for (std::size_t i = 0; i < 32; ++i) CHECK(seen[i] == 4 * values[i] + 110);
}

TEST_CASE("isspacep and cvta: a cluster of one block has that block's shared memory") {
    const std::string box = ".shared .align 4 .b8 near[4]; .global .align 4 .b8 far[4];";
    for (const std::string space : {"shared", "shared::cta", "shared::cluster"}) {
        const auto seen =
            run("mov.u64 %d1, near; cvta." + space + ".u64 %d2, %d1; isspacep." + space +
                    " %p0, %d2; mov.u64 %d3, far; cvta.global.u64 %d3, %d3; isspacep." + space +
                    " %p1, %d3; st.u32 [%d2], %i; cvta.to." + space +
                    ".u64 %d4, %d2;"
                    "setp.eq.u64 %p2, %d4, %d1; selp.u32 %v, 1, 0, %p0;"
                    "@%p1 add.u32 %v, %v, 2; @%p2 add.u32 %v, %v, 4;",
                {9}, box);
        INFO(space);
        CHECK(seen == std::vector<std::uint32_t>{5});
    }
}
