#include "check/session/device_limits.h"

#include "check/output/grader_fault.h"
#include "check/session/call_submission.h"
#include "check/session/flow.h"
#include "check/session/session.h"

namespace lab {

vgpu::model::Gpu device_limits() {
    vgpu::model::Gpu gpu = vgpu::model::h200();
    if (on_vgpu()) return gpu;
    skip_if_blocked();  // from here on there is a submission
    // Pictures have no reference; they judge nothing, so the submission's word will do.
    Worker& worker = session().reference().empty() ? *session().submission()
                                                   : session().own_program(session().reference());
    if (worker.device_facts().resident_threads == 0) worker.wait_ready(session().patience());
    const DeviceFacts& facts = worker.device_facts();
    if (facts.resident_threads == 0) throw GraderFault("the device does not tell its limits");
    const auto set = [](std::uint32_t& limit, std::uint64_t fact) {
        limit = static_cast<std::uint32_t>(fact);
    };
    set(gpu.multiprocessors, facts.multiprocessors);
    set(gpu.threads_per_multiprocessor, facts.resident_threads);
    set(gpu.blocks_per_multiprocessor, facts.resident_blocks);
    set(gpu.registers_per_multiprocessor, facts.registers);
    set(gpu.registers_per_block, facts.block_registers);
    set(gpu.shared_bytes_per_multiprocessor, facts.shared_bytes);
    set(gpu.reserved_shared_bytes_per_block, facts.reserved_shared_bytes);
    return gpu;
}

}  // namespace lab
