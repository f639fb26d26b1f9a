// PTX instructions as text again, for traces.
#pragma once

#include <string>

#include "ptx/module.h"

namespace vgpu::ptx {

/// "@%p1 ld.global.f32 %f1, [%rd4+16]", as it was written but for spaces and the semicolon.
std::string to_text(const Instruction&);

}  // namespace vgpu::ptx
