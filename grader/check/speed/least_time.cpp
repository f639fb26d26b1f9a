#include "check/speed/least_time.h"

#include <algorithm>

#include "check/gpu/device_peaks.h"

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

double least_ms(std::uint64_t bytes, const DeviceFacts& device) {
    const double peak = peak_bytes_per_ms(device);
    if (peak <= 0 || device.l2_bytes == 0 || bytes <= device.l2_bytes) return 0;
    return static_cast<double>(bytes - device.l2_bytes) / peak;
}

}  // namespace lab
