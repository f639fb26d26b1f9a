#include "vgpu/machine/host_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace vgpu {
namespace {

/// The shortest loop around `pc`, as the branch that closes it; null: none.
const Insn* loop_around(const Image& image, std::uint32_t pc) {
    const Insn* closest = nullptr;
    for (const Insn& insn : image.code) {
        const bool goes_around = insn.kind == Kind::branch && insn.target <= pc && pc <= insn.pc &&
                                 image.instructions[insn.pc]->opcode == "bra";
        if (goes_around && (!closest || insn.pc - insn.target < closest->pc - closest->target))
            closest = &insn;
    }
    return closest;
}

/// Where the lane looks, as far as its registers still say.
Address looked_at(const Warp& warp, const Insn& insn, unsigned lane) {
    const Address base =
        insn.wide_address
            ? warp.lanes<std::uint64_t>(insn.operand[4])[lane]
            : static_cast<Address>(std::int64_t{warp.lanes<std::int32_t>(insn.operand[4])[lane]});
    return base + static_cast<Address>(insn.immediate);
}

/// Calls `visit` for the instructions [begin, end), then for those of the functions they call.
/// Those have registers of their own, in which their latest call's values still stand.
template <class Visit>
void each_in_reach(const Image& image, std::uint32_t begin, std::uint32_t end, Visit visit) {
    std::set<std::uint32_t> seen{begin};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{begin, end}};
    while (!open.empty()) {
        const auto [from, to] = open.back();
        open.pop_back();
        for (std::uint32_t pc = from; pc < to; ++pc) {
            const Insn& insn = image.code[pc];
            visit(insn);
            if (insn.kind != Kind::call) continue;
            const auto function = std::find_if(
                image.functions.begin(), image.functions.end(), [&](const Image::Function& f) {
                    return f.name == image.calls[static_cast<std::size_t>(insn.immediate)].callee;
                });
            if (function == image.functions.end() || !seen.insert(function->begin).second) continue;
            const auto next = std::next(function);
            open.emplace_back(function->begin, next == image.functions.end()
                                                   ? static_cast<std::uint32_t>(image.code.size())
                                                   : next->begin);
        }
    }
}

}  // namespace

std::string waits_for_host(const Warp& warp, std::uint32_t pc, unsigned lane) {
    const Execution& execution = *warp.execution;
    const Image& image = execution.image;
    std::string text;
    const auto tell = [&](Address at) {
        const Region* const region = execution.memory.find(at);
        // Of memory that kernels and host share, the host alone knows what it has written.
        if (!text.empty() || !region || !region->live || region->written) return;
        text = fmt::format(
            "; it looks at {} again and again, which the host can write, too: on the virtual GPU "
            "the host does not go on while a kernel runs, so a flag that it sets after the launch "
            "is not seen",
            region->name);
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
            if (looks) tell(looked_at(warp, insn, lane));
        });
    }
    if (warp.polled != 0) tell(warp.polled);
    return text;
}

}  // namespace vgpu
