#include "execute/polled_memory.h"

#include <vector>

#include "decode/loops.h"

namespace vgpu {
namespace {

/// Where the lane looks, as far as its registers still say.
Address looked_at(const Warp& warp, const Insn& insn, unsigned lane) {
    const Address base =
        insn.wide_address
            ? warp.lanes<std::uint64_t>(insn.operand[4])[lane]
            : static_cast<Address>(std::int64_t{warp.lanes<std::int32_t>(insn.operand[4])[lane]});
    return base + static_cast<Address>(insn.immediate);
}

}  // namespace

PolledMemory polled_memory(const Warp& warp, std::uint32_t pc, unsigned lane) {
    const Execution& execution = *warp.execution;
    const Image& image = execution.image;
    PolledMemory polled;
    const auto note = [&](Address at) {
        const Region* const region = execution.memory.find(at);
        if (!region || !region->live || region->space != Space::global) return;
        if (!polled.flag && region->base != execution.grid_workspace)
            polled.flag = region->allocation();
        // Of memory that kernels and host share, the host alone knows what it has written.
        if (!polled.of_host && !region->written) polled.of_host = region->allocation();
    };
    std::vector<std::uint32_t> places{pc};
    for (auto path = warp.paths.rbegin(); path != warp.paths.rend(); ++path)
        if (path->depth < warp.paths.back().depth && (path->mask >> lane & 1) != 0)
            places.push_back(path->pc - 1);  // the call that is under way
    for (const std::uint32_t place : places) {
        const Insn* const loop = loop_around(image, place);
        if (!loop) continue;
        each_in_reach(image, loop->target, loop->pc, [&](const Insn& insn) {
            const bool looks = (insn.kind == Kind::load || insn.kind == Kind::atomic) &&
                               insn.strong && insn.space == Space::global;
            if (looks) note(looked_at(warp, insn, lane));
        });
    }
    if (warp.polled != 0) note(warp.polled);
    return polled;
}

}  // namespace vgpu
