// Finds the registers that hold a value at each instruction, and from that the slots that registers
// share, and the number that a thread needs.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/cell.h"
#include "decode/control_flow.h"
#include "ptx/module.h"

namespace vgpu {

struct RegisterPlan {
    struct Register {
        Cell cell = Cell::none;
        std::uint32_t slot = 0;  ///< among the registers of its cell
        bool read_before_written = false;
    };
    std::unordered_map<std::string, Register> registers;
    std::uint32_t predicates = 0, words = 0, wides = 0;  ///< slots needed of each cell
    std::uint32_t pressure = 0;  ///< 32-bit registers a thread holds at once, at most
};

RegisterPlan plan_registers(const ptx::Function&, const ControlFlow&);

}  // namespace vgpu
