// Words that the sentences of several findings share.
#pragma once

#include <fmt/format.h>

#include <string>

#include "vgpu/finding.h"

namespace vgpu::words {

/// "(3,0,0)"
inline std::string text(const Dim3& d) {
    return fmt::format("({},{},{})", d.x, d.y, d.z);
}

inline std::string bytes(std::uint64_t count) {
    return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

}  // namespace vgpu::words
