// Stands for what cannot be executed: stops the launch there, with a finding.
#include "execute/block.h"
#include "execute/execution.h"
#include "execute/ops/table.h"

namespace vgpu {
namespace {

template <Check reason>
Flow stop_at_impossible(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const auto lane = static_cast<unsigned>(__builtin_ctz(active));
    Finding finding = finding_at(w, i, reason, lane);
    finding.occurrences = lane_count(active);
    finding.cause = cause::Missing{w.execution->image.impossible.at(i.pc)};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::illegal_instruction;
    return Flow::stop;
}

}  // namespace

Handler unsupported_handler() {
    return stop_at_impossible<Check::unsupported>;
}
Handler undefined_function_handler() {
    return stop_at_impossible<Check::undefined_function>;
}

}  // namespace vgpu
