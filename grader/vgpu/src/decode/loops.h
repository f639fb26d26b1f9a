// Finds the loops of a kernel, for messages about warps that stay in one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "state/code.h"

namespace vgpu {

/// The shortest loop around `pc`, as the branch that closes it; null: none.
const Insn* loop_around(const Image& image, std::uint32_t pc);

/// The longest loop around `pc` that has a slice (loop_slice.h); null: none.
const Image::Loop* longest_loop(const Image& image, std::uint32_t pc);

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

}  // namespace vgpu
