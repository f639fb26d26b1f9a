// cp.async: from global to shared memory past the registers. The copy is done at once, so that
// there is nothing to wait for; and the hints that say nothing about a program's results.
#include <algorithm>
#include <cstring>

#include "execute/access_events.h"
#include "execute/checked_access.h"
#include "execute/execution.h"
#include "execute/ops/table.h"
#include "memory/page_lock.h"

namespace vgpu {
namespace {

constexpr std::uint8_t kWideTarget = 1;  // the target's address register has 8-byte lanes

Addresses addresses(const Warp& w, std::uint32_t base, bool wide, std::uint64_t offset) {
    Addresses at;
    for (unsigned l = 0; l < kWarpSize; ++l)
        at.lane[l] =
            offset +
            (wide ? w.lanes<std::uint64_t>(base)[l]
                  : static_cast<std::uint64_t>(std::int64_t{w.lanes<std::int32_t>(base)[l]}));
    return at;
}

/// Operands: [4] the source's address (offset: immediate), [1] how many bytes of it are read, zeros
/// follow; [3] the target's address, [2] its offset; Insn::vector: how many bytes are written.
Flow execute_copy(Warp& w, const Insn& i, Mask active) {
    const std::uint32_t bytes = i.vector;
    const auto* wanted = w.lanes<std::uint32_t>(i.operand[1]);
    const Addresses from =
        addresses(w, i.operand[4], i.wide_address, static_cast<std::uint64_t>(i.immediate));
    const Addresses to = addresses(w, i.operand[3], i.option == kWideTarget,
                                   w.lanes<std::uint64_t>(i.operand[2])[0]);
    Mask whole = 0;
    for (Mask rest = active; rest != 0; rest &= rest - 1)
        if (const int l = __builtin_ctz(rest); wanted[l] >= bytes) whole |= Mask{1} << l;
    NewBytes new_bytes{};
    auto& data = new_bytes.lane;
    HostPointers where;
    const bool is_watched = w.execution->is_watched();
    Mask fine = active & ~whole;
    if (is_watched) tell_watchers(w, i, whole, from, bytes, Access::read, nullptr);
    if (whole != 0) fine |= locate(w, i, whole, from, bytes, Access::read, where);
    for (Mask rest = fine & whole; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const PageLock hold(w.execution->pages, where.page[l]);
        std::memcpy(data[l], where.lane[l], bytes);
    }
    for (std::uint32_t k = 0; k + 1 < bytes; ++k) {  // those that read less: byte by byte
        Mask lanes = 0;
        Addresses at = from;
        for (Mask rest = active & ~whole; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            if (k < wanted[l]) lanes |= Mask{1} << l;
            at.lane[l] += k;
        }
        if (lanes == 0) break;
        if (is_watched) tell_watchers(w, i, lanes, at, 1, Access::read, nullptr);
        const Mask read = locate(w, i, lanes, at, 1, Access::read, where);
        for (Mask rest = read; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            const PageLock hold(w.execution->pages, where.page[l]);
            data[l][k] = *where.lane[l];
        }
        fine &= ~lanes | read;
    }
    Insn store = i;
    store.space = Space::shared;
    if (is_watched) tell_watchers(w, store, fine, to, bytes, Access::write, &new_bytes);
    const Mask stored = locate(w, store, fine, to, bytes, Access::write, where);
    for (Mask rest = stored; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const PageLock hold(w.execution->pages, where.page[l]);
        std::memcpy(where.lane[l], data[l], bytes);
    }
    return stored == active ? Flow::next : Flow::stop;
}

/// cp.async.ca.shared.global [to], [from], bytes{, bytes read}{, what L2 is to keep};
/// commit_group; wait_group n; wait_all
void build_copy(Encoder& e) {
    const auto& m = e.ptx.modifiers;
    if (m.size() < 2 || m[0] != "async") throw Unsupported{""};
    if (m[1] == "mbarrier") return build_arrival_of_copies(e);
    if (m[1] == "commit_group" || m[1] == "wait_group" || m[1] == "wait_all")
        return build_nothing(e);
    const auto is_hint = [](const std::string& s) { return s.starts_with("L2::"); };
    if ((m[1] != "ca" && m[1] != "cg") || m.size() < 4 || !m[2].starts_with("shared") ||
        m[2] == "shared::cluster" || m[3] != "global" ||
        !std::all_of(m.begin() + 4, m.end(), is_hint))
        throw Unsupported{""};
    const auto& bytes = e.operand(2);
    const std::size_t count = e.operand_count() - (e.ptx.has("L2::cache_hint") ? 1 : 0);
    if (bytes.kind != ptx::Operand::Kind::immediate || count < 3 || count > 4)
        throw Unsupported{""};
    const std::uint64_t size = bytes.immediate.bits;
    if (size != 4 && size != 8 && size != 16) throw Unsupported{"of this size"};
    e.insn.execute = execute_copy;
    e.insn.vector = e.insn.access_bytes = static_cast<std::uint8_t>(size);
    e.insn.space = Space::shared;
    e.address(e.operand(0), 3);
    e.insn.operand[2] = e.constant(Cell::wide, static_cast<std::uint64_t>(e.insn.immediate));
    e.insn.option = e.insn.wide_address ? kWideTarget : 0;
    e.insn.space = Space::global;
    e.address(e.operand(1), 4);
    e.insn.operand[1] = e.source_of(count == 4 ? e.operand(3) : bytes, Cell::word);
}

}  // namespace

std::span<const BuilderRow> copy_builders() {
    static constexpr std::string_view kFile = "copies.cpp";
    static constexpr BuilderRow kBuilders[] = {{"cp", build_copy, kFile},
                                               {"discard", build_nothing, kFile},
                                               {"applypriority", build_nothing, kFile},
                                               {"griddepcontrol", build_nothing, kFile},
                                               {"pmevent", build_nothing, kFile}};
    return kBuilders;
}

}  // namespace vgpu
