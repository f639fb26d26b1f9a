// A submission's kernels beside the reference's: what they did, how long that takes, and what the
// difference comes from.
#pragma once

#include <string>
#include <vector>

#include "profiler/kernel_profile.h"

namespace lab {

struct ComparedRow {
    std::string name;  ///< "global sectors"
    double submission = 0, reference = 0;
    bool is_time = false;  ///< seconds, modelled; else a count
};

struct Comparison {
    double submission_s = 0, reference_s = 0;  ///< of all kernels, modelled
    std::vector<ComparedRow> counts;           ///< those of which either has any
    std::vector<ComparedRow> parts;            ///< of the time, each alone
    std::string why;                           ///< what the difference comes from, in sentences

    /// Reference / submission: 1: as fast; 2: the submission is twice as fast.
    double ratio() const { return submission_s > 0 ? reference_s / submission_s : 0; }
};

/// Neither is empty.
Comparison compare_kernels(const std::vector<KernelProfile>& submission,
                           const std::vector<KernelProfile>& reference);

}  // namespace lab
