// Turns a parsed module into code that runs: one image a kernel, with all functions that it calls.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "decode/instruction_set.h"
#include "memory/region.h"
#include "state/code.h"

namespace vgpu {

/// Addresses of a module's __device__ and __constant__ variables.
struct ModuleSymbols {
    struct Variable {
        Address address = 0;
        bool is_constant = false;
    };
    std::unordered_map<std::string, Variable> variables;
};

/// What a pointer to a device function holds; nothing for other names.
std::optional<Address> function_address(const ptx::Module&, std::string_view name);

/// Never refuses an instruction: what the virtual GPU lacks becomes one that stops the launch.
Image decode(const ptx::Module&, const ptx::Function& kernel, const ModuleSymbols&,
             const InstructionSet&);

}  // namespace vgpu
