// The memory that a launch has touched, and its contents: with the arguments, all that its result
// depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/device_memory.h"

namespace vgpu {

/// Pages of a region, one after the other.
struct Touched {
    Region* region;
    std::uint64_t first_page;
    std::vector<std::uint64_t> contents;  ///< Page::content of each
};

/// The pages that a run touched, or one after it, with what they hold now. Nothing if others than
/// kernels and the runtime can have changed what it read: the host, which shares some memory; and
/// what kernels allocate has no pages.
std::optional<std::vector<Touched>> touched_since(DeviceMemory&, std::uint32_t run);

bool holds_the_same(const std::vector<Touched>&);

/// The pages may hold anything now.
void renumber_touched(DeviceMemory&, std::uint32_t run);

}  // namespace vgpu
