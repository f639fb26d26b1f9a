// Packs the integer types of a conversion into Insn::immediate, from build_cvt (builders.cpp) to
// convert.cpp's handlers.
#pragma once

#include <cstdint>

namespace vgpu {

struct IntegerType {
    std::uint8_t bits = 32;
    bool is_signed = false;
};

constexpr std::int64_t pack(IntegerType to, IntegerType from) {
    return to.bits | (to.is_signed ? 1 << 8 : 0) | from.bits << 16 | (from.is_signed ? 1 << 24 : 0);
}
[[gnu::always_inline]] constexpr IntegerType converted_to(std::int64_t packed) {
    return {static_cast<std::uint8_t>(packed & 0xff), (packed >> 8 & 1) != 0};
}
[[gnu::always_inline]] constexpr IntegerType converted_from(std::int64_t packed) {
    return {static_cast<std::uint8_t>(packed >> 16 & 0xff), (packed >> 24 & 1) != 0};
}

/// Insn::option: negative results become zero.
inline constexpr std::uint8_t kRelu = 1;

}  // namespace vgpu
