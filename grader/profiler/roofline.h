// The roofline: what a kernel computes for each byte of device memory, against what the GPU can.
#pragma once

#include <string>
#include <vector>

#include "profiler/kernel_profile.h"
#include "report/plots/table_text.h"

namespace lab {

struct RooflinePoint {
    std::string name;
    double flops_per_byte = 0;
    double flops_per_s = 0;  ///< modelled
};

struct Roofline {
    double peak_flops_per_s = 0;  ///< a fused multiply-add counts as two
    double bytes_per_s = 0;       ///< of device memory
    bool is_double = false;       ///< the point's arithmetic
    std::vector<RooflinePoint> points;

    /// Where the two roofs meet.
    double ridge() const { return peak_flops_per_s / bytes_per_s; }
    double roof_at(double flops_per_byte) const;
};

/// Floats, or doubles if the kernels compute more with these. Kernels without floating-point
/// arithmetic, or without traffic, are left out.
Roofline roofline_of(const std::vector<KernelProfile>& kernels, const vgpu::model::Gpu&);

/// As columns "version", "flops_per_byte", "gflops": the roof as a line, each kernel as a point.
CsvTable roofline_table(const Roofline&);

}  // namespace lab
