// mov of registers, variables' addresses, moments and vectors; cvta and isspacep.
#include <bit>

#include "decode/clock_loops.h"
#include "decode/demangle.h"
#include "execute/clock_wait.h"
#include "execute/ops/table.h"
#include "execute/special_registers.h"
#include "memory/region.h"
#include "state/warp.h"

namespace vgpu {
namespace {

Flow execute_read_moment(Warp& w, const Insn& i, Mask active) {
    const auto& special = *reinterpret_cast<const SpecialRegister*>(i.immediate);
    const std::uint64_t jumped = w.wait.jumped;
    if (active != 0) i.option == kOnlyWaits ? pass_time(w) : note_clock_read(w);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if ((active >> lane & 1) == 0) continue;
        const std::uint64_t value = special.value(w, lane);
        if (special.cell == Cell::wide)
            w.lanes<std::uint64_t>(i.operand[0])[lane] = value;
        else
            w.lanes<std::uint32_t>(i.operand[0])[lane] = static_cast<std::uint32_t>(value);
    }
    // Where time jumps, all who wait must have a look before it jumps again.
    return i.option == kOnlyWaits && w.wait.jumped != jumped ? Flow::yield : Flow::next;
}

void build_vector_move(Encoder& e, Cell whole) {
    const auto& to = e.operand(0);
    const auto& from = e.operand(1);
    const bool packs = from.kind == ptx::Operand::Kind::tuple;
    const auto& elements = packs ? from.elements : to.elements;
    if (elements.size() > 4) throw Unsupported{"with so many elements"};
    e.insn.execute = handler({packs ? Job::pack : Job::unpack,
                              register_value(lane_bytes(whole)),
                              {},
                              static_cast<std::uint8_t>(elements.size())});
    if (packs) {
        e.result(0, whole);
        for (std::size_t k = 0; k < elements.size(); ++k)
            e.insn.operand[k + 1] = e.source_of(elements[k], Cell::word);
    } else {
        for (std::size_t k = 0; k < elements.size(); ++k)
            e.insn.operand[k] = e.result_of(elements[k], Cell::word);
        e.insn.operand[4] = e.source_of(from, whole);
    }
}

/// Operands: [0], [1] the result's halves, [2], [3] the source's, which may be the same registers.
Flow execute_move_128(Warp& w, const Insn& i, Mask active) {
    const auto* low = w.lanes<std::uint64_t>(i.operand[2]);
    const auto* high = w.lanes<std::uint64_t>(i.operand[3]);
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const std::uint64_t both[] = {low[l], high[l]};
        w.lanes<std::uint64_t>(i.operand[0])[l] = both[0];
        w.lanes<std::uint64_t>(i.operand[1])[l] = both[1];
    }
    return Flow::next;
}

/// mov.b128 between registers of 128 bits, from two of 64, and into two of 64.
void build_move_128(Encoder& e) {
    const auto parts = [&](const ptx::Operand& operand, bool is_result) -> Halves {
        if (operand.kind != ptx::Operand::Kind::tuple) return e.halves(operand);
        if (operand.elements.size() != 2) throw Unsupported{"with this number of elements"};
        Halves found{};
        for (std::size_t k = 0; k < 2; ++k)
            found[k] = is_result ? e.result_of(operand.elements[k], Cell::wide)
                                 : e.source_of(operand.elements[k], Cell::wide);
        return found;
    };
    const Halves to = parts(e.operand(0), true), from = parts(e.operand(1), false);
    e.insn.execute = execute_move_128;
    e.insn.operand = {to[0], to[1], from[0], from[1]};
}

bool is_kernel(const ptx::Module& module, const std::string& name) {
    const ptx::Function* function = module.function(name);
    return function && function->is_entry;
}

void build_mov(Encoder& e) {
    const auto type =
        e.ptx.modifiers.size() == 1 ? ptx::parse_type(e.ptx.modifiers[0]) : std::nullopt;
    if (type == ptx::Type{'b', 128}) return build_move_128(e);
    if (!type || cell_of(*type) == Cell::none) throw Unsupported{""};
    const Cell cell = cell_of(*type);
    const auto& from = e.operand(1);
    if (cell == Cell::predicate) return apply(e, row("mov.pred"));
    if (e.operand(0).kind == ptx::Operand::Kind::tuple || from.kind == ptx::Operand::Kind::tuple)
        return build_vector_move(e, cell);

    const std::string special =
        from.component.empty() ? from.text : from.text + "." + from.component;
    if (const auto* moment = special_register(special);
        moment && moment->life == SpecialLife::moment) {
        if (moment->cell != cell) throw Unsupported{"of " + special};
        e.insn.execute = execute_read_moment;
        e.insn.immediate = std::bit_cast<std::int64_t>(moment);
        e.result(0, cell);
        return;
    }
    const Symbol* symbol = from.kind == ptx::Operand::Kind::name ? e.symbol(from.text) : nullptr;
    if (!symbol && from.kind == ptx::Operand::Kind::name && is_kernel(*e.image.module, from.text))
        throw Unsupported{"of a kernel's address (" + demangle(from.text) +
                          "), with which kernels launch kernels,"};
    if (!symbol) {
        e.insn.execute = move_handler(cell);
        e.result(0, cell);
        e.source(1, cell, type->kind == 'f');
        return;
    }
    // The address of a variable, in its own state space.
    const auto value = symbol->value + static_cast<std::uint64_t>(from.name_offset);
    e.result(0, cell);
    if (symbol->in_frame) {
        if (cell != Cell::wide) throw Unsupported{"of a local variable's address to 32 bits"};
        e.insn.execute = row("add.u64").execute;
        e.insn.operand[1] = e.image.frame;
        e.insn.operand[2] = e.constant(cell, value);
    } else {
        e.insn.execute = move_handler(cell);
        e.insn.operand[1] = e.constant(cell, value);
    }
}

Address window_of(std::string_view space) {
    // Without clusters of several blocks, a cluster's shared memory is the block's own.
    if (space == "shared" || space == "shared::cta" || space == "shared::cluster")
        return kSharedWindow;
    if (space == "local") return kLocalWindow;
    if (space == "param" || space == "param::entry") return kParameterWindow;
    if (space == "global" || space == "const") return 0;
    throw Unsupported{""};
}

/// Generic addresses are those of a state space plus its window's begin.
void build_cvta(Encoder& e) {
    const bool to = e.ptx.has("to");
    const std::size_t count = to ? 3 : 2;
    if (e.ptx.modifiers.size() != count || e.ptx.modifiers.back() != "u64") throw Unsupported{""};
    const Address window = window_of(e.ptx.modifiers[count - 2]);
    e.insn.execute = row(to ? "sub.u64" : "add.u64").execute;
    e.result(0, Cell::wide);
    if (const Symbol* symbol = e.symbol(e.operand(1).text); symbol && !symbol->in_frame)
        e.insn.operand[1] = e.constant(Cell::wide, symbol->value);
    else
        e.source(1, Cell::wide);
    e.insn.operand[2] = e.constant(Cell::wide, window);
}

Flow execute_isspacep(Warp& w, const Insn& i, Mask active) {
    const auto window = static_cast<Address>(i.immediate);
    const auto* at = w.lanes<std::uint64_t>(i.operand[1]);
    Mask holds = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const Address a = at[lane];
        const bool elsewhere = a >= kSharedWindow && a < kParameterWindow + kSpaceWindowBytes;
        const bool inside = window == 0 ? !elsewhere : a - window < kSpaceWindowBytes;
        holds |= Mask{inside} << lane;
    }
    Mask& p = w.predicate(i.operand[0]);
    p = (p & ~active) | (holds & active);
    return Flow::next;
}

void build_isspacep(Encoder& e) {
    if (e.ptx.modifiers.size() != 1 || e.ptx.modifiers[0] == "const") throw Unsupported{""};
    e.insn.execute = execute_isspacep;
    e.insn.immediate = static_cast<std::int64_t>(window_of(e.ptx.modifiers[0]));
    e.result(0, Cell::predicate);
    e.source(1, Cell::wide);
}

/// What L2 is to keep: a word that only cache hints read, and they do nothing here.
void build_createpolicy(Encoder& e) {
    e.insn.execute = move_handler(Cell::wide);
    e.result(0, Cell::wide);
    e.insn.operand[1] = e.constant(Cell::wide, 0);
}

}  // namespace

std::span<const BuilderRow> move_builders() {
    static constexpr std::string_view kFile = "move_decode.cpp";
    static constexpr BuilderRow kBuilders[] = {{"mov", build_mov, kFile},
                                               {"cvta", build_cvta, kFile},
                                               {"isspacep", build_isspacep, kFile},
                                               {"createpolicy", build_createpolicy, kFile}};
    return kBuilders;
}

}  // namespace vgpu
