#include "check/least_time.h"

#include <algorithm>

namespace lab {

std::uint64_t bytes_to_move(const Marshalled& call) {
    std::uint64_t all = 0;
    for (const Area& area : call.areas) {
        // Views of one allocation may overlap: only the largest counts.
        std::uint64_t most = 0;
        for (const std::size_t member : area.buffers) {
            const Buffer& buffer = call.buffers[member];
            if (buffer.parameter.space != Space::device || buffer.parameter.scratch) continue;
            std::uint64_t bytes = 0;
            each_row(buffer, [&](std::uint64_t, std::uint64_t, std::uint64_t row_bytes) {
                bytes += row_bytes;
            });
            most = std::max(most, bytes);
        }
        all += most;
    }
    return all;
}

double peak_bytes_per_ms(const DeviceFacts& device) {
    // kHz is cycles a millisecond.
    return 2.0 * static_cast<double>(device.memory_clock_khz) *
           static_cast<double>(device.memory_bus_bits) / 8;
}

double peak_operations_per_ms(const DeviceFacts& device) {
    return 2.0 * static_cast<double>(device.float_lanes) * static_cast<double>(device.clock_khz);
}

double least_ms(std::uint64_t bytes, const DeviceFacts& device) {
    const double peak = peak_bytes_per_ms(device);
    if (peak <= 0 || device.l2_bytes == 0 || bytes <= device.l2_bytes) return 0;
    return static_cast<double>(bytes - device.l2_bytes) / peak;
}

}  // namespace lab
