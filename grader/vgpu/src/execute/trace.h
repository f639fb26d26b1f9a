// Prints a launch as it runs, instruction by instruction.
#pragma once

#include "execute/execution.h"

//     (1,0,0)   0  ffff0000  reduction.cu:12        add.f32 %f1, %f2, %f3
//      block  warp  active lanes                    instruction

namespace vgpu {

/// Tells Launch::trace what is about to be executed by the lanes in `active`.
void trace(const Warp&, const Insn&, Mask active);

}  // namespace vgpu
