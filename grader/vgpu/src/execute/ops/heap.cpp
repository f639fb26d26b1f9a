// malloc and free in kernels, behind new and delete too. Every block of memory is an allocation of
// its own, with exact bounds; addresses depend on the order of the calls only.
#include <algorithm>

#include "execute/ops/builtin_call.h"

namespace vgpu {

Flow execute_malloc(Warp& w, const Insn& i, Mask active) {
    Execution& execution = *w.execution;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const Call call(w, i, static_cast<unsigned>(__builtin_ctz(rest)));
        call.result(execution.memory.allocate_in_heap(call.argument<std::uint64_t>(0),
                                                      execution.options.heap_bytes));
    }
    return Flow::next;
}

Flow execute_free(Warp& w, const Insn& i, Mask active) {
    Execution& execution = *w.execution;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const auto at = Call(w, i, lane).argument<std::uint64_t>(0);
        if (at == 0) continue;
        const Device::Release done = execution.memory.release_in_heap(at);
        if (done == Device::Release::ok) continue;
        const bool again = done == Device::Release::already_freed;
        Finding finding = finding_at(w, i, again ? Check::double_free : Check::invalid_free, lane);
        finding.address = at;
        if (const Region* region = execution.memory.find(at))
            finding.nearest = Nearest{region->allocation(), 0};
        report(w, std::move(finding), lane);
        execution.outcome = Outcome::illegal_address;
    }
    // No instruction may go on using what it remembers of a freed region.
    std::fill(execution.memo.begin(), execution.memo.end(), nullptr);
    return execution.outcome == Outcome::ok ? Flow::next : Flow::stop;
}

}  // namespace vgpu
