// atom and red: read, change and write back, one lane after the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "execute/access_events.h"
#include "execute/checked_access.h"
#include "execute/execution.h"
#include "execute/ops/atomic_places.h"
#include "execute/ops/half.h"
#include "execute/ops/table.h"
#include "memory/page_lock.h"
#include "profile/access_cost.h"

namespace vgpu {
namespace {

// (old, b, c) -> new
template <class T>
T add(T old, T b, T) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(old + b);  // T is unsigned
    else if constexpr (is_half<T>)
        return narrow<T>(double(old) + double(b));
    else
        return old + b;
}
/// Sums in global memory take subnormal numbers for zeros, as an H200 does; in shared memory they
/// are sums like any other (PTX ISA, "atom").
float without_subnormal(float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}
float add_globally(float old, float b, float) {
    return without_subnormal(without_subnormal(old) + without_subnormal(b));
}
template <class H>
Pair<H> add_pair(Pair<H> old, Pair<H> b, Pair<H>) {
    return {add(old.lo, b.lo, b.lo), add(old.hi, b.hi, b.hi)};
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

/// A lane of the register that holds a T.
template <class T>
using InRegister = std::conditional_t<std::is_arithmetic_v<T> && sizeof(T) >= 4, T, std::uint32_t>;

/// [4]: the base address.
void addresses(Warp& w, const Insn& i, Addresses& at) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const std::uint64_t base =
            i.wide_address
                ? w.lanes<std::uint64_t>(i.operand[4])[l]
                : static_cast<std::uint64_t>(std::int64_t{w.lanes<std::int32_t>(i.operand[4])[l]});
        at.lane[l] = base + static_cast<std::uint64_t>(i.immediate);
    }
}

/// Calls `visit(piece, lanes)` for each piece of memory that lanes hit (HotAddresses::piece_of).
template <class Visit>
void by_piece(Mask lanes, const Addresses& at, Visit visit) {
    struct Group {
        Address piece;
        Mask lanes;
    };
    std::array<Group, kWarpSize> groups;
    std::size_t count = 0;
    // Where to look for a piece's group first: its number, plus 1.
    constexpr unsigned kBits = 6;
    std::array<std::uint8_t, std::size_t{1} << kBits> first{};
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        const Address piece = HotAddresses::piece_of(at.lane[l]);
        auto slot = static_cast<std::size_t>(piece * 0x9e37'79b9'7f4a'7c15 >> (64 - kBits));
        while (first[slot] != 0 && groups[first[slot] - 1u].piece != piece)
            slot = (slot + 1) % first.size();
        if (first[slot] == 0) {
            groups[count] = {piece, 0};
            first[slot] = static_cast<std::uint8_t>(++count);
        }
        groups[first[slot] - 1u].lanes |= Mask{1} << l;
    }
    for (std::size_t k = 0; k < count; ++k) visit(groups[k].piece, groups[k].lanes);
}

/// Remembers which addresses of global memory were hit, and how they queue up.
void count_addresses(Warp& w, const Insn& i, Mask lanes, const Addresses& at) {
    Mask global = 0;
    for (unsigned l = 0; l < kWarpSize; ++l)
        global |= Mask{at.lane[l] >= kWindowBegin && at.lane[l] < kWindowEnd} << l;
    lanes &= global;
    if (lanes == 0) return;
    const Address first = at.lane[__builtin_ctz(lanes)];
    Mask same = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) same |= Mask{at.lane[l] == first} << l;
    const std::uint32_t met = lane_count(lanes & same);
    HotAddresses& hot = w.execution->atomics;
    hot.add(first, met, i.one_by_one);
    const Mask others = lanes & ~same;
    for (Mask rest = others; rest != 0; rest &= rest - 1)
        hot.add(at.lane[__builtin_ctz(rest)], 1, i.one_by_one);
    // Integers of a whole warp at one address are joined into one before they leave it.
    if (others == 0) return hot.queue(first, i.one_by_one ? met : 1);
    by_piece(lanes, at, [&](Address piece, Mask here) {
        if ((here & (here - 1)) == 0) return hot.queue(piece, 1);
        std::array<std::uint32_t, kWarpSize> distance;
        for (unsigned l = 0; l < kWarpSize; ++l)
            distance[l] = static_cast<std::uint32_t>(at.lane[l] - piece);
        hot.queue(piece, sectors_one_by_one(distance.data(), here));
    });
}

/// Finds what the lanes are to change, and counts it: those that may go on.
Mask places(Warp& w, const Insn& i, Mask active, const Addresses& at, std::uint32_t bytes,
            HostPointers& where) {
    static const PlaceAtomics kShortWay = atomic_places();
    if (w.execution->is_watched()) tell_watchers(w, i, active, at, bytes, Access::atomic, nullptr);
    const Mask fine = kShortWay(w, i, active, at, bytes, where)
                          ? active
                          : locate(w, i, active, at, bytes, Access::atomic, where);
    count_addresses(w, i, fine, at);
    return fine;
}

/// Operands: [0] the old value, [2] b, [3] c, [4] the address.
template <class T, T (*change)(T, T, T), T (*change_globally)(T, T, T) = change>
Flow execute_atomic(Warp& w, const Insn& i, Mask active) {
    using R = InRegister<T>;
    Addresses at;
    addresses(w, i, at);
    HostPointers where;
    const Mask fine = places(w, i, active, at, sizeof(T), where);
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const PageLock hold(w.execution->pages, where.page[l]);
        T old;
        std::memcpy(&old, where.lane[l], sizeof old);
        const T b = T(w.lanes<R>(i.operand[2])[l]), c = T(w.lanes<R>(i.operand[3])[l]);
        const bool is_global = change != change_globally && !is_of_block(at.lane[l]);
        const T changed = is_global ? change_globally(old, b, c) : change(old, b, c);
        std::memcpy(where.lane[l], &changed, sizeof changed);
        w.execution->atomic_changes += std::memcmp(&changed, &old, sizeof old) != 0;
        w.lanes<R>(i.operand[0])[l] = R(old);
    }
    return fine == active ? Flow::next : Flow::stop;
}

/// Several elements that lie side by side: Image::operand_lists[target] has the registers of the
/// old values, then those of what is added.
Flow execute_vector_add(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    addresses(w, i, at);
    HostPointers where;
    const std::uint32_t bytes = 4u * i.vector;
    const Mask fine = places(w, i, active, at, bytes, where);
    w.execution->atomic_changes += lane_count(fine);
    const auto& operands = w.execution->image.operand_lists[i.target];
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const PageLock hold(w.execution->pages, where.page[l]);
        // All are read before one is written: results may stand where operands stood.
        float old[4], sum[4];
        std::memcpy(old, where.lane[l], bytes);
        for (std::size_t k = 0; k < i.vector; ++k)
            sum[k] = old[k] + w.lanes<float>(operands[i.vector + k])[l];
        std::memcpy(where.lane[l], sum, bytes);
        for (std::size_t k = 0; k < i.vector; ++k) w.lanes<float>(operands[k])[l] = old[k];
    }
    return fine == active ? Flow::next : Flow::stop;
}

/// exch.b128 and cas.b128. Image::operand_lists[target] has the registers of the old value's
/// halves, of what is stored, and, if `compares`, of what must be there for it.
template <bool compares>
Flow execute_atomic_128(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    addresses(w, i, at);
    HostPointers where;
    const Mask fine = places(w, i, active, at, 16, where);
    w.execution->atomic_changes += lane_count(fine);
    const auto& operands = w.execution->image.operand_lists[i.target];
    const auto lanes = [&](std::size_t k) { return w.lanes<std::uint64_t>(operands[k]); };
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const PageLock hold(w.execution->pages, where.page[l]);
        std::uint64_t old[2];
        std::memcpy(old, where.lane[l], sizeof old);
        const std::uint64_t stored[] = {lanes(2)[l], lanes(3)[l]};
        if (!compares || (old[0] == lanes(4)[l] && old[1] == lanes(5)[l]))
            std::memcpy(where.lane[l], stored, sizeof stored);
        lanes(0)[l] = old[0];
        lanes(1)[l] = old[1];
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
    {"add.f32", execute_atomic<float, add, add_globally>},
    {"add.f64", execute_atomic<double, add>},
    {"exch.f32", execute_atomic<std::uint32_t, exchange>},
    {"add.noftz.f16", execute_atomic<f16, add>},
    {"add.noftz.bf16", execute_atomic<bf16, add>},
    {"add.noftz.f16x2", execute_atomic<Pair<f16>, add_pair>},
    {"add.noftz.bf16x2", execute_atomic<Pair<bf16>, add_pair>},
    {"cas.b16", execute_atomic<std::uint16_t, compare_and_swap>},
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

/// add.v2.f32 and add.v4.f32
void build_vector_add(Encoder& e, std::size_t elements, std::size_t count) {
    const std::size_t first = e.ptx.opcode == "atom" ? 1 : 0;
    std::vector<std::uint32_t> operands;
    const auto& from = e.operand(first + 1);
    if (from.elements.size() != elements || count != first + 2)
        throw Unsupported{"with this number of elements"};
    for (std::size_t k = 0; k < elements; ++k)
        operands.push_back(first == 1 && e.operand(0).elements.size() == elements
                               ? e.result_of(e.operand(0).elements[k], Cell::word)
                               : e.scratch(Cell::word));
    for (const auto& element : from.elements)
        operands.push_back(e.source_of(element, Cell::word, true));
    e.address(e.operand(first), 4);
    e.insn.vector = static_cast<std::uint8_t>(elements);
    e.insn.execute = execute_vector_add;
    e.insn.target = static_cast<std::uint32_t>(e.image.operand_lists.size());
    e.image.operand_lists.push_back(std::move(operands));
}

void build_atomic_128(Encoder& e, bool compares, std::size_t count) {
    if (e.ptx.opcode != "atom" || count != (compares ? 4 : 3))
        throw Unsupported{"with this number of operands"};
    std::vector<std::uint32_t> operands;
    const auto add = [&](std::size_t which) {
        const Halves halves = e.halves(e.operand(which));
        operands.insert(operands.end(), halves.begin(), halves.end());
    };
    add(0);
    add(compares ? 3 : 2);
    if (compares) add(2);
    e.address(e.operand(1), 4);
    e.insn.strong = true;
    e.insn.access_bytes = 16;
    e.insn.execute = compares ? execute_atomic_128<true> : execute_atomic_128<false>;
    e.insn.target = static_cast<std::uint32_t>(e.image.operand_lists.size());
    e.image.operand_lists.push_back(std::move(operands));
}

void build_atomic(Encoder& e) {
    e.insn.generic = true;
    std::size_t count = e.operand_count();
    std::string name;
    for (const auto& modifier : e.ptx.modifiers) {
        if (modifier == "global" || modifier.starts_with("shared")) {
            if (modifier == "shared::cluster") throw Unsupported{""};
            e.insn.generic = false;
            e.insn.space = modifier == "global" ? Space::global : Space::shared;
        } else if (is_ordering(modifier)) {
            e.insn.releases |= modifier == "release" || modifier == "acq_rel";
            e.insn.in_block |= modifier == "cta";
        } else if (modifier == "L2::cache_hint") {
            --count;  // the last operand says what L2 is to keep, which changes no result
        } else {
            name += (name.empty() ? "" : ".") + modifier;
        }
    }
    if (name == "add.v2.f32") return build_vector_add(e, 2, count);
    if (name == "add.v4.f32") return build_vector_add(e, 4, count);
    if (name == "exch.b128") return build_atomic_128(e, false, count);
    if (name == "cas.b128") return build_atomic_128(e, true, count);
    const auto found = std::find_if(std::begin(kOperations), std::end(kOperations),
                                    [&](const Operation& o) { return o.name == name; });
    const auto type = ptx::parse_type(name.substr(name.rfind('.') + 1));
    if (found == std::end(kOperations) || !type) throw Unsupported{""};
    e.insn.execute = found->execute;
    e.insn.strong = true;
    // An H200 does the largest of 64 bits 0.73 ns a lane at one address, whole warps or not.
    const bool is_extreme = found->name.starts_with("max") || found->name.starts_with("min");
    e.insn.one_by_one = type->kind == 'f' || (type->bits == 64 && is_extreme);
    e.insn.access_bytes = static_cast<std::uint8_t>(type->size_bytes());
    const Cell cell = cell_of(*type);
    const bool is_float = type->kind == 'f' && type->bits >= 32;
    const std::size_t first = e.ptx.opcode == "atom" ? 1 : 0;
    e.insn.operand[0] = first == 1 ? e.result_of(e.operand(0), cell) : e.scratch(cell);
    e.address(e.operand(first), 4);
    e.insn.operand[2] = e.source_of(e.operand(first + 1), cell, is_float);
    const bool has_c = name.starts_with("cas");
    if (count != first + (has_c ? 3 : 2)) throw Unsupported{"with this number of operands"};
    e.insn.operand[3] = has_c ? e.source_of(e.operand(first + 2), cell) : e.insn.operand[2];
}

}  // namespace

std::span<const BuilderRow> atomic_builders() {
    static constexpr std::string_view kFile = "atomics.cpp";
    static constexpr BuilderRow kBuilders[] = {{"atom", build_atomic, kFile},
                                               {"red", build_atomic, kFile}};
    return kBuilders;
}

}  // namespace vgpu
