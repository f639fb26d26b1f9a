// The submission's kernels and what they need of a GPU, for tests about what the compiler made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vgpu/kernel_needs.h"

namespace lab {

struct CompiledKernel {
    std::string name;  ///< demangled, without parameters: "blend_kernel<8>"
    vgpu::Needs needs;
};

/// In labs with `needs_assembler = true` in lab.toml; in others there are none.
const std::vector<CompiledKernel>& compiled_kernels();

/// Null when the submission has no such kernel.
const CompiledKernel* compiled_kernel(std::string_view name);

/// "blend_kernel<8>" for "void (anonymous namespace)::blend_kernel<8>(float*, int)".
std::string kernel_name(std::string demangled);

}  // namespace lab
