// Who executes what, in the words of the student's source. See execution.h.
#include "execute/execution.h"

#include <algorithm>

#include "execute/block.h"
#include "state/origin.h"

namespace vgpu {

Execution::Execution(const Image& image_, const Launch& launch_, DeviceMemory& memory_,
                     const Options& options_)
    : image(image_),
      launch(launch_),
      memory(memory_),
      options(options_),
      findings(options_.findings_limit),
      tallies(image_.code.size()),
      limit(options_.warp_instruction_limit),
      printed(options_.printed_limit_bytes),
      memo(image_.code.size()),
      patterns(image_.accesses),
      suspects(image_.accesses) {
    parameters.base = kParameterWindow;
    parameters.size_bytes = launch.parameters.size();
    parameters.data = const_cast<std::byte*>(launch.parameters.data());  // no store reaches it
    parameters.space = Space::parameter;
    parameters.name = "the kernel's parameters";
}

Dim3 thread_of(const Warp& warp, unsigned lane) {
    return thread_of(warp.execution->launch.block, warp, lane);
}

SourceLine where_is(const Warp& warp, std::uint32_t pc) {
    return where_is(warp.execution->image, warp, pc);
}

bool from_toolkit(const Warp& warp, std::uint32_t pc) {
    Execution& execution = *warp.execution;
    execution.toolkit.resize(execution.image.code.size());
    std::optional<bool>& known = execution.toolkit[pc];
    if (!known) known = is_of_toolkit(execution.image, pc);
    return *known;
}

Finding finding_at(const Warp& warp, const Insn& insn, Check check, unsigned lane) {
    return finding_at(warp.execution->image, {warp.block->index, thread_of(warp, lane)}, check,
                      where_is(warp, insn.pc));
}

void report(const Warp& warp, Finding finding, unsigned lane) {
    const std::uint64_t thread = std::uint64_t{warp.index} * kWarpSize + lane;
    warp.execution->findings.add(std::move(finding), {warp.block->number, thread});
}

}  // namespace vgpu
