// Variables, parameters and registers: everything PTX declares before it is used.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"

namespace vgpu::ptx {

/// ".global" -> StateSpace::global; nothing for other words.
std::optional<StateSpace> parse_state_space(std::string_view directive);

/// Bytes of initial values that one text may still have; a few characters can ask for gigabytes.
struct InitialBudget {
    std::uint64_t bytes_left = std::uint64_t{64} << 20;
};

/// After the state space: ".align 4 .f32 a[4] = {1, 2}, b;", its semicolon included.
std::vector<Variable> parse_variables(Cursor&, StateSpace, InitialBudget&);

/// A parameter list with its parentheses; empty when there is none.
std::vector<Variable> parse_parameters(Cursor&);

/// After .reg: ".b32 %r<5>, %x;", its semicolon included.
std::vector<RegisterRange> parse_registers(Cursor&);

}  // namespace vgpu::ptx
