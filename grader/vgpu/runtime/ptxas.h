// A kernel's needs on a real GPU: registers and stack, as NVIDIA's assembler finds them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

// ptxas takes 2 to 50 ms a kernel. So it runs only when a program asks for these numbers or a
// launch is near their limits, and its answers are kept, for all later runs, in the user's cache.
// Without ptxas, or where it fails, the estimate from the PTX stands.

namespace vgpu {

struct Needs {
    std::uint32_t registers = 0;    ///< a thread
    std::uint32_t stack_bytes = 0;  ///< a thread: local memory
    friend bool operator==(const Needs&, const Needs&) = default;
};

class Ptxas {
public:
    /// Measures nothing.
    Ptxas() = default;
    /// `cache`: where answers are kept; empty: nowhere.
    Ptxas(std::filesystem::path program, std::filesystem::path cache)
        : program_(std::move(program)), cache_(std::move(cache)) {}

    /// $XDG_CACHE_HOME/cuda-labs/ptxas, or ~/.cache/...; empty when there is no home.
    static std::filesystem::path default_cache();

    /// By mangled name, for every kernel of a module. Empty when it cannot be said.
    std::map<std::string, Needs> measure(const std::string& ptx) const;

private:
    std::filesystem::path program_, cache_;
};

/// What `ptxas -v` writes.
std::map<std::string, Needs> read_ptxas_output(const std::string& text);

}  // namespace vgpu
