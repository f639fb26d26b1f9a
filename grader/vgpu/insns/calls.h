// Calls of device functions, and of the functions that the virtual GPU itself provides.
#pragma once

#include <string_view>

#include "vgpu/machine/warp.h"

namespace vgpu {

/// Carries results back and restores what the call saved, for lanes that return to `caller`.
void finish_call(Warp&, const CallSite&, Path& caller, Mask returning);

/// The handler of a function that programs call but do not define (vprintf); null if there is none.
Handler builtin(std::string_view name);

}  // namespace vgpu
