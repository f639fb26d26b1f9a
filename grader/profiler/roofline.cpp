#include "profiler/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/visible.h"
#include "profiler/numbers.h"

namespace lab {

using profiles::ratio;
using profiles::real;

namespace {

double floats_of(const KernelProfile& kernel) {
    const vgpu::Counts& c = kernel.counts();
    return real(c.fadd) + real(c.fmul) + 2 * real(c.ffma);
}
double doubles_of(const KernelProfile& kernel) {
    const vgpu::Counts& c = kernel.counts();
    return real(c.dadd) + real(c.dmul) + 2 * real(c.dfma);
}

}  // namespace

double Roofline::roof_at(double flops_per_byte) const {
    return std::min(peak_flops_per_s, bytes_per_s * flops_per_byte);
}

Roofline roofline_of(const std::vector<KernelProfile>& kernels, const vgpu::model::Gpu& gpu) {
    double floats = 0, doubles = 0;
    for (const KernelProfile& kernel : kernels) {
        floats += floats_of(kernel);
        doubles += doubles_of(kernel);
    }
    Roofline roofline;
    roofline.is_double = doubles > floats;
    const double a_cycle = roofline.is_double ? gpu.fp64_a_cycle : gpu.fma_a_cycle;
    roofline.peak_flops_per_s =
        2.0 * vgpu::model::kWarpSize * a_cycle * gpu.multiprocessors * gpu.clock_khz * 1e3;
    roofline.bytes_per_s = gpu.device_bytes_per_s;
    for (const KernelProfile& kernel : kernels) {
        const double flops = roofline.is_double ? doubles_of(kernel) : floats_of(kernel);
        const double bytes = traffic_of(gpu, kernel.work).memory_bytes;
        if (flops > 0 && bytes > 0)
            roofline.points.push_back(
                {visible(kernel.short_name()), flops / bytes, ratio(flops, kernel.cost.seconds())});
    }
    return roofline;
}

CsvTable roofline_table(const Roofline& roofline) {
    CsvTable table{{"version", "flops_per_byte", "gflops"}, {}};
    const auto add = [&](const std::string& name, double x, double flops_per_s) {
        table.rows.push_back({name, fmt::format("{}", x), fmt::format("{}", flops_per_s * 1e-9)});
    };
    double least = roofline.ridge() / 64, most = roofline.ridge() * 8;
    for (const RooflinePoint& point : roofline.points) {
        least = std::min(least, point.flops_per_byte / 2);
        most = std::max(most, point.flops_per_byte * 2);
    }
    for (double x = least; x < most; x *= 1.1) add("roof", x, roofline.roof_at(x));
    for (const RooflinePoint& point : roofline.points)
        add(point.name, point.flops_per_byte, point.flops_per_s);
    return table;
}

}  // namespace lab
