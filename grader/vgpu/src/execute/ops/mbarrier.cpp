// mbarrier: a barrier that is an object in shared memory, which cuda::barrier and cuda::pipeline
// are made of. Threads arrive, go on with other work, and ask later whether the phase is over.
//
// What lies in the 64 bits is the implementation's own business. Here:
//
//     bits 0 to 19   how many arrivals a phase needs
//          20 to 39  how many of them are still to come
//          40 to 63  the number of the phase
//
// For the race check an arrival is an atomic operation that releases, and a wait that succeeds is a
// read of that flag. Operands: [0] result, [1] count, state or parity, [4] the object's address.
#include <algorithm>
#include <array>
#include <cstring>

#include "execute/access_events.h"
#include "execute/checked_access.h"
#include "execute/execution.h"
#include "execute/ops/table.h"
#include "memory/page_lock.h"

namespace vgpu {
namespace {

constexpr std::uint64_t kCountMask = (1 << 20) - 1;
constexpr unsigned kPendingAt = 20, kPhaseAt = 40;

/// Insn::option.
constexpr std::uint8_t kDrops = 1, kByParity = 2;

struct Object {
    std::uint64_t expected = 0, pending = 0, phase = 0;

    explicit Object(std::uint64_t bits)
        : expected(bits & kCountMask),
          pending(bits >> kPendingAt & kCountMask),
          phase(bits >> kPhaseAt) {}
    std::uint64_t bits() const {
        return (expected & kCountMask) | (pending & kCountMask) << kPendingAt | phase << kPhaseAt;
    }
    void arrive(std::uint64_t count) {
        pending -= std::min(count, pending);
        if (pending != 0) return;
        ++phase;
        pending = expected;
    }
};

Addresses addresses(const Warp& w, const Insn& i) {
    Addresses at;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const std::uint64_t base =
            i.wide_address
                ? w.lanes<std::uint64_t>(i.operand[4])[l]
                : static_cast<std::uint64_t>(std::int64_t{w.lanes<std::int32_t>(i.operand[4])[l]});
        at.lane[l] = base + static_cast<std::uint64_t>(i.immediate);
    }
    return at;
}

Object load(const HostPointers& where, int lane) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, where.lane[lane], sizeof bits);
    return Object(bits);
}

/// Where the objects of an instruction that changes them are; the lanes whose address is good.
Mask locate_changed(Warp& w, const Insn& i, Mask active, HostPointers& where) {
    const Addresses at = addresses(w, i);
    if (w.execution->is_watched())
        tell_watchers(w, i, active, at, sizeof(std::uint64_t), Access::atomic, nullptr);
    w.execution->atomic_changes += lane_count(active);
    return locate(w, i, active, at, sizeof(std::uint64_t), Access::atomic, where);
}

Flow execute_init(Warp& w, const Insn& i, Mask active) {
    HostPointers where;
    const Mask fine = locate_changed(w, i, active, where);
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        Object object(0);
        object.expected = object.pending = w.lanes<std::uint32_t>(i.operand[1])[l];
        const std::uint64_t bits = object.bits();
        std::memcpy(where.lane[l], &bits, sizeof bits);
    }
    return fine == active ? Flow::next : Flow::stop;
}

Flow execute_arrive(Warp& w, const Insn& i, Mask active) {
    HostPointers where;
    const Mask fine = locate_changed(w, i, active, where);
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        Object object = load(where, l);
        const std::uint64_t before = object.bits();
        const std::uint64_t count = w.lanes<std::uint32_t>(i.operand[1])[l];
        if ((i.option & kDrops) != 0) object.expected -= std::min(count, object.expected);
        object.arrive(count);
        const std::uint64_t bits = object.bits();
        std::memcpy(where.lane[l], &bits, sizeof bits);
        w.lanes<std::uint64_t>(i.operand[0])[l] = before;
    }
    return fine == active ? Flow::next : Flow::stop;
}

/// test_wait, and try_wait, which may wait a little: other warps get a turn either way.
Flow execute_wait(Warp& w, const Insn& i, Mask active) {
    const Addresses at = addresses(w, i);
    HostPointers where;
    const Mask fine = locate(w, i, active, at, sizeof(std::uint64_t), Access::read, where);
    Mask over = 0;
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const Object object = load(where, l);
        const bool is_over =
            (i.option & kByParity) != 0
                ? (object.phase & 1) != (w.lanes<std::uint32_t>(i.operand[1])[l] & 1)
                : object.phase != Object(w.lanes<std::uint64_t>(i.operand[1])[l]).phase;
        if (is_over) over |= Mask{1} << l;
    }
    if (w.execution->is_watched() && over != 0)
        tell_watchers(w, i, over, at, sizeof(std::uint64_t), Access::read, nullptr);
    Mask& p = w.predicate(i.operand[0]);
    p = (p & ~active) | over;
    if (fine != active) return Flow::stop;
    return over == active ? Flow::next : Flow::yield;
}

Flow execute_pending(Warp& w, const Insn& i, Mask active) {
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        w.lanes<std::uint32_t>(i.operand[0])[l] =
            static_cast<std::uint32_t>(Object(w.lanes<std::uint64_t>(i.operand[1])[l]).pending);
    }
    return Flow::next;
}

void place_object(Encoder& e, std::size_t operand) {
    const auto& m = e.ptx.modifiers;
    const auto is_shared = [](const std::string& s) { return s == "shared" || s == "shared::cta"; };
    const bool is_named = std::any_of(m.begin(), m.end(), is_shared);
    if (std::find(m.begin(), m.end(), "shared::cluster") != m.end()) throw Unsupported{""};
    e.insn.space = Space::shared;
    e.insn.generic = !is_named;
    e.address(e.operand(operand), 4);
    e.insn.generic = false;  // however its address is written, the object lies in shared memory
    e.insn.access_bytes = sizeof(std::uint64_t);
    e.insn.strong = e.insn.releases = true;
}

void build_arrive(Encoder& e) {
    const bool has_result = e.operand(0).kind != ptx::Operand::Kind::address;
    const std::size_t object = has_result ? 1 : 0;
    e.insn.execute = execute_arrive;
    e.insn.operand[0] = has_result ? e.result_of(e.operand(0), Cell::wide) : e.scratch(Cell::wide);
    e.insn.operand[1] = e.operand_count() > object + 1
                            ? e.source_of(e.operand(object + 1), Cell::word)
                            : e.constant(Cell::word, 1);
    place_object(e, object);
}

/// mbarrier.OPERATION{...}.b64
void build_mbarrier(Encoder& e) {
    const std::string_view operation =
        e.ptx.modifiers.empty() ? std::string_view() : e.ptx.modifiers[0];
    if (operation == "init") {
        e.insn.execute = execute_init;
        e.insn.operand[1] = e.source_of(e.operand(1), Cell::word);
        place_object(e, 0);
        e.insn.overwrites = true;
    } else if (operation == "inval") {
        e.insn.execute = execute_nothing;
    } else if (operation == "arrive" || operation == "arrive_drop") {
        // expect_tx counts bytes that the tensor memory accelerator brings, which is not there.
        if (e.ptx.has("expect_tx")) throw Unsupported{""};
        build_arrive(e);
        if (operation == "arrive_drop") e.insn.option = kDrops;
    } else if (operation == "test_wait" || operation == "try_wait") {
        const bool by_parity = e.ptx.has("parity");
        e.insn.execute = execute_wait;
        e.result(0, Cell::predicate);
        e.insn.operand[1] = e.source_of(e.operand(2), by_parity ? Cell::word : Cell::wide);
        e.insn.option = by_parity ? kByParity : 0;
        place_object(e, 1);
        e.insn.releases = false;
    } else if (operation == "pending_count") {
        e.insn.execute = execute_pending;
        e.result(0, Cell::word);
        e.insn.operand[1] = e.source_of(e.operand(1), Cell::wide);
    } else {
        throw Unsupported{""};
    }
}

}  // namespace

/// cp.async.mbarrier.arrive{.noinc}: the copies of this thread are over already, so without .noinc,
/// which counts the arrival beforehand, nothing is left to do.
void build_arrival_of_copies(Encoder& e) {
    if (e.ptx.has("noinc")) return build_arrive(e);
    e.insn.execute = execute_nothing;
}

std::span<const BuilderRow> mbarrier_builders() {
    static constexpr std::string_view kFile = "mbarrier.cpp";
    static constexpr BuilderRow kBuilders[] = {{"mbarrier", build_mbarrier, kFile}};
    return kBuilders;
}

}  // namespace vgpu
