// atom and red: read, change and write back, one lane after the other.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "vgpu/insns/table.h"
#include "vgpu/machine/access.h"
#include "vgpu/machine/execution.h"
#include "vgpu/machine/shading.h"

namespace vgpu {
namespace {

constexpr std::string_view kFile = "atomics.cpp";

// (old, b, c) -> new
template <class T>
T add(T old, T b, T) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(old + b);  // T is unsigned
    else
        return old + b;
}
template <class T>
T min(T old, T b, T) {
    return std::min(old, b);
}
template <class T>
T max(T old, T b, T) {
    return std::max(old, b);
}
template <class T>
T bit_and(T old, T b, T) {
    return old & b;
}
template <class T>
T bit_or(T old, T b, T) {
    return old | b;
}
template <class T>
T bit_xor(T old, T b, T) {
    return old ^ b;
}
template <class T>
T exchange(T, T b, T) {
    return b;
}
template <class T>
T compare_and_swap(T old, T b, T c) {
    return old == b ? c : old;
}
template <class T>
T increase(T old, T b, T) {
    return old >= b ? 0 : old + 1;
}
template <class T>
T decrease(T old, T b, T) {
    return old == 0 || old > b ? b : old - 1;
}

/// Operands: [0] the old value, [2] b, [3] c, [4] the address.
template <class T, T (*change)(T, T, T)>
Flow execute_atomic(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const std::uint64_t base =
            i.wide_address
                ? w.lanes<std::uint64_t>(i.operand[4])[l]
                : static_cast<std::uint64_t>(std::int64_t{w.lanes<std::int32_t>(i.operand[4])[l]});
        at.lane[l] = base + static_cast<std::uint64_t>(i.immediate);
    }
    if (w.execution->witness) witness_access(w, i, active, at, sizeof(T), Access::atomic, nullptr);
    HostPointers where;
    const Mask fine = locate(w, i, active, at, sizeof(T), Access::atomic, where);
    const Region* region = w.memo[i.pc];
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const bool known = region && region->contains(at.lane[l], sizeof(T));
        const Hold hold(*w.execution, known ? *region : w.block->shared,
                        known ? at.lane[l] - region->base : 0, sizeof(T));
        T old;
        std::memcpy(&old, where.lane[l], sizeof old);
        const T changed = change(old, w.lanes<T>(i.operand[2])[l], w.lanes<T>(i.operand[3])[l]);
        std::memcpy(where.lane[l], &changed, sizeof changed);
        w.lanes<T>(i.operand[0])[l] = old;
    }
    return fine == active ? Flow::next : Flow::stop;
}

struct Operation {
    std::string_view name;
    Handler execute;
};

#define FOR(T, type)                                                              \
    {"add." type, execute_atomic<T, add>}, {"min." type, execute_atomic<T, min>}, \
        {"max." type, execute_atomic<T, max>}, {                                  \
        "exch." type, execute_atomic<T, exchange>                                 \
    }
#define BITS(T, type)                                                                             \
    {"and." type, execute_atomic<T, bit_and>}, {"or." type, execute_atomic<T, bit_or>},           \
        {"xor." type, execute_atomic<T, bit_xor>}, {"exch." type, execute_atomic<T, exchange>}, { \
        "cas." type, execute_atomic<T, compare_and_swap>                                          \
    }

constexpr Operation kOperations[] = {
    FOR(std::uint32_t, "u32"),
    FOR(std::uint64_t, "u64"),
    BITS(std::uint32_t, "b32"),
    BITS(std::uint64_t, "b64"),
    BITS(std::uint32_t, "u32"),
    BITS(std::uint64_t, "u64"),
    BITS(std::uint32_t, "s32"),
    {"add.s32", execute_atomic<std::uint32_t, add>},
    {"add.s64", execute_atomic<std::uint64_t, add>},
    {"min.s32", execute_atomic<std::int32_t, min>},
    {"max.s32", execute_atomic<std::int32_t, max>},
    {"min.s64", execute_atomic<std::int64_t, min>},
    {"max.s64", execute_atomic<std::int64_t, max>},
    {"add.f32", execute_atomic<float, add>},
    {"add.f64", execute_atomic<double, add>},
    {"exch.f32", execute_atomic<std::uint32_t, exchange>},
    {"inc.u32", execute_atomic<std::uint32_t, increase>},
    {"dec.u32", execute_atomic<std::uint32_t, decrease>},
};
#undef FOR
#undef BITS

bool is_ordering(std::string_view m) {
    static constexpr std::array<std::string_view, 8> kOrdering{
        "relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys"};
    return std::find(kOrdering.begin(), kOrdering.end(), m) != kOrdering.end();
}

void build_atomic(Encoder& e) {
    e.insn.generic = true;
    std::string name;
    for (const auto& modifier : e.ptx.modifiers) {
        if (modifier == "global" || modifier.starts_with("shared")) {
            if (modifier != "global" && modifier != "shared" && modifier != "shared::cta")
                throw Unsupported{""};
            e.insn.generic = false;
            e.insn.space = modifier == "global" ? Space::global : Space::shared;
        } else if (is_ordering(modifier)) {
            e.insn.releases |= modifier == "release" || modifier == "acq_rel";
        } else {
            name += (name.empty() ? "" : ".") + modifier;
        }
    }
    const auto found = std::find_if(std::begin(kOperations), std::end(kOperations),
                                    [&](const Operation& o) { return o.name == name; });
    const auto type = ptx::parse_type(name.substr(name.rfind('.') + 1));
    if (found == std::end(kOperations) || !type) throw Unsupported{""};
    e.insn.execute = found->execute;
    e.insn.strong = true;
    e.insn.access_bytes = static_cast<std::uint8_t>(type->size_bytes());
    const Cell cell = cell_of(*type);
    const bool is_float = type->kind == 'f';
    const std::size_t first = e.ptx.opcode == "atom" ? 1 : 0;
    e.insn.operand[0] = first == 1 ? e.result_of(e.operand(0), cell) : e.scratch(cell);
    e.address(e.operand(first), 4);
    e.insn.operand[2] = e.source_of(e.operand(first + 1), cell, is_float);
    const bool has_c = name.starts_with("cas");
    if (e.operand_count() != first + (has_c ? 3 : 2))
        throw Unsupported{"with this number of operands"};
    e.insn.operand[3] = has_c ? e.source_of(e.operand(first + 2), cell) : e.insn.operand[2];
}

constexpr BuilderRow kBuilders[] = {{"atom", build_atomic, kFile}, {"red", build_atomic, kFile}};

}  // namespace

std::span<const BuilderRow> atomic_builders() {
    return kBuilders;
}

}  // namespace vgpu
