// How much the device can hold at once, for tests about launch configurations.
#pragma once

#include "vgpu/gpu.h"

namespace lab {

/// The limits of launches and of multiprocessors are the device's, as the reference's process asks
/// for them; all else is the H200's. The virtual GPU is an H200.
vgpu::model::Gpu device_limits();

}  // namespace lab
