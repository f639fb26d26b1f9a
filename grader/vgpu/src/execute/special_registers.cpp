// Special registers, one row each. A new one is a row here.
#include "execute/special_registers.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "execute/block.h"
#include "execute/clock_wait.h"
#include "execute/execution.h"

namespace vgpu {
namespace {

using Life = SpecialLife;
using Value = std::uint64_t;

const Launch& launch(const Warp& w) {
    return w.execution->launch;
}
Value clock(const Warp& w, unsigned) {
    return clock_of(w);
}
/// Nanoseconds since an arbitrary moment: one a warp instruction, so that runs are repeatable.
Value globaltimer(const Warp& w, unsigned) {
    return clock_of(w);
}

constexpr Mask below(unsigned lane) {
    return (Mask{1} << lane) - 1;
}

constexpr Value zero(const Warp&, unsigned) {
    return 0;
}
constexpr Value one(const Warp&, unsigned) {
    return 1;
}

Value reserved_shared(const Warp& w, unsigned) {
    return w.execution->image.reserved_shared_bytes;
}

constexpr std::array kRegisters{
    SpecialRegister{"%tid.x", Cell::word, Life::launch,
                    [](const Warp& w, unsigned l) -> Value { return thread_of(w, l).x; }},
    SpecialRegister{"%tid.y", Cell::word, Life::launch,
                    [](const Warp& w, unsigned l) -> Value { return thread_of(w, l).y; }},
    SpecialRegister{"%tid.z", Cell::word, Life::launch,
                    [](const Warp& w, unsigned l) -> Value { return thread_of(w, l).z; }},
    SpecialRegister{"%ntid.x", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).block.x; }},
    SpecialRegister{"%ntid.y", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).block.y; }},
    SpecialRegister{"%ntid.z", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).block.z; }},
    SpecialRegister{"%ctaid.x", Cell::word, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->index.x; }},
    SpecialRegister{"%ctaid.y", Cell::word, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->index.y; }},
    SpecialRegister{"%ctaid.z", Cell::word, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->index.z; }},
    SpecialRegister{"%nctaid.x", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).grid.x; }},
    SpecialRegister{"%nctaid.y", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).grid.y; }},
    SpecialRegister{"%nctaid.z", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).grid.z; }},
    SpecialRegister{"%laneid", Cell::word, Life::launch,
                    [](const Warp&, unsigned l) -> Value { return l; }},
    SpecialRegister{"%warpid", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return w.index; }},
    SpecialRegister{"%nwarpid", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return w.block->warps.size(); }},
    SpecialRegister{"%lanemask_eq", Cell::word, Life::launch,
                    [](const Warp&, unsigned l) -> Value { return Mask{1} << l; }},
    SpecialRegister{"%lanemask_lt", Cell::word, Life::launch,
                    [](const Warp&, unsigned l) -> Value { return below(l); }},
    SpecialRegister{"%lanemask_le", Cell::word, Life::launch,
                    [](const Warp&, unsigned l) -> Value { return below(l) | Mask{1} << l; }},
    SpecialRegister{"%lanemask_gt", Cell::word, Life::launch,
                    [](const Warp&, unsigned l) -> Value { return ~(below(l) | Mask{1} << l); }},
    SpecialRegister{"%lanemask_ge", Cell::word, Life::launch,
                    [](const Warp&, unsigned l) -> Value { return ~below(l); }},
    SpecialRegister{"%smid", Cell::word, Life::launch,
                    [](const Warp&, unsigned) -> Value { return 0; }},  // one block runs at a time
    SpecialRegister{"%nsmid", Cell::word, Life::launch,
                    [](const Warp&, unsigned) -> Value { return 1; }},
    SpecialRegister{"%gridid", Cell::wide, Life::launch,
                    [](const Warp&, unsigned) -> Value { return 0; }},
    SpecialRegister{
        "%dynamic_smem_size", Cell::word, Life::launch,
        [](const Warp& w, unsigned) -> Value { return launch(w).dynamic_shared_bytes; }},
    SpecialRegister{"%total_smem_size", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value {
                        return w.block->shared.size_bytes - reserved_shared(w, 0);
                    }},
    SpecialRegister{"%reserved_smem_offset_begin", Cell::word, Life::launch, zero},
    SpecialRegister{"%reserved_smem_offset_end", Cell::word, Life::launch, reserved_shared},
    SpecialRegister{"%reserved_smem_offset_cap", Cell::word, Life::launch, reserved_shared},
    // Where tiles of more than a warp have their barriers and exchange values, 288 bytes at most.
    SpecialRegister{"%reserved_smem_offset_1", Cell::word, Life::launch, zero},
    SpecialRegister{"%aggr_smem_size", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return w.block->shared.size_bytes; }},
    // Where cooperative_groups.h looks for the words behind grid.sync(); null: no such launch.
    SpecialRegister{"%envreg1", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) { return w.execution->grid_workspace >> 32; }},
    SpecialRegister{"%envreg2", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) { return w.execution->grid_workspace; }},
    // Not PTX's: where the stack that alloca uses begins.
    SpecialRegister{"%local_end", Cell::wide, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->local.bytes_a_thread; }},
    // A launch without clusters: each block is one.
    SpecialRegister{"%clusterid.x", Cell::word, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->index.x; }},
    SpecialRegister{"%clusterid.y", Cell::word, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->index.y; }},
    SpecialRegister{"%clusterid.z", Cell::word, Life::block,
                    [](const Warp& w, unsigned) -> Value { return w.block->index.z; }},
    SpecialRegister{"%nclusterid.x", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).grid.x; }},
    SpecialRegister{"%nclusterid.y", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).grid.y; }},
    SpecialRegister{"%nclusterid.z", Cell::word, Life::launch,
                    [](const Warp& w, unsigned) -> Value { return launch(w).grid.z; }},
    SpecialRegister{"%cluster_ctaid.x", Cell::word, Life::launch, zero},
    SpecialRegister{"%cluster_ctaid.y", Cell::word, Life::launch, zero},
    SpecialRegister{"%cluster_ctaid.z", Cell::word, Life::launch, zero},
    SpecialRegister{"%cluster_nctaid.x", Cell::word, Life::launch, one},
    SpecialRegister{"%cluster_nctaid.y", Cell::word, Life::launch, one},
    SpecialRegister{"%cluster_nctaid.z", Cell::word, Life::launch, one},
    SpecialRegister{"%cluster_ctarank", Cell::word, Life::launch, zero},
    SpecialRegister{"%cluster_nctarank", Cell::word, Life::launch, one},
    SpecialRegister{"%clock", Cell::word, Life::moment, clock},
    SpecialRegister{"%clock_hi", Cell::word, Life::moment,
                    [](const Warp& w, unsigned l) -> Value { return clock(w, l) >> 32; }},
    SpecialRegister{"%clock64", Cell::wide, Life::moment, clock},
    SpecialRegister{"%globaltimer", Cell::wide, Life::moment, globaltimer},
    SpecialRegister{"%globaltimer_lo", Cell::word, Life::moment, globaltimer},
    SpecialRegister{"%globaltimer_hi", Cell::word, Life::moment,
                    [](const Warp& w, unsigned l) -> Value { return globaltimer(w, l) >> 32; }},
};

}  // namespace

const SpecialRegister* special_register(std::string_view name) {
    const auto found = std::find_if(kRegisters.begin(), kRegisters.end(),
                                    [&](const SpecialRegister& r) { return r.name == name; });
    return found == kRegisters.end() ? nullptr : &*found;
}

void fill_special_registers(Warp& warp, SpecialLife life) {
    const auto fill = [&](const SpecialRegister& special, auto* lanes) {
        using Lane = std::remove_pointer_t<decltype(lanes)>;
        // What changes with the block is the same for all of its threads.
        if (life == SpecialLife::block)
            std::fill_n(lanes, kWarpSize, static_cast<Lane>(special.value(warp, 0)));
        else
            for (unsigned l = 0; l < kWarpSize; ++l)
                lanes[l] = static_cast<Lane>(special.value(warp, l));
    };
    for (const auto& use : warp.execution->image.specials) {
        if (use.special->life != life) continue;
        if (use.cell_bytes == 8)
            fill(*use.special, warp.lanes<std::uint64_t>(use.offset));
        else
            fill(*use.special, warp.lanes<std::uint32_t>(use.offset));
    }
}

}  // namespace vgpu
