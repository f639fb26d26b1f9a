// What the virtual GPU counted and modelled of a kernel's launches, as a value.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/cost.h"
#include "vgpu/counts.h"
#include "vgpu/gpu.h"

namespace lab {

struct KernelProfile {
    std::string kernel;  ///< demangled
    /// Of all its launches; time modelled.
    struct Sum {
        std::uint64_t launches = 1, blocks = 0;
        vgpu::Counts counts{};
        vgpu::model::KernelCost cost{};
        double seconds = 0;
        std::vector<vgpu::LineCounts> lines;  ///< by where they lie, each once

        Sum& operator+=(const Sum&);
    };
    Sum all{};
    // Of the launch that took longest:
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t registers = 0;          ///< a thread
    bool registers_are_measured = false;  ///< by ptxas; else estimated
    double theoretical_occupancy_pct = 0, achieved_occupancy_pct = 0;
    vgpu::model::KernelWork work;
    vgpu::model::KernelCost cost;
    vgpu::WarpStates states{};
    std::string hottest_allocation;  ///< that most atomics hit; empty: there were none

    const vgpu::Counts& counts() const { return work.counts; }
    std::uint64_t threads_per_block() const {
        return std::uint64_t{block[0]} * block[1] * block[2];
    }
    /// "add(float const*)" without the parameters.
    std::string short_name() const;
};

/// Cycles of the multiprocessors that have a block, while the kernel runs: modelled.
double multiprocessor_cycles(const KernelProfile&, const vgpu::model::Gpu&);
/// Cycles that a warp is there for each of its instructions: modelled.
double warp_cycles_per_instruction(const KernelProfile&, const vgpu::model::Gpu&);

/// Of the record of a launch (grader/vgpu/runtime/records.h) of a device that was told to profile;
/// nothing of any other.
std::optional<KernelProfile> kernel_profile(const nlohmann::json& record, const vgpu::model::Gpu&);

/// Launches that such a record stands for together: of a program with very many, those after the
/// first thousand. They have no profile. 0 for any other record.
std::uint64_t unprofiled_launches(const nlohmann::json& record);

/// Adds a launch to those of its kernel.
void add_launch(std::vector<KernelProfile>& kernels, KernelProfile launch);

/// The kernel that takes most of the time first.
void sort_by_time(std::vector<KernelProfile>& kernels);

}  // namespace lab
