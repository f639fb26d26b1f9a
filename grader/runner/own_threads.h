// Counts the threads of this process.
#pragma once

#include <cstdint>

namespace lab::runner {

/// How many there are, without those that are ending: a thread that was joined stays in the
/// kernel's list for a moment.
std::uint32_t living_threads();

}  // namespace lab::runner
