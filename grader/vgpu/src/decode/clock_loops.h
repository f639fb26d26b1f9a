// Finds loops that do nothing but read the clock (execute/clock_wait.h shortens them).
#pragma once

#include <cstdint>

namespace vgpu {

struct Image;

/// Insn::option of a read of the clock in such a loop.
inline constexpr std::uint8_t kOnlyWaits = 1;

/// Marks such reads among the instructions [first, end) of a function.
void find_clock_loops(Image&, std::uint32_t first, std::uint32_t end);

}  // namespace vgpu
