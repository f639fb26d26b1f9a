// Pages of device memory: the facts that launches keep of each.
#pragma once

#include <cstdint>

namespace vgpu {

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr unsigned kPageShift = 12;
inline constexpr std::uint64_t kPageWords = kPageBytes / 4;
/// Accesses that lie within fewer pages are near each other.
inline constexpr std::uint64_t kFewPages = 4;

/// The race check's notes on a word of 4 bytes (race/shadow_word.h).
using ShadowWord = std::uint64_t;
/// Numbers that stand for blocks in shadow words: below this.
inline constexpr std::uint32_t kOwners = 1u << 19;

struct Page {
    std::uint32_t touched = 0;  ///< the run of a launch that touched it last
    std::uint32_t whole = 0;    ///< the run that found all of it written when it first came
    std::uint32_t saved = 0;    ///< the run in which it was saved
    std::uint32_t watched = 0;  ///< the run in which a happens-before checker watches it
    std::uint32_t owners = 0;   ///< the series of owner numbers that its shadow words are of
    std::uint32_t lock = 0;     ///< held by a worker while it accesses the page
    /// Stands for what the page holds: where the number is the same, so is that (launch_cache.h).
    std::uint64_t content = 0;
};

/// How many of a region's pages a run has opened, where one worker does it all: those that jump
/// about in a region need not look at its pages once all of them are open.
struct OpenPages {
    std::uint32_t run = 0;
    std::uint64_t touched = 0, whole = 0, saved = 0;
};

}  // namespace vgpu
