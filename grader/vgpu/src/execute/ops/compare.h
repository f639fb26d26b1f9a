// The use of a comparison's result: Insn::option of setp and set.
#pragma once

#include <cstdint>

namespace vgpu {

inline constexpr std::uint8_t kCombineMask = 3, kCombineAnd = 1, kCombineOr = 2, kCombineXor = 3;
inline constexpr std::uint8_t kSecondResult = 4;            // setp's q, of p|q
inline constexpr std::uint8_t kSetInteger = 8;              // set: all ones where it holds
inline constexpr std::uint8_t kSetFloat = 16;               // set: 1.0 where it holds, ...
inline constexpr std::uint8_t kSetF16 = 32, kSetBf16 = 64;  // ... of these formats

}  // namespace vgpu
