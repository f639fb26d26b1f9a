// Counts the threads of this process.
#pragma once

#include <cstdint>

namespace lab::runner {

/// The number of threads, without those that are ending: a joined thread stays in the kernel's list
/// for a moment.
std::uint32_t living_threads();

}  // namespace lab::runner
