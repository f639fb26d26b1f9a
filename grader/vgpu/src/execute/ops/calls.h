// Calls of device functions: what comes after them.
#pragma once

#include "state/warp.h"

namespace vgpu {

/// Carries results back and restores what the call saved, for lanes that return to `caller`.
void finish_call(Warp&, const CallSite&, Path& caller, Mask returning);

}  // namespace vgpu
