// Tells which findings of the virtual GPU are one mistake of the program.
#pragma once

#include <string>

#include "vgpu/finding.h"

namespace lab {

/// "ns::reduce" of "void ns::reduce<float, 256>(float*)": a template's kernels are one source.
std::string source_name(std::string kernel);

/// The same check at the same place (and the same other place).
bool is_same(const vgpu::Finding&, const vgpu::Finding&);

/// One missing idea at different places: one change is likely to end both. So are accesses of one
/// array by one kernel, races that one barrier can order, operations of two kinds that nothing
/// orders, and what lanes of a warp do without each other.
bool is_alike(const vgpu::Finding&, const vgpu::Finding&);

}  // namespace lab
