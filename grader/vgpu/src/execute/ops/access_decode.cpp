// Matches ld, ldu and st to their handlers (access_ops.cpp), and prefetch, which does nothing.
#include <algorithm>
#include <array>

#include "execute/ops/table.h"

namespace vgpu {
namespace {

/// What says how an access is ordered or cached. Without caches, and with warps that take turns,
/// all of it holds already.
bool is_hint(std::string_view modifier) {
    static constexpr std::array<std::string_view, 30> kHints{"volatile",
                                                             "relaxed",
                                                             "acquire",
                                                             "release",
                                                             "weak",
                                                             "mmio",
                                                             "cta",
                                                             "cluster",
                                                             "gpu",
                                                             "sys",
                                                             "nc",
                                                             "ca",
                                                             "cg",
                                                             "cs",
                                                             "lu",
                                                             "cv",
                                                             "wb",
                                                             "wt",
                                                             "L1::evict_normal",
                                                             "L1::evict_unchanged",
                                                             "L1::evict_first",
                                                             "L1::evict_last",
                                                             "L1::no_allocate",
                                                             "L2::cache_hint",
                                                             "L2::evict_normal",
                                                             "L2::evict_first",
                                                             "L2::evict_last",
                                                             "L2::64B",
                                                             "L2::128B",
                                                             "L2::256B"};
    return std::find(kHints.begin(), kHints.end(), modifier) != kHints.end();
}

bool is_strong(std::string_view m) {
    return m == "volatile" || m == "relaxed" || m == "acquire" || m == "release" || m == "mmio";
}

/// Takes the space, vector size and type from an access's modifiers; refuses what it does not know.
ptx::Type take_modifiers(Encoder& e) {
    std::optional<ptx::Type> type;
    e.insn.generic = true;
    for (const auto& modifier : e.ptx.modifiers) {
        const auto space = [&](Space s) {
            e.insn.space = s;
            e.insn.generic = false;
        };
        if (modifier == "global")
            space(Space::global);
        else if (modifier == "shared" || modifier == "shared::cta")
            space(Space::shared);
        else if (modifier == "local")
            space(Space::local);
        else if (modifier == "const")
            space(Space::constant);
        else if (modifier == "param" || modifier == "param::entry" || modifier == "param::func")
            space(Space::parameter);
        else if (modifier == "v2")
            e.insn.vector = 2;
        else if (modifier == "v4")
            e.insn.vector = 4;
        else if (is_hint(modifier)) {
            e.insn.strong |= is_strong(modifier);
            e.insn.releases |= modifier == "release";
        } else if (const auto parsed = ptx::parse_type(modifier); parsed && !type)
            type = parsed;
        else
            throw Unsupported{""};
    }
    if (type == ptx::Type{'b', 128} && e.insn.vector == 1) {
        e.insn.vector = 2;  // two registers of 64 bits
        e.insn.access_bytes = 16;
        return *type;
    }
    if (!type || cell_of(*type) == Cell::none || type->kind == 'p') throw Unsupported{""};
    e.insn.access_bytes = static_cast<std::uint8_t>(type->size_bytes() * e.insn.vector);
    return *type;
}

/// Places the halves of a register of 128 bits, and says what they are accessed as.
ptx::Type place_halves(Encoder& e, const ptx::Operand& operand) {
    const Halves halves = e.halves(operand);
    e.insn.operand[0] = halves[0];
    e.insn.operand[1] = halves[1];
    return {'b', 64};
}

Form load_form(Job job, const ptx::Type& type, Cell cell) {
    // Only where the register is wider than the memory does the sign matter.
    const bool is_signed = type.kind == 's' && type.size_bytes() < lane_bytes(cell);
    return {job,
            register_value(lane_bytes(cell)),
            {is_signed ? Value::Kind::with_sign : Value::Kind::whole,
             static_cast<std::uint8_t>(type.size_bytes())}};
}

const ptx::Operand& element(const ptx::Operand& operand, std::size_t index, std::size_t count) {
    if (count == 1) return operand;
    if (operand.elements.size() != count) throw Unsupported{"with this number of elements"};
    return operand.elements[index];
}

void build_ld(Encoder& e) {
    ptx::Type type = take_modifiers(e);
    const auto& to = e.operand(0);
    Cell cell = Cell::wide;
    if (type.bits == 128) {
        type = place_halves(e, to);
    } else {
        cell = e.cell_of_operand(element(to, 0, e.insn.vector), cell_of(type));
        for (std::size_t k = 0; k < e.insn.vector; ++k)
            e.insn.operand[k] = e.result_of(element(to, k, e.insn.vector), cell);
    }
    const auto& from = e.operand(1);
    const Symbol* symbol = e.symbol(from.address.base);
    if (symbol && symbol->space == Space::parameter) {
        const auto offset = static_cast<std::int64_t>(symbol->value) + from.address.offset;
        const std::int64_t bytes = type.size_bytes() * e.insn.vector;
        if (offset < 0 || offset + bytes > e.image.info.parameter_bytes)
            throw Unsupported{"outside the kernel's parameters"};
        e.insn.immediate = offset;
        e.insn.execute = handler(load_form(Job::load_parameter, type, cell));
        return;
    }
    e.address(from, 4);
    e.insn.execute = handler(load_form(Job::load, type, cell));
}

void build_st(Encoder& e) {
    ptx::Type type = take_modifiers(e);
    const auto& from = e.operand(1);
    Cell cell = Cell::wide;
    if (type.bits == 128) {
        type = place_halves(e, from);
    } else {
        cell = e.cell_of_operand(element(from, 0, e.insn.vector), cell_of(type));
        for (std::size_t k = 0; k < e.insn.vector; ++k)
            e.insn.operand[k] =
                e.source_of(element(from, k, e.insn.vector), cell, type.kind == 'f');
    }
    e.address(e.operand(0), 4);
    e.insn.execute =
        handler({Job::store, register_value(type.size_bytes()), register_value(lane_bytes(cell))});
}

}  // namespace

std::span<const BuilderRow> access_builders() {
    static constexpr std::string_view kFile = "access_decode.cpp";
    static constexpr BuilderRow kBuilders[] = {{"ld", build_ld, kFile},
                                               {"ldu", build_ld, kFile},
                                               {"st", build_st, kFile},
                                               {"prefetch", build_nothing, kFile},
                                               {"prefetchu", build_nothing, kFile}};
    return kBuilders;
}

}  // namespace vgpu
