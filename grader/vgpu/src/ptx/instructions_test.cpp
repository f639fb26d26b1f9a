// Operands and numbers, one instruction at a time.
#include <bit>

#include <catch2/catch_test_macros.hpp>

#include "ptx/test_text.h"

using namespace vgpu::ptx;
using Kind = Operand::Kind;

namespace {

Immediate number(const std::string& text) {
    return instruction("mov.b64 %rd1, " + text + ";").operands.at(1).immediate;
}

}  // namespace

TEST_CASE("instruction: guard, opcode and modifiers; any opcode parses") {
    const Instruction load =
        instruction("@!%p3 ld.global.nc.L2::128B.v4.f32 {%f1, %f2, _, %f4}, [%rd1+-16];");
    CHECK(load.guard == "%p3");
    CHECK(load.guard_negated);
    CHECK(load.opcode == "ld");
    CHECK(load.modifiers == std::vector<std::string>{"global", "nc", "L2::128B", "v4", "f32"});
    CHECK(load.full_opcode() == "ld.global.nc.L2::128B.v4.f32");
    REQUIRE(load.operands.size() == 2);
    CHECK(load.operands[0].kind == Kind::tuple);
    CHECK(load.operands[0].elements.at(1).text == "%f2");
    CHECK(load.operands[0].elements.at(2).kind == Kind::ignored);
    CHECK(load.operands[1].kind == Kind::address);
    CHECK(load.operands[1].address.base == "%rd1");
    CHECK(load.operands[1].address.offset == -16);

    CHECK(instruction("frobnicate.m16n8k16.row.1d;").full_opcode() == "frobnicate.m16n8k16.row.1d");
    CHECK(instruction("cp.async.shared::cta.global [%r1], [%rd2], 16;").modifiers.at(1) ==
          "shared::cta");
}

TEST_CASE("instruction: addresses") {
    const auto address = [](const std::string& text) {
        return instruction("ld.u32 %r1, [" + text + "];").operands.at(1);
    };
    CHECK(address("%rd1").address.offset == 0);
    CHECK(address("sym+4").address.base == "sym");
    CHECK(address("sym+4").address.offset == 4);
    CHECK(address("%rd1-8").address.offset == -8);
    CHECK(address("sym+0x10+4").address.offset == 20);
    CHECK(address("4096").address.base.empty());
    CHECK(address("4096").address.offset == 4096);

    const Operand texture =
        instruction("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];").operands.at(1);
    CHECK(texture.kind == Kind::address);
    CHECK(texture.address.base == "%rd1");
    REQUIRE(texture.elements.size() == 1);
    CHECK(texture.elements[0].elements.at(1).text == "%f6");
}

TEST_CASE("instruction: pairs, negation, components, symbols with an offset") {
    const Instruction shuffle = instruction("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;");
    REQUIRE(shuffle.operands[0].kind == Kind::pair);
    CHECK(shuffle.operands[0].elements.at(0).text == "%r1");
    CHECK(shuffle.operands[0].elements.at(1).text == "%p1");
    CHECK(shuffle.operands[4].immediate.bits == ~std::uint64_t{0});
    CHECK(instruction("setp.eq.and.s32 _|%p1, %r1, 0, !%p2;").operands[0].elements[0].kind ==
          Kind::ignored);
    CHECK(instruction("setp.eq.and.s32 %p1, %r1, 0, !%p2;").operands[3].negated);
    CHECK(instruction("mov.f32 %f1, %v.y;").operands[1].component == "y");
    CHECK(instruction("mov.u64 %rd1, sym+12;").operands[1].name_offset == 12);
    CHECK(instruction("mov.u32 %r1, WARP_SZ;").operands[1].immediate.bits == 32);
}

TEST_CASE("instruction: numbers") {
    CHECK(number("42").bits == 42);
    CHECK(number("42U").bits == 42);
    CHECK(number("0x1fU").bits == 31);
    CHECK(number("0X1F").bits == 31);
    CHECK(number("017").bits == 15);
    CHECK(number("0b101").bits == 5);
    CHECK(number("0").bits == 0);
    CHECK(number("-5").bits == std::uint64_t(-5));
    CHECK(number("18446744073709551615").bits == ~std::uint64_t{0});
    CHECK_FALSE(number("42").is_float);

    const Immediate single = number("0f3F800000");
    CHECK(single.is_float);
    CHECK(single.float_bits == 32);
    CHECK(single.bits == 0x3F800000);
    CHECK(number("-0f3F800000").bits == 0xBF800000);
    CHECK(number("0d3FF0000000000000").bits == 0x3FF0000000000000);
    CHECK(number("0d3FF0000000000000").float_bits == 64);
    CHECK(number("1.5").bits == std::bit_cast<std::uint64_t>(1.5));
    CHECK(number("-1.5e-3").bits == std::bit_cast<std::uint64_t>(-1.5e-3));
    CHECK(number("2e+2").bits == std::bit_cast<std::uint64_t>(200.0));
}

TEST_CASE("instruction: messages") {
    const auto error = [](const std::string& text) {
        return error_of(with_header(".entry k() {" + text + "}"));
    };
    CHECK(error("@5 bra L;") == "PTX line 4: expected a predicate register after '@', got '5'");
    CHECK(error("@p ;") == "PTX line 4: expected an instruction, got ';'");
    CHECK(error("add.s32 %r1,;") == "PTX line 4: expected an operand, got ';'");
    CHECK(error("ld.u32 %r1, [];") ==
          "PTX line 4: expected a register, a variable or a number, got ']'");
    CHECK(error("ld.u32 %r1, [%rd1;") == "PTX line 4: expected ']', got ';'");
    CHECK(error("mov.b64 {%r1, %r2, %rd1;") == "PTX line 4: expected '}', got ';'");
    CHECK(error("mov.b64 {{{{{{a}}}}}}, b;") == "PTX line 4: operands are nested too deep");
    CHECK(error("mov.u32 %r1, -%r2;") == "PTX line 4: expected a number after '-', got '%r2'");
    CHECK(error("mov.u32 %r1, 0f3F80;") == "PTX line 4: '0f3F80' is no number");
    CHECK(error("mov.u32 %r1, 089;") == "PTX line 4: '089' is no number");
    CHECK(error("mov.u32 %r1, 0x;") == "PTX line 4: '0x' is no number");
    CHECK(error("mov.u32 %r1, 12monkeys;") == "PTX line 4: '12monkeys' is no number");
    CHECK(error("mov.u32 %r1, 1.2.3;") == "PTX line 4: '1.2.3' is no number");
    CHECK(error("mov.u64 %rd1, 18446744073709551616;") ==
          "PTX line 4: '18446744073709551616' does not fit into 64 bits");
}
