// Operands by their first token; see Operand in module.h for the kinds.
#include "ptx/instructions.h"

#include <bit>

#include <fmt/format.h>

namespace vgpu::ptx {
namespace {

constexpr int kDeepestOperand = 4;  // a tuple in an address in a tuple: PTX has no more
constexpr std::uint64_t kWarpSize = 32;

Operand parse_operand(Cursor& in, int depth);

/// Elements up to `close`, which is taken too.
std::vector<Operand> parse_elements(Cursor& in, char close, int depth) {
    std::vector<Operand> elements;
    if (in.accept(close)) return elements;
    do {
        elements.push_back(parse_operand(in, depth));
    } while (in.accept(','));
    in.expect(close);
    return elements;
}

Operand parse_number(Cursor& in, bool negative) {
    if (in.peek().kind != Token::Kind::number) in.fail_expected("a number after '-'");
    Operand operand;
    operand.kind = Operand::Kind::immediate;
    operand.immediate = read_number(in.take());
    Immediate& number = operand.immediate;
    if (negative && number.is_float) {
        number.bits ^= std::uint64_t{1} << (number.float_bits - 1);
    } else if (negative) {
        number.bits = 0 - number.bits;
    }
    return operand;
}

/// + 4, - 4 or + -4, any number of them.
std::int64_t parse_offsets(Cursor& in) {
    std::uint64_t sum = 0;  // wraps around, as addresses do
    while (in.peek().is('+') || in.peek().is('-')) {
        const bool subtract = in.take().is('-');
        const auto offset = std::uint64_t(in.expect_offset());
        sum = subtract ? sum - offset : sum + offset;
    }
    return std::int64_t(sum);
}

/// After '[': a register, symbol or number with offsets, then for textures coordinates and more.
Operand parse_address(Cursor& in, int depth) {
    Operand operand;
    operand.kind = Operand::Kind::address;
    if (in.peek().kind == Token::Kind::number) {
        operand.address.offset = std::int64_t(parse_number(in, false).immediate.bits);
    } else {
        operand.address.base = in.expect_name("a register, a variable or a number");
    }
    const auto start = std::uint64_t(operand.address.offset);
    operand.address.offset = std::int64_t(start + std::uint64_t(parse_offsets(in)));
    while (in.accept(',')) operand.elements.push_back(parse_operand(in, depth));
    in.expect(']');
    return operand;
}

/// A name, split at its first dot: %tid.x.
Operand parse_name(Cursor& in) {
    Operand operand;
    const std::string_view word = in.expect_name("an operand");
    if (word == "_") {
        operand.kind = Operand::Kind::ignored;
    } else if (word == "WARP_SZ") {
        operand.kind = Operand::Kind::immediate;
        operand.immediate.bits = kWarpSize;
    } else {
        const std::size_t dot = word.find('.');
        operand.text = word.substr(0, dot);
        if (dot != std::string_view::npos) operand.component = word.substr(dot + 1);
        operand.name_offset = parse_offsets(in);
    }
    return operand;
}

Operand parse_single(Cursor& in, int depth) {
    if (depth == 0) fail(in.line(), "operands are nested too deep");
    if (in.accept('{')) {
        Operand operand;
        operand.kind = Operand::Kind::tuple;
        operand.elements = parse_elements(in, '}', depth - 1);
        return operand;
    }
    if (in.accept('(')) {
        Operand operand;
        operand.kind = Operand::Kind::tuple;
        operand.elements = parse_elements(in, ')', depth - 1);
        return operand;
    }
    if (in.accept('[')) return parse_address(in, depth - 1);
    if (in.accept('-')) return parse_number(in, true);
    if (in.peek().kind == Token::Kind::number) return parse_number(in, false);
    const bool negated = in.accept('!');
    Operand operand = parse_name(in);
    operand.negated = negated;
    return operand;
}

Operand parse_operand(Cursor& in, int depth) {
    Operand first = parse_single(in, depth);
    if (!in.accept('|')) return first;
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.elements.push_back(std::move(first));
    pair.elements.push_back(parse_single(in, depth));
    return pair;
}

void split_opcode(std::string_view word, Instruction& instruction) {
    std::size_t dot = word.find('.');
    instruction.opcode = word.substr(0, dot);
    while (dot != std::string_view::npos) {
        word.remove_prefix(dot + 1);
        dot = word.find('.');
        instruction.modifiers.emplace_back(word.substr(0, dot));
    }
}

}  // namespace

Instruction parse_instruction(Cursor& in) {
    Instruction instruction;
    instruction.ptx_line = in.line();
    if (in.accept('@')) {
        instruction.guard_negated = in.accept('!');
        instruction.guard = in.expect_name("a predicate register after '@'");
    }
    split_opcode(in.expect_name("an instruction"), instruction);
    if (in.accept(';')) return instruction;
    do {
        instruction.operands.push_back(parse_operand(in, kDeepestOperand));
    } while (in.accept(','));
    in.expect(';');
    return instruction;
}

}  // namespace vgpu::ptx
