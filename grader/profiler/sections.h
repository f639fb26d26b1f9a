// A kernel's profile in sections, named as Nsight Compute names them.
#pragma once

#include <string>
#include <vector>

#include "profiler/kernel_profile.h"

namespace lab {

/// How a number is known.
enum class Origin {
    set,      ///< by the program, or the compiler
    counted,  ///< exact for the PTX executed
    modelled  ///< by grader/vgpu/docs/model.md
};

/// "set", "counted", "modelled"
const char* to_string(Origin);

struct ProfileRow {
    std::string name, value;
    Origin origin = Origin::counted;
    double share = -1;  ///< 0 to 1, for a bar; negative: no bar
};

struct ProfileTable {
    Origin origin = Origin::counted;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
};

struct ProfileSection {
    std::string name;
    std::vector<ProfileRow> rows;
    std::vector<ProfileTable> tables;
    std::vector<std::string> notes;  ///< sentences
};

/// GPU Speed Of Light Throughput: the time, and how near each part is to its limit.
ProfileSection speed_of_light(const KernelProfile&, const vgpu::model::Gpu&);
/// Compute Workload Analysis and Instruction Statistics.
ProfileSection compute_workload(const KernelProfile&, const vgpu::model::Gpu&);
/// Memory Workload Analysis, with the memory tables.
ProfileSection memory_workload(const KernelProfile&, const vgpu::model::Gpu&);
/// Warp State Statistics.
ProfileSection warp_states(const KernelProfile&, const vgpu::model::Gpu&);
/// Launch Statistics and Occupancy.
ProfileSection launch_statistics(const KernelProfile&, const vgpu::model::Gpu&);
ProfileSection occupancy(const KernelProfile&, const vgpu::model::Gpu&);
/// Source Counters: the lines with most of each.
ProfileSection source_counters(const KernelProfile&);

/// Cycles of a multiprocessor that a line costs, roughly: an instruction and a sector a quarter, a
/// pass over shared memory one.
double line_cost(const vgpu::LineCounts&);

/// "an NVIDIA H200": the GPU that is modelled.
std::string gpu_name(const vgpu::model::Gpu&);

/// All of them, in Nsight Compute's order.
std::vector<ProfileSection> sections_of(const KernelProfile&, const vgpu::model::Gpu&);

/// What Nsight Compute shows and a profile of the virtual GPU does not know, in sentences.
std::vector<std::string> not_known(const KernelProfile&);

}  // namespace lab
