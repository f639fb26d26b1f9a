// Operands to offsets in the register file. See encoder.h.
#include "decode/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "decode/named_registers.h"
#include "memory/region.h"

namespace vgpu {
namespace {

std::uint64_t immediate_bits(const ptx::Immediate& immediate, Cell cell, bool is_float) {
    if (!immediate.is_float || !is_float) return immediate.bits;
    if (cell == Cell::word && immediate.float_bits == 64)
        return std::bit_cast<std::uint32_t>(
            static_cast<float>(std::bit_cast<double>(immediate.bits)));
    if (cell == Cell::wide && immediate.float_bits == 32)
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(immediate.bits))));
    return immediate.bits;
}

std::string special_name(const ptx::Operand& operand) {
    return operand.component.empty() ? operand.text : operand.text + "." + operand.component;
}

}  // namespace

std::uint32_t take_registers(Image& image, std::uint64_t bytes) {
    // Chosen: half a million registers and constants, in each warp of a block.
    constexpr std::uint64_t kMostRegisterBytes = 64 << 20;
    const std::uint32_t at = image.register_bytes;
    if (bytes > kMostRegisterBytes - at)
        throw Error(fmt::format(
            "kernel {} and what it calls have more registers and constants than the virtual GPU "
            "keeps for a warp ({} MiB)",
            image.demangled, kMostRegisterBytes >> 20));
    image.register_bytes += static_cast<std::uint32_t>(bytes);
    return at;
}

Encoder::Encoder(Image& image_, const Scope& scope_, const ptx::Instruction& instruction,
                 Insn& target)
    : ptx(instruction), insn(target), image(image_), scope(scope_) {}

const ptx::Operand& Encoder::operand(std::size_t index) const {
    if (index >= ptx.operands.size()) throw Unsupported{"with so few operands"};
    return ptx.operands[index];
}

void Encoder::result(std::size_t index, Cell cell) {
    insn.operand[index] = result_of(operand(index), cell);
}

void Encoder::source(std::size_t index, Cell cell, bool is_float) {
    insn.operand[index] = source_of(operand(index), cell, is_float);
}

std::uint32_t Encoder::result_of(const ptx::Operand& operand, Cell cell) {
    if (operand.kind == ptx::Operand::Kind::ignored) return scratch(cell);
    const auto found = scope.registers.find(operand.text);
    if (operand.kind != ptx::Operand::Kind::name || found == scope.registers.end())
        throw Unsupported{"with the result '" + operand.text + "'"};
    if (found->second.first != cell)
        throw Unsupported{"with the register " + operand.text + ", whose size does not fit"};
    return found->second.second;
}

std::uint32_t Encoder::source_of(const ptx::Operand& operand, Cell cell, bool is_float) {
    if (operand.kind == ptx::Operand::Kind::immediate)
        return constant(cell, immediate_bits(operand.immediate, cell, is_float));
    if (operand.kind != ptx::Operand::Kind::name) throw Unsupported{"with this kind of operand"};
    if (const auto found = scope.registers.find(operand.text); found != scope.registers.end()) {
        if (found->second.first != cell)
            throw Unsupported{"with the register " + operand.text + ", whose size does not fit"};
        return found->second.second;
    }
    const SpecialRegister* named = scope.instructions->special_register(special_name(operand));
    if (!named || named->life == SpecialLife::moment)
        throw Unsupported{"with the operand '" + special_name(operand) + "'"};
    return special(*named, cell);
}

Halves Encoder::halves(const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::ignored)
        return {scratch(Cell::wide), scratch(Cell::wide)};
    const auto low = scope.registers.find(operand.text + kLowerHalf);
    const auto high = scope.registers.find(operand.text + kUpperHalf);
    if (operand.kind != ptx::Operand::Kind::name || low == scope.registers.end() ||
        high == scope.registers.end())
        throw Unsupported{"with '" + operand.text + "', which is no register of 128 bits"};
    return {low->second.second, high->second.second};
}

Cell Encoder::cell_of_operand(const ptx::Operand& operand, Cell fallback) const {
    const auto found = scope.registers.find(operand.text);
    const bool is_register =
        operand.kind == ptx::Operand::Kind::name && found != scope.registers.end();
    // A predicate has 4 bytes for all lanes: no number of any width fits.
    return is_register && found->second.first != Cell::predicate ? found->second.first : fallback;
}

void Encoder::address(const ptx::Operand& operand, std::size_t slot) {
    if (operand.kind != ptx::Operand::Kind::address) throw Unsupported{"without an address"};
    const std::string& base = operand.address.base;
    insn.immediate = operand.address.offset;
    insn.wide_address = true;
    Space window = insn.space;
    if (const auto found = scope.registers.find(base); found != scope.registers.end()) {
        insn.operand[slot] = found->second.second;
        insn.wide_address = found->second.first == Cell::wide;
        if (!insn.wide_address && found->second.first != Cell::word)
            throw Unsupported{"with the address in " + base};
        // A device function's parameters lie in the thread's local memory.
        if (window == Space::parameter && !scope.function->is_entry) window = Space::local;
    } else if (const Symbol* variable = base.empty() ? nullptr : symbol(base)) {
        insn.operand[slot] = variable->in_frame ? image.frame : constant(Cell::wide, 0);
        insn.immediate += static_cast<std::int64_t>(variable->value);
        window = variable->space;
    } else if (base.empty()) {
        insn.operand[slot] = constant(Cell::wide, 0);
    } else {
        throw Unsupported{"with the address of '" + base + "'"};
    }
    if (insn.generic) {
        insn.space = window;
        // A symbol in a generic access is already an address of its own space: only global ones are
        // generic addresses too.
        return;
    }
    switch (window) {
        case Space::shared:
            insn.immediate += static_cast<std::int64_t>(kSharedWindow);
            break;
        case Space::local:
            insn.immediate += static_cast<std::int64_t>(kLocalWindow);
            break;
        case Space::parameter:
            insn.immediate += static_cast<std::int64_t>(kParameterWindow);
            break;
        default:
            break;
    }
}

std::uint32_t Encoder::append(Cell cell) {
    // Predicates of this kind are few: 64 bytes each keep everything aligned.
    return take_registers(image, cell == Cell::predicate ? 64 : register_bytes(cell));
}

std::uint32_t Encoder::constant(Cell cell, std::uint64_t bits) {
    if (cell == Cell::predicate) return bits != 0 ? image.all_true : image.all_false;
    const auto bytes = static_cast<std::uint8_t>(lane_bytes(cell));
    if (bytes == 4) bits &= 0xffff'ffff;
    auto& known = cell == Cell::wide ? image.wides : image.words;
    if (const auto found = known.find(bits); found != known.end()) return found->second;
    image.constants.push_back({append(cell), bytes, bits});
    return known[bits] = image.constants.back().offset;
}

std::uint32_t Encoder::special(const SpecialRegister& which, Cell cell) {
    const auto bytes = static_cast<std::uint8_t>(lane_bytes(cell));
    for (const auto& known : image.specials)
        if (known.special == &which && known.cell_bytes == bytes) return known.offset;
    image.specials.push_back({append(cell), bytes, &which});
    return image.specials.back().offset;
}

std::uint32_t Encoder::scratch(Cell cell) {
    return append(cell);
}

const Symbol* Encoder::symbol(const std::string& name) const {
    for (const auto* symbols : {&scope.symbols, scope.module_symbols})
        if (const auto found = symbols->find(name); found != symbols->end()) return &found->second;
    return nullptr;
}

std::uint32_t Encoder::label(const std::string& name) const {
    const auto found = scope.flow->labels.find(name);
    if (found == scope.flow->labels.end()) throw Unsupported{"to the label '" + name + "'"};
    return scope.first + found->second;
}

std::uint32_t Encoder::reconvergence() const {
    const auto node = scope.flow->node_of[insn.pc - scope.first];
    const auto meet = scope.flow->meeting_node[node];
    return meet == ControlFlow::kNoNode ? kNever : scope.first + scope.flow->nodes[meet].begin;
}

}  // namespace vgpu
