#include "check/gpu/device_peaks.h"

namespace lab {

double peak_bytes_per_ms(const DeviceFacts& device) {
    // kHz is cycles a millisecond.
    return 2.0 * static_cast<double>(device.memory_clock_khz) *
           static_cast<double>(device.memory_bus_bits) / 8;
}

double peak_operations_per_ms(const DeviceFacts& device) {
    return 2.0 * static_cast<double>(device.float_lanes) * static_cast<double>(device.clock_khz);
}

}  // namespace lab
