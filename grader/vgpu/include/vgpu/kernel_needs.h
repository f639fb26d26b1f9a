// What kernels need of a real GPU, as NVIDIA's assembler finds it: registers, stack, spills.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace vgpu {

/// Of one thread.
struct Needs {
    std::uint32_t registers = 0;
    /// Local memory: arrays with an index that is not known at compile time, and spilled registers.
    std::uint32_t stack_bytes = 0;
    /// Of registers that did not fit: how much the code stores and loads, each place once.
    std::uint32_t spill_store_bytes = 0, spill_load_bytes = 0;

    friend bool operator==(const Needs&, const Needs&) = default;
};

/// By the mangled name of each kernel.
using KernelNeeds = std::map<std::string, Needs>;

/// What `ptxas -v` writes.
KernelNeeds read_ptxas_output(const std::string& text);

/// A table in a file, one line a kernel: its name and the four numbers.
std::string to_table(const KernelNeeds&);
/// Reads one. What follows a line that is none is left out.
KernelNeeds read_table(const std::string& text);

}  // namespace vgpu
