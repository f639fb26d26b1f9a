// Tensor core instructions against matrix products in plain C++: wmma with every shape, type and
// layout; mma with fragments laid out as the PTX ISA draws them; ldmatrix and movmatrix.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

using Bytes = std::vector<std::byte>;

/// Bits of small whole numbers in each format that matrices have.
struct Format {
    std::string name;
    unsigned bits;
    std::uint64_t encode(int x) const {
        if (name == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(x));
        const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(x));
        if (name == "f32" || name == "tf32") return single;
        if (name == "bf16") return single >> 16;
        if (name == "f16") {
            if (x == 0) return 0;
            const auto exponent = (single >> 23 & 0xff) - 127 + 15;
            return (single >> 16 & 0x8000) | exponent << 10 | (single >> 13 & 0x3ff);
        }
        return static_cast<std::uint64_t>(x) & ((std::uint64_t{1} << bits) - 1);
    }
    /// A value that A or B may have.
    int value(unsigned seed) const {
        const int any = static_cast<int>(seed * 2654435761u >> 20);
        if (name == "b1") return any & 1;
        if (name == "u4") return any & 15;
        if (name == "s4") return (any & 15) - 8;
        if (name == "u8") return any & 255;
        if (name == "s8") return (any & 255) - 128;
        return any % 17 - 8;
    }
};
const Format kF16{"f16", 16}, kF32{"f32", 32}, kS32{"s32", 32}, kF64{"f64", 64}, kS8{"s8", 8},
    kU8{"u8", 8}, kS4{"s4", 4}, kU4{"u4", 4}, kB1{"b1", 1}, kBf16{"bf16", 16}, kTf32{"tf32", 32};

/// A matrix of numbers, and how it lies in memory.
struct Matrix {
    unsigned rows, columns;
    std::vector<int> values;
    Matrix(unsigned r, unsigned c) : rows(r), columns(c), values(std::size_t{r} * c) {}
    int& at(unsigned r, unsigned c) { return values[r * columns + c]; }
    int at(unsigned r, unsigned c) const { return values[r * columns + c]; }
    static Matrix of(unsigned r, unsigned c, const Format& format, unsigned seed) {
        Matrix m(r, c);
        for (unsigned i = 0; i < m.values.size(); ++i) m.values[i] = format.value(i + seed);
        return m;
    }
    unsigned line(bool in_rows) const { return in_rows ? columns : rows; }
    Bytes bytes(const Format& format, bool in_rows, unsigned stride) const {
        const unsigned lines = in_rows ? rows : columns;
        Bytes all((std::size_t{lines} * stride * format.bits + 7) / 8);
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned c = 0; c < columns; ++c)
                put(all, (in_rows ? r * stride + c : c * stride + r) * std::size_t{format.bits},
                    format.encode(at(r, c)), format.bits);
        return all;
    }
    static void put(Bytes& to, std::size_t bit, std::uint64_t value, unsigned bits) {
        for (unsigned k = 0; k < bits; ++k)
            if ((value >> k & 1) != 0)
                to[(bit + k) / 8] |= static_cast<std::byte>(1u << (bit + k) % 8);
    }
};

Matrix product(const Matrix& a, const Matrix& b, const Matrix& c, bool of_bits, bool is_and) {
    Matrix d(c.rows, c.columns);
    for (unsigned row = 0; row < c.rows; ++row)
        for (unsigned column = 0; column < c.columns; ++column) {
            int sum = c.at(row, column);
            for (unsigned k = 0; k < a.columns; ++k) {
                const int x = a.at(row, k), y = b.at(k, column);
                sum += !of_bits ? x * y : is_and ? x & y : x ^ y;
            }
            d.at(row, column) = sum;
        }
    return d;
}

std::string registers(const std::string& name, unsigned count, unsigned first = 0) {
    std::string list = "{";
    for (unsigned r = 0; r < count; ++r)
        list += fmt::format("{}{}{}", r == 0 ? "" : ", ", name, first + r);
    return list + "}";
}

std::string kernel(const std::string& body, const std::string& variables = "") {
    return fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
{}
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {{
.reg .pred %p<4>;
.reg .b32 %r<8>, %i, %a<16>, %b<16>, %c<16>, %d<16>;
.reg .b64 %t<4>, %wa<16>, %wb<16>, %wc<16>, %wd<16>, %pa, %pb, %pc, %pd;
mov.u32 %i, %tid.x;
ld.param.u64 %pa, [a];
ld.param.u64 %pb, [b];
ld.param.u64 %pc, [c];
ld.param.u64 %pd, [d];
{}
ret;
}})",
                       variables, body);
}

struct Run {
    LaunchResult result;
    Bytes d;
    std::string told() const {
        std::string text;
        for (const auto& finding : result.findings) text += describe(finding) + "\n";
        return text;
    }
};

Run run(const std::string& ptx, const Bytes& a, const Bytes& b, const Bytes& c, std::size_t d_bytes,
        unsigned threads = 32) {
    Program program(ptx);
    const auto at_a = program.array(a), at_b = program.array(b), at_c = program.array(c);
    const auto at_d = program.array(Bytes(d_bytes));
    LaunchResult result = program.launch("k", {1}, {threads}, at_a.at, at_b.at, at_c.at, at_d.at);
    return {std::move(result), program.read(at_d)};
}

/// One wmma: shape, formats of A and B, C, D; registers of each.
struct Wmma {
    unsigned m, n, k;
    Format a, b, c, d;
    unsigned a_registers, b_registers, c_registers, d_registers;
};

void check_wmma(const Wmma& w, bool a_rows, bool b_rows, bool c_rows, bool d_rows,
                const std::string& space) {
    const bool of_bits = w.a.bits == 1, is_half = w.a.name == "f16";
    const Matrix a = Matrix::of(w.m, w.k, w.a, 1), b = Matrix::of(w.k, w.n, w.b, 5000),
                 c = Matrix::of(w.m, w.n, kF16, 9000);
    // Lines of memory are longer than those of the matrices, by 16 bytes or more.
    const unsigned a_stride = a.line(a_rows) + 256 / w.a.bits, c_stride = c.line(c_rows) + 16;
    const unsigned b_stride = b.line(b_rows) + 256 / w.b.bits, d_stride = c.line(d_rows) + 32;
    const auto order = [](bool rows) { return rows ? "row" : "col"; };
    const std::string shape = fmt::format("m{}n{}k{}", w.m, w.n, w.k);
    const std::string in_ab = w.a.bits == 64 ? "%wa" : "%a", in_b = w.a.bits == 64 ? "%wb" : "%b",
                      in_c = w.a.bits == 64 ? "%wc" : "%c", in_d = w.a.bits == 64 ? "%wd" : "%d";
    const std::string all_a = registers(in_ab, w.a_registers),
                      all_b = registers(in_b, w.b_registers),
                      all_c = registers(in_c, w.c_registers),
                      all_d = registers(in_d, w.d_registers);
    for (const std::string combination : {"xor", "and"}) {
        if (!of_bits && combination == "and") break;
        const std::string name = of_bits ? "wmma.mma." + combination + ".popc" : "wmma.mma";
        const std::string types =
            is_half ? w.d.name + "." + w.c.name
                    : fmt::format("{}.{}.{}.{}", w.d.name, w.a.name, w.b.name, w.c.name);
        const std::string body = fmt::format(
            "wmma.load.a.sync.aligned.{0}.{4}{5}.{6} {9}, [%pa], {13};\n"
            "wmma.load.b.sync.aligned.{1}.{4}{5}.{7} {10}, [%pb], {14};\n"
            "wmma.load.c.sync.aligned.{2}.{4}{5}.{8} {11}, [%pc], {15};\n"
            "{17}.sync.aligned.{0}.{1}.{4}.{18} {12}, {9}, {10}, {11};\n"
            "wmma.store.d.sync.aligned.{3}.{4}{5}.{19} [%pd], {12}, {16};",
            order(a_rows), order(b_rows), order(c_rows), order(d_rows), shape, space, w.a.name,
            w.b.name, w.c.name, all_a, all_b, all_c, all_d, a_stride, b_stride, c_stride, d_stride,
            name, types, w.d.name);
        const Matrix expected = product(a, b, c, of_bits, combination == "and");
        const Bytes wanted = expected.bytes(w.d, d_rows, d_stride);
        const Run got =
            run(kernel(body), a.bytes(w.a, a_rows, a_stride), b.bytes(w.b, b_rows, b_stride),
                c.bytes(w.c, c_rows, c_stride), wanted.size());
        INFO(body);
        REQUIRE(got.told() == "");
        REQUIRE(got.d == wanted);
    }
}

/// D = A * B + C by an mma.sync whose fragments are laid out by `where`: for lane and element, the
/// row and column, as the PTX ISA's figures say.
struct Place {
    unsigned row, column;
};
using Layout = std::function<Place(unsigned lane, unsigned element)>;

Bytes fragments(const Matrix& m, const Format& format, unsigned registers, const Layout& where) {
    const unsigned of_one = format.bits == 64 ? 64 : 32;
    const unsigned elements = registers * of_one / format.bits;
    Bytes all(std::size_t{32} * registers * of_one / 8);
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < elements; ++i) {
            const Place at = where(lane, i);
            Matrix::put(all, (std::size_t{lane} * elements + i) * format.bits,
                        format.encode(m.at(at.row, at.column)), format.bits);
        }
    return all;
}

/// Loads or stores `count` registers a lane that lie side by side.
std::string move_fragments(const std::string& op, const std::string& name,
                           const std::string& pointer, unsigned count, bool wide) {
    const unsigned bytes = wide ? 8 : 4;
    std::string text =
        fmt::format("mul.wide.u32 %t0, %i, {}; add.u64 %t1, {}, %t0;\n", count * bytes, pointer);
    for (unsigned r = 0; r < count; ++r)
        text += op == "ld"
                    ? fmt::format("ld.global.b{} {}{}, [%t1+{}];\n", bytes * 8, name, r, bytes * r)
                    : fmt::format("st.global.b{} [%t1+{}], {}{};\n", bytes * 8, bytes * r, name, r);
    return text;
}

struct Mma {
    unsigned m, n, k;
    Format a, b, c, d;
    std::string tail = "";
};

void check_mma(const Mma& w) {
    const unsigned of_one = w.a.bits == 64 ? 64 : 32;
    const unsigned each = of_one / w.a.bits;  // elements of A or B a register
    const unsigned a_registers = w.m * w.k / 32 / each, b_registers = w.k * w.n / 32 / each;
    const auto c_registers = [&](const Format& f) {
        return w.m * w.n / 32 / (f.bits == 16 ? 2 : 1);
    };
    // "groupID = lane / 4, threadID_in_group = lane % 4": rows of A are groupID and, every other
    // register, groupID + 8; columns follow one another within a register, and four registers'
    // worth further on in every second pair.
    const unsigned rows = w.m / 8;
    const Layout of_a = [=](unsigned lane, unsigned i) {
        const unsigned r = i / each;
        return Place{lane / 4 + (r % rows) * 8, lane % 4 * each + i % each + r / rows * 4 * each};
    };
    const Layout of_b = [=](unsigned lane, unsigned i) {
        return Place{lane % 4 * each + i % each + i / each * 4 * each, lane / 4};
    };
    const Layout of_c = [=](unsigned lane, unsigned i) {
        return Place{lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
    };
    const Matrix a = Matrix::of(w.m, w.k, w.a, 3), b = Matrix::of(w.k, w.n, w.b, 7000),
                 c = Matrix::of(w.m, w.n, kF16, 100);
    const bool wide = w.a.bits == 64;
    const std::string p = wide ? "%w" : "%";
    const std::string body =
        move_fragments("ld", p + "a", "%pa", a_registers, wide) +
        move_fragments("ld", p + "b", "%pb", b_registers, wide) +
        move_fragments("ld", p + "c", "%pc", c_registers(w.c), wide) +
        fmt::format("mma.sync.aligned.m{}n{}k{}.row.col.{}.{}.{}.{}{} {}, {}, {}, {};\n", w.m, w.n,
                    w.k, w.d.name, w.a.name, w.b.name, w.c.name, w.tail,
                    registers(p + "d", c_registers(w.d)), registers(p + "a", a_registers),
                    registers(p + "b", b_registers), registers(p + "c", c_registers(w.c))) +
        move_fragments("st", p + "d", "%pd", c_registers(w.d), wide);
    const Matrix expected =
        product(a, b, c, w.a.bits == 1, w.tail.find("and") != std::string::npos);
    const Bytes wanted = fragments(expected, w.d, c_registers(w.d), of_c);
    const Run got = run(kernel(body), fragments(a, w.a, a_registers, of_a),
                        fragments(b, w.b, b_registers, of_b),
                        fragments(c, w.c, c_registers(w.c), of_c), wanted.size());
    INFO(body);
    REQUIRE(got.told() == "");
    REQUIRE(got.d == wanted);
}

/// An m16n8k16 of halves with C in f32, all of A, B and C holding the given bits.
std::uint32_t one_sum(const std::string& types, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                      const std::string& shape = "m16n8k16") {
    const bool single = types.ends_with("f16.f16") && types.starts_with("f16");
    const unsigned n = single ? 2 : 4;
    std::string body;
    for (unsigned r = 0; r < 4; ++r)
        body += fmt::format("mov.b32 %a{0}, {1}; mov.b32 %b{0}, {2}; mov.b32 %c{0}, {3};\n", r, a,
                            b, c);
    const unsigned of_a = shape == "m8n8k16" ? 1 : 4, of_b = shape == "m8n8k16" ? 1 : 2;
    const unsigned of_c = shape == "m8n8k16" ? 2 : n;
    body += fmt::format("mma.sync.aligned.{}.row.col.{} {}, {}, {}, {};\n", shape, types,
                        registers("%d", of_c), registers("%a", of_a), registers("%b", of_b),
                        registers("%c", of_c)) +
            move_fragments("st", "%d", "%pd", 1, false);
    const Run got = run(kernel(body), Bytes(8), Bytes(8), Bytes(8), 128);
    REQUIRE(got.told() == "");
    std::uint32_t bits = 0;
    std::memcpy(&bits, got.d.data(), sizeof bits);
    return bits;
}

}  // namespace

TEST_CASE("matrices: wmma of every type, shape and layout") {
    std::vector<Wmma> forms;
    const auto shapes = [&](const Format& a, const Format& b, const Format& c, const Format& d,
                            std::initializer_list<std::array<unsigned, 4>> sizes) {
        for (const auto& [m, n, in_a, in_b] : sizes)
            forms.push_back(
                {m, n, 16, a, b, c, d, in_a, in_b, c.bits == 16 ? 4u : 8u, d.bits == 16 ? 4u : 8u});
    };
    for (const Format& c : {kF16, kF32})
        for (const Format& d : {kF16, kF32})
            shapes(kF16, kF16, c, d, {{16, 16, 8, 8}, {32, 8, 8, 8}, {8, 32, 8, 8}});
    shapes(kBf16, kBf16, kF32, kF32, {{16, 16, 4, 4}, {32, 8, 8, 2}, {8, 32, 2, 8}});
    for (const Format& x : {kS8, kU8})
        shapes(x, x, kS32, kS32, {{16, 16, 2, 2}, {32, 8, 4, 1}, {8, 32, 1, 4}});
    forms.push_back({16, 16, 8, kTf32, kTf32, kF32, kF32, 4, 4, 8, 8});
    forms.push_back({8, 8, 4, kF64, kF64, kF64, kF64, 1, 1, 2, 2});
    for (const Wmma& form : forms)
        for (unsigned layouts = 0; layouts < 16; ++layouts)
            check_wmma(form, (layouts & 1) != 0, (layouts & 2) != 0, (layouts & 4) != 0,
                       (layouts & 8) != 0, layouts % 3 == 0 ? "" : ".global");
    // Elements of less than a byte: rows of A, columns of B.
    for (const Format& x : {kS4, kU4})
        check_wmma({8, 8, 32, x, x, kS32, kS32, 1, 1, 2, 2}, true, false, true, false, ".global");
    check_wmma({8, 8, 128, kB1, kB1, kS32, kS32, 1, 1, 2, 2}, true, false, false, true, "");
}

TEST_CASE("matrices: mma with fragments as the PTX ISA lays them out") {
    for (const Format& c : {kF16, kF32})
        for (const unsigned k : {8u, 16u}) check_mma({16, 8, k, kF16, kF16, c, c});
    for (const unsigned k : {8u, 16u}) check_mma({16, 8, k, kBf16, kBf16, kF32, kF32});
    for (const unsigned k : {4u, 8u}) check_mma({16, 8, k, kTf32, kTf32, kF32, kF32});
    for (const Format& a : {kS8, kU8})
        for (const Format& b : {kS8, kU8}) {
            check_mma({8, 8, 16, a, b, kS32, kS32});
            check_mma({16, 8, 16, a, b, kS32, kS32});
            check_mma({16, 8, 32, a, b, kS32, kS32});
        }
    for (const Format& a : {kS4, kU4})
        for (const Format& b : {kS4, kU4}) {
            check_mma({8, 8, 32, a, b, kS32, kS32});
            check_mma({16, 8, 32, a, b, kS32, kS32});
            check_mma({16, 8, 64, a, b, kS32, kS32});
        }
    for (const std::string tail : {".xor.popc", ".and.popc"}) {
        check_mma({8, 8, 128, kB1, kB1, kS32, kS32, tail});
        check_mma({16, 8, 128, kB1, kB1, kS32, kS32, tail});
        check_mma({16, 8, 256, kB1, kB1, kS32, kS32, tail});
    }
    check_mma({8, 8, 4, kF64, kF64, kF64, kF64});
    for (const unsigned k : {4u, 8u, 16u}) check_mma({16, 8, k, kF64, kF64, kF64, kF64});
}

TEST_CASE("matrices: sums round once, wrap or clamp, and know infinity and NaN") {
    const auto single = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    // 16 products of 2^-14 * 2^-14 (the smallest normal halves) and 1.
    CHECK(one_sum("f32.f16.f16.f32", 0x0400'0400, 0x0400'0400, single(0)) ==
          single(std::ldexp(16.0f, -28)));
    // Subnormal halves count: 2^-24.
    CHECK(one_sum("f32.f16.f16.f32", 0x0001'0001, 0x3c00'3c00, single(0)) ==
          single(std::ldexp(16.0f, -24)));
    const std::uint32_t infinity = single(std::numeric_limits<float>::infinity());
    CHECK(one_sum("f32.f16.f16.f32", 0x7c00'7c00, 0x3c00'3c00, single(1)) == infinity);
    CHECK(one_sum("f32.f16.f16.f32", 0x7c00'7c00, 0, single(1)) == 0x7fff'ffff);
    // 65504 * 16 + 0 does not fit in a half; 2048 + 16 * 0.5 does, exactly.
    CHECK(one_sum("f16.f16.f16.f16", 0x7bff'7bff, 0x3c00'3c00, 0) == 0x7c00'7c00);
    CHECK(one_sum("f16.f16.f16.f16", 0x3800'3800, 0x3c00'3c00, 0x6800'6800) == 0x6804'6804);
    // The last 13 bits of a tf32 do not count.
    CHECK(one_sum("f32.tf32.tf32.f32", single(1) | 0x1fff, single(1), single(0), "m16n8k8") ==
          single(8));
    const std::string plain = "s32.s8.s8.s32", clamped = "satfinite.s32.s8.s8.s32";
    CHECK(one_sum(plain, 0x7f7f'7f7f, 0x7f7f'7f7f, 0x7fff'fff0, "m8n8k16") ==
          0x7fff'fff0 + 16u * 127 * 127);
    CHECK(one_sum(clamped, 0x7f7f'7f7f, 0x7f7f'7f7f, 0x7fff'fff0, "m8n8k16") == 0x7fff'ffff);
    CHECK(one_sum(clamped, 0x7f7f'7f7f, 0x8080'8080, 0x8000'0010, "m8n8k16") == 0x8000'0000);
}

TEST_CASE("ldmatrix and movmatrix: eight halves a row, transposed or not") {
    Bytes halves(4 * 8 * 8 * 2);
    for (std::size_t i = 0; i < halves.size() / 2; ++i) {
        const auto value = static_cast<std::uint16_t>(1000 + i);
        std::memcpy(&halves[2 * i], &value, sizeof value);
    }
    const auto half = [](unsigned matrix, unsigned row, unsigned column) {
        return 1000 + matrix * 64 + row * 8 + column;
    };
    for (const unsigned count : {1u, 2u, 4u})
        for (const bool transposed : {false, true}) {
            const std::string body =
                fmt::format(
                    "mul.wide.u32 %t0, %i, 16; add.u64 %t1, %pa, %t0;\n"
                    "ld.global.v2.u64 {{%t2, %t3}}, [%t1];\n"
                    "mov.u32 %r0, box; mad.lo.u32 %r1, %i, 16, %r0;\n"
                    "st.shared.v2.u64 [%r1], {{%t2, %t3}};\nbar.warp.sync -1;\n"
                    "ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [%r1];\n",
                    count, transposed ? ".trans" : "", registers("%d", count)) +
                move_fragments("st", "%d", "%pd", count, false);
            const Run got = run(kernel(body, ".shared .align 16 .b8 box[512];"), halves, Bytes(8),
                                Bytes(8), std::size_t{128} * count);
            CHECK(got.told() == "");
            for (unsigned lane = 0; lane < 32; ++lane)
                for (unsigned q = 0; q < count; ++q)
                    for (unsigned j = 0; j < 2; ++j) {
                        std::uint16_t value = 0;
                        std::memcpy(&value, &got.d[((lane * count + q) * 2 + j) * 2], sizeof value);
                        const unsigned line = lane / 4, place = lane % 4 * 2 + j;
                        REQUIRE(value ==
                                (transposed ? half(q, place, line) : half(q, line, place)));
                    }
        }
    const std::string body = move_fragments("ld", "%a", "%pa", 1, false) +
                             "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;\n" +
                             move_fragments("st", "%d", "%pd", 1, false);
    const Run got = run(kernel(body), halves, Bytes(8), Bytes(8), 128);
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned j = 0; j < 2; ++j) {
            std::uint16_t value = 0;
            std::memcpy(&value, &got.d[(lane * 2 + j) * 2], sizeof value);
            REQUIRE(value == half(0, lane % 4 * 2 + j, lane / 4));
        }
}

TEST_CASE("matrices: accesses are checked like any other, and all 32 lanes must be there") {
    const std::string load =
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + registers("%a", 8) + ", [%pa], 16;";
    const Run outside = run(kernel(load), Bytes(500), Bytes(8), Bytes(8), 8);
    CHECK(outside.result.outcome == Outcome::illegal_address);
    REQUIRE(outside.result.findings.size() == 1);
    CHECK(outside.result.findings[0].check == Check::out_of_bounds);
    CHECK(outside.result.findings[0].nearest->distance_bytes >= 0);

    const Run few = run(kernel("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%d0, %d1}, {%a0}, "
                               "{%b0}, {%c0, %c1};"),
                        Bytes(8), Bytes(8), Bytes(8), 8, 16);
    REQUIRE(few.result.findings.size() == 1);
    CHECK(few.result.findings[0].check == Check::absent_lane);
    CHECK(describe_cause(few.result.findings[0]).find("lane 16") != std::string::npos);

    // Lanes that write rows, or a matrix, meet at the load: no race.
    for (const std::string store :
         {"mad.lo.u32 %r1, %i, 8, %r0; st.shared.v2.u32 [%r1], {%i, %i};",
          "wmma.store.d.sync.aligned.col.m8n8k32.shared.s32 [%r0], {%i, %i}, 8;"}) {
        const Run got = run(kernel("mov.u32 %r0, box;\n" + store +
                                       "\nwmma.load.c.sync.aligned.row.m8n8k32.shared.s32 {%c0, "
                                       "%c1}, [%r0], 8;",
                                   ".shared .align 16 .b8 box[256];"),
                            Bytes(8), Bytes(8), Bytes(8), 8);
        INFO(store);
        CHECK(got.told() == "");
    }

    // One warp stores a matrix that another loads: a race, and none with a barrier between them.
    for (const bool waits : {false, true}) {
        const std::string body = fmt::format(
            "setp.lt.u32 %p0, %i, 32; mov.u32 %r0, box;\n"
            "mov.b32 %d0, 1; mov.b32 %d1, 1; @!%p0 bra OTHER;\n"
            "wmma.store.d.sync.aligned.row.m8n8k32.shared.s32 [%r0], {{%d0, %d1}}, 8;\n"
            "OTHER: {} @%p0 ret;\n"
            "wmma.load.c.sync.aligned.row.m8n8k32.shared.s32 {{%c0, %c1}}, [%r0], 8;",
            waits ? "bar.sync 0;" : "");
        const Run got = run(kernel(body, ".shared .align 16 .b8 box[256];"), Bytes(8), Bytes(8),
                            Bytes(8), 8, 64);
        INFO(got.told());
        const bool races = std::any_of(got.result.findings.begin(), got.result.findings.end(),
                                       [](const auto& f) { return f.check == Check::race; });
        CHECK(races == !waits);
        if (waits) CHECK(got.result.findings.empty());
    }
}

TEST_CASE("matrices: forms that are not there say so") {
    for (const std::string form :
         {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%d0, %d1}, {%a0, %a1}, {%b0, %b1}, "
          "{%c0, %c1};",
          "wmma.load.b.sync.aligned.row.m16n16k0.f16 {%a0, %a1}, [%pa];",
          "wmma.load.a.sync.aligned.row.m16n16k4294967295.f16 {%a0, %a1}, [%pa];",
          "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%a0, %a1}, [%pa];",
          "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, "
          "%a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};"}) {
        const Run got = run(kernel(form), Bytes(8), Bytes(8), Bytes(8), 8);
        CHECK(got.result.outcome == Outcome::illegal_instruction);
        REQUIRE(got.result.findings.size() == 1);
        CHECK(describe_cause(got.result.findings[0]).find("matrices.cpp") != std::string::npos);
    }
}
