// The profiles of a lab's functions, from what the checker recorded
// (check/session/profiled_calls.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/kernel_profile.h"

namespace lab {

/// A call of one function.
struct ProfiledCall {
    std::string function, test;
    std::string call;  ///< "matmul_tiled(m = 1476, k = 64, n = 1500)"
    double times = 1;  ///< the numbers are those of this many times the call's data
    /// By time, longest first; empty where nothing was launched or every record stands for several.
    std::vector<KernelProfile> submission;
    std::vector<KernelProfile> reference;  ///< empty without a speed test
};

/// In the order of the tests. Throws Failure (our fault) for what the checker does not write.
std::vector<ProfiledCall> lab_profiles(const nlohmann::json& record, const vgpu::model::Gpu&);

}  // namespace lab
