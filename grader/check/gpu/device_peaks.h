// The most that a GPU can do, from the figures that its driver gives.
#pragma once

#include "protocol/messages.h"

namespace lab {

/// Memory moves data at both edges of its clock; 0 when the device does not say.
double peak_bytes_per_ms(const DeviceFacts& device);

/// In float, without tensor cores: a multiplication and an addition a lane and cycle; 0 when the
/// device does not say.
double peak_operations_per_ms(const DeviceFacts& device);

}  // namespace lab
