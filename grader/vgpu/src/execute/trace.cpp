#include "execute/trace.h"

#include <fmt/format.h>

#include "execute/block.h"
#include "ptx/text.h"

namespace vgpu {

void trace(const Warp& warp, const Insn& insn, Mask active) {
    Execution& execution = *warp.execution;
    if (!execution.is_traced) return;  // it was enough
    const Dim3& block = warp.block->index;
    SourceLine where = where_is(warp, insn.pc);
    where.file.erase(0, where.file.rfind('/') + 1);
    const std::string place = where.line == 0 ? "-" : fmt::format("{}:{}", where.file, where.line);
    execution.is_traced = execution.launch.trace(fmt::format(
        "{:<12} {:>4}  {:08x}  {:<24} {}", fmt::format("({},{},{})", block.x, block.y, block.z),
        warp.index, active, place, ptx::to_text(*execution.image.instructions[insn.pc])));
}

}  // namespace vgpu
