// One instruction of PTX: guard, opcode, operands. Knows the grammar, not the opcodes.
#pragma once

#include "ptx/cursor.h"
#include "ptx/module.h"

namespace vgpu::ptx {

/// "@%p1 add.s32 %r1, %r2, -4;" up to and including its semicolon.
Instruction parse_instruction(Cursor&);

}  // namespace vgpu::ptx
