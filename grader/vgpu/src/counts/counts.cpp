// What a launch did, by the names that Nsight Compute gives it. Names without "__" are our own, for
// what it has no metric for.
#include "vgpu/work.h"

namespace vgpu {
namespace {

struct Metric {
    const char* name;
    std::uint64_t Counts::*value;
};

constexpr Metric kMetrics[] = {
    {"smsp__inst_executed", &Counts::warp_instructions},
    {"smsp__thread_inst_executed", &Counts::thread_instructions},
    {"sm__inst_executed_pipe_alu", &Counts::alu},
    {"sm__inst_executed_pipe_fma", &Counts::fma},
    {"sm__inst_executed_pipe_fp16", &Counts::fp16},
    {"sm__inst_executed_pipe_fp64", &Counts::fp64},
    {"sm__inst_executed_pipe_xu", &Counts::xu},
    {"sm__inst_executed_pipe_tensor", &Counts::tensor},
    {"sm__inst_executed_pipe_lsu", &Counts::lsu},
    {"sm__inst_executed_pipe_adu", &Counts::adu},
    {"sm__inst_executed_pipe_cbu", &Counts::cbu},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on", &Counts::fadd},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on", &Counts::fmul},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on", &Counts::ffma},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on", &Counts::dadd},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on", &Counts::dmul},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on", &Counts::dfma},
    {"smsp__inst_executed_op_branch", &Counts::branches},
    {"smsp__sass_branch_targets", &Counts::branch_targets},
    {"smsp__sass_branch_targets_threads_divergent", &Counts::divergent_branches},
    {"barriers", &Counts::barriers},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", &Counts::global_load_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", &Counts::global_load_sectors},
    {"smsp__sass_data_bytes_mem_global_op_ld", &Counts::global_load_bytes},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st", &Counts::global_store_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", &Counts::global_store_sectors},
    {"smsp__sass_data_bytes_mem_global_op_st", &Counts::global_store_bytes},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld", &Counts::local_load_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld", &Counts::local_load_sectors},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st", &Counts::local_store_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st", &Counts::local_store_sectors},
    {"smsp__inst_executed_op_shared_ld", &Counts::shared_load_requests},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", &Counts::shared_load_wavefronts},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", &Counts::shared_load_conflicts},
    {"smsp__inst_executed_op_shared_st", &Counts::shared_store_requests},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", &Counts::shared_store_wavefronts},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", &Counts::shared_store_conflicts},
    {"smsp__inst_executed_op_shared_atom", &Counts::shared_atomic_requests},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom", &Counts::shared_atomic_wavefronts},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom", &Counts::shared_atomic_conflicts},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom", &Counts::global_atomic_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom", &Counts::global_atomic_sectors},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red", &Counts::global_reduction_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red", &Counts::global_reduction_sectors},
    {"global_atomics", &Counts::global_atomics},
    {"shared_atomics", &Counts::shared_atomics},
    {"global_load_passes", &Counts::global_load_passes},
    {"global_store_passes", &Counts::global_store_passes},
    {"uncached_load_sectors", &Counts::uncached_load_sectors},
    {"scattered_load_sectors", &Counts::scattered_load_sectors},
    {"scattered_store_sectors", &Counts::scattered_store_sectors},
    {"folded_instructions", &Counts::folded},
    {"folded_instructions_alu", &Counts::folded_alu},
};
static_assert(sizeof(Counts) == std::size(kMetrics) * sizeof(std::uint64_t), "each has a name");

}  // namespace

nlohmann::ordered_json json_of(const Counts& counts) {
    nlohmann::ordered_json::object_t json;
    json.reserve(std::size(kMetrics));
    // Not json[name]: it looks for the name first, and this runs after every launch.
    for (const Metric& metric : kMetrics) json.push_back({metric.name, counts.*metric.value});
    return json;
}

Counts counts_of(const nlohmann::json& json) {
    Counts counts;
    for (const Metric& metric : kMetrics) json.at(metric.name).get_to(counts.*metric.value);
    return counts;
}

std::string to_json(const Counts& counts) {
    return json_of(counts).dump();
}

Counts& Counts::operator+=(const Counts& other) {
    for (const Metric& metric : kMetrics) this->*metric.value += other.*metric.value;
    return *this;
}

LineCounts& LineCounts::operator+=(const LineCounts& other) {
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    global_requests += other.global_requests;
    global_sectors += other.global_sectors;
    shared_requests += other.shared_requests;
    shared_wavefronts += other.shared_wavefronts;
    local_sectors += other.local_sectors;
    branches += other.branches;
    divergent_branches += other.divergent_branches;
    return *this;
}

}  // namespace vgpu
