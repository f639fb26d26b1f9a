// A kernel's needs on a real GPU: registers and stack, as NVIDIA's assembler finds them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "vgpu/kernel_needs.h"

// ptxas takes 2 to 50 ms a kernel. So it runs only when a program asks for these numbers or a
// launch is near their limits, and its answers are kept, for all later runs, in the user's cache.
// Without ptxas, or where it fails, the estimate from the PTX stands.

namespace vgpu {

class Ptxas {
public:
    /// Measures nothing.
    Ptxas() = default;
    /// `cache`: where answers are kept; empty: nowhere.
    Ptxas(std::filesystem::path program, std::filesystem::path cache)
        : program_(std::move(program)), cache_(std::move(cache)) {}
    /// Knows the answers: somebody has run ptxas on the program's PTX.
    explicit Ptxas(KernelNeeds known) : known_(std::move(known)) {}

    /// $XDG_CACHE_HOME/cuda-labs/ptxas, or ~/.cache/...; empty when there is no home.
    static std::filesystem::path default_cache();

    /// For every kernel of a module. Empty when it cannot be said.
    KernelNeeds measure(const std::string& ptx) const;
    /// Whether measuring costs nothing.
    bool knows() const { return !known_.empty(); }

private:
    KernelNeeds known_;
    std::filesystem::path program_, cache_;
};

}  // namespace vgpu
