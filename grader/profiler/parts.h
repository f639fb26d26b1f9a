// The parts of a kernel's modelled time, by the names that profiles give them.
#pragma once

#include <array>
#include <string>

#include "vgpu/cost.h"

namespace lab::profiles {

struct Part {
    const char* name;                         ///< "DRAM"
    double vgpu::model::KernelCost::*time_s;  ///< as if nothing else limited the kernel
    const char* limit;                        ///< what a kernel has too much of where it is longest
};

inline constexpr std::array<Part, 7> kParts{{
    {"Instructions", &vgpu::model::KernelCost::issue_s, "instructions"},
    {"L1/TEX Cache", &vgpu::model::KernelCost::l1_s, "requests to L1 and shared memory"},
    {"L2 Cache", &vgpu::model::KernelCost::l2_s, "traffic between L1 and L2"},
    {"DRAM", &vgpu::model::KernelCost::memory_s, "bytes from memory"},
    {"Atomics", &vgpu::model::KernelCost::atomics_s, "atomics at one place"},
    {"Latency", &vgpu::model::KernelCost::latency_s, "waiting"},
    {"Block starts", &vgpu::model::KernelCost::blocks_s, "starting blocks"},
}};

inline const Part& longest_part(const vgpu::model::KernelCost& cost) {
    const Part* longest = &kParts.front();
    for (const Part& part : kParts)
        if (cost.*part.time_s > cost.*longest->time_s) longest = &part;
    return *longest;
}

}  // namespace lab::profiles
