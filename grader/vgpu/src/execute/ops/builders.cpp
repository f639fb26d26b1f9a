// Matches setp, set, cvt and the carry instructions to their handlers, and instructions without
// effect.
#include <algorithm>

#include "execute/ops/compare.h"
#include "execute/ops/convert.h"
#include "execute/ops/table.h"

namespace vgpu {
namespace {

using OperandKind = ptx::Operand::Kind;

std::uint8_t combination(std::string_view name) {
    if (name == "and") return kCombineAnd;
    if (name == "or") return kCombineOr;
    if (name == "xor") return kCombineXor;
    return 0;
}

/// Compares operands `first` and `first + 1` under setp's and set's modifiers; `types` of them are
/// types, the last being that of what is compared. Returns the others' first type.
void build_comparison(Encoder& e, std::size_t types) {
    auto modifiers = e.ptx.modifiers;
    std::erase_if(modifiers,
                  [&](const auto& m) { return m == "ftz" && take_modifier(e.insn.modifiers, m); });
    if (modifiers.size() < 1 + types) throw Unsupported{""};
    if (modifiers.size() == 2 + types) {
        e.insn.option |= combination(modifiers[1]);
        if ((e.insn.option & kCombineMask) == 0) throw Unsupported{""};
        const auto& with = e.operand(3);
        e.insn.operand[4] = e.source_of(with, Cell::predicate);
        e.insn.immediate = with.negated ? -1 : 0;
    } else if (modifiers.size() != 1 + types) {
        throw Unsupported{""};
    }
    const Row& found = row("compare." + modifiers[0] + "." + modifiers.back());
    if (e.insn.modifiers.flush_subnormals && (found.accepts & kFlush) == 0) throw Unsupported{""};
    e.insn.execute = found.execute;
    for (std::size_t i = 2; i < 4; ++i)
        e.insn.operand[i] =
            e.source_of(e.operand(i - 1), found.shape.cells[i], found.shape.floats != 0);
}

void build_setp(Encoder& e) {
    build_comparison(e, 1);
    const auto& to = e.operand(0);
    if (to.kind != OperandKind::pair) return e.result(0, Cell::predicate);
    e.insn.option |= kSecondResult;
    for (std::size_t i = 0; i < 2; ++i)
        e.insn.operand[i] = e.result_of(to.elements[i], Cell::predicate);
}

void build_set(Encoder& e) {
    build_comparison(e, 2);
    const std::string& type = e.ptx.modifiers[e.ptx.modifiers.size() - 2];
    if (type == "u32" || type == "s32" || type == "u16" || type == "s16")
        e.insn.option |= kSetInteger;
    else if (type == "f32")
        e.insn.option |= kSetFloat;
    else if (type == "f16" || type == "f16x2")
        e.insn.option |= kSetF16;
    else if (type == "bf16" || type == "bf16x2")
        e.insn.option |= kSetBf16;
    else
        throw Unsupported{""};
    e.result(0, Cell::word);
}

/// A value of a type that lies in a register of the given cell, as convert.cpp's forms have it.
Value value_of(const ptx::Type& type, Cell cell) {
    const auto kind = type.is_bfloat     ? Value::Kind::bfloat
                      : type.kind == 'f' ? Value::Kind::floating
                      : type.kind == 's' ? Value::Kind::with_sign
                                         : Value::Kind::whole;
    return {kind, static_cast<std::uint8_t>(type.kind == 'f' ? type.bits / 8 : lane_bytes(cell))};
}

void build_cvt(Encoder& e) {
    if (e.ptx.has("tf32") || e.ptx.has("pack") || e.ptx.has("e4m3x2") || e.ptx.has("e5m2x2"))
        return apply(e, row(e.ptx.full_opcode()));
    std::vector<ptx::Type> types;
    for (const auto& modifier : e.ptx.modifiers) {
        if (take_modifier(e.insn.modifiers, modifier)) continue;
        const auto type = ptx::parse_type(modifier);
        if (modifier == "relu")
            e.insn.option = kRelu;
        else if (type && type->kind != 'b' && type->kind != 'p')
            types.push_back(*type);
        else
            throw Unsupported{""};
    }
    if (types.size() != 2 || types[0].bits > 64 || types[1].bits > 64) throw Unsupported{""};
    const auto [to, from] = std::pair{types[0], types[1]};
    if (to.lanes == 2 && to.kind == 'f' && to.bits == 16 && from == ptx::Type{'f', 32}) {
        const Value half{to.is_bfloat ? Value::Kind::bfloat : Value::Kind::floating, 2};
        e.insn.execute = handler({Job::pack_halves, half, value_of(from, Cell::word)});
        e.result(0, Cell::word);
        e.source(1, Cell::word, true);
        return e.source(2, Cell::word, true);
    }
    if (to.lanes != 1 || from.lanes != 1) throw Unsupported{""};
    if (e.insn.option == kRelu && (to.kind != 'f' || to.bits != 16 || from.kind != 'f'))
        throw Unsupported{""};
    // Registers may be wider than the types: results are extended, sources cut off.
    const Cell to_cell = e.cell_of_operand(e.operand(0), cell_of(to));
    const Cell from_cell = e.cell_of_operand(e.operand(1), cell_of(from));
    const bool to_float = to.kind == 'f', from_float = from.kind == 'f';
    if ((to_float && to_cell != cell_of(to)) || (from_float && from_cell != cell_of(from)))
        throw Unsupported{"with a register of another size"};

    const auto integer = [](const ptx::Type& t) {
        return IntegerType{static_cast<std::uint8_t>(t.bits), t.kind == 's'};
    };
    e.insn.immediate = pack(integer(to), integer(from));
    // Between integers, Insn::immediate has the signs.
    const Value result = to_float ? value_of(to, to_cell) : register_value(lane_bytes(to_cell));
    const Value source =
        to_float || from_float ? value_of(from, from_cell) : register_value(lane_bytes(from_cell));
    e.insn.execute = handler({Job::convert, result, source});
    e.result(0, to_cell);
    e.source(1, from_cell, from_float && from.bits >= 32);
}

constexpr std::uint8_t kCarryIn = 1, kCarryOut = 2;

/// add.cc, addc, sub.cc, subc, mad.cc, madc. Without carries: the plain rows.
void build_carry(Encoder& e) {
    const std::string& opcode = e.ptx.opcode;
    const bool in = opcode.ends_with("c"), out = e.ptx.has("cc");
    const std::string base = opcode.substr(0, 3);
    auto modifiers = e.ptx.modifiers;
    std::erase(modifiers, "cc");
    const auto type = modifiers.empty() ? std::nullopt : ptx::parse_type(modifiers.back());
    if (!type || (type->kind != 's' && type->kind != 'u') || type->bits < 32) throw Unsupported{""};
    const bool is_mad = base == "mad";
    if (modifiers.size() != (is_mad ? 2u : 1u)) throw Unsupported{""};
    const Cell cell = cell_of(*type);
    const bool is_high = is_mad && modifiers[0] == "hi";
    if (is_mad && !is_high && modifiers[0] != "lo") throw Unsupported{""};
    const Job job = is_high         ? Job::mad_hi_carry
                    : is_mad        ? Job::mad_lo_carry
                    : base == "add" ? Job::add_carry
                                    : Job::sub_carry;
    // Only the upper half of a product depends on the sign.
    e.insn.execute =
        handler({job, is_high ? value_of(*type, cell) : register_value(lane_bytes(cell))});
    e.insn.option = static_cast<std::uint8_t>((in ? kCarryIn : 0) | (out ? kCarryOut : 0));
    const std::size_t count = is_mad ? 4 : 3;
    if (e.operand_count() != count) throw Unsupported{"with this number of operands"};
    e.result(0, cell);
    for (std::size_t i = 1; i < count; ++i) e.source(i, cell);
    e.insn.operand[count] = e.image.carry;
}

constexpr BuilderRow kCompare[] = {{"setp", build_setp, "compare.cpp"},
                                   {"set", build_set, "compare.cpp"}};
constexpr BuilderRow kConvert[] = {{"cvt", build_cvt, "convert.cpp"}};
constexpr BuilderRow kCarry[] = {
    {"addc", build_carry, "integer.cpp"},   {"subc", build_carry, "integer.cpp"},
    {"madc", build_carry, "integer.cpp"},   {"add.cc", build_carry, "integer.cpp"},
    {"sub.cc", build_carry, "integer.cpp"}, {"mad.cc", build_carry, "integer.cpp"}};

}  // namespace

Flow execute_nothing(Warp&, const Insn&, Mask) {
    return Flow::next;
}
void build_nothing(Encoder& e) {
    e.insn.execute = execute_nothing;
}

std::span<const BuilderRow> compare_builders() {
    return kCompare;
}
std::span<const BuilderRow> convert_builders() {
    return kConvert;
}
std::span<const BuilderRow> carry_builders() {
    return kCarry;
}

}  // namespace vgpu
