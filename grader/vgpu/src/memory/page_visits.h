// When a launch visited a piece of memory: the marks that are kept of a sample of the pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "memory/pages.h"

// Of one page in kPagesASample, each piece of 64 bytes (memory's unit of transfer) has a bit for
// each sixty-fourth of the launch in which it was loaded, and one for each in which it was stored
// (profile/l2_reuse.h).

namespace vgpu {

inline constexpr std::uint64_t kPieceBytes = 64, kPagesASample = 16;
inline constexpr std::uint64_t kPiecesAPage = kPageBytes / kPieceBytes;

struct PieceVisits {
    std::uint64_t loads = 0, stores = 0;  ///< a bit for each part of the launch
};

/// How many of them a region of `pages` pages needs.
inline std::size_t visits_of(std::uint64_t pages) {
    return (pages + kPagesASample - 1) / kPagesASample * kPiecesAPage;
}

[[gnu::always_inline]] inline bool is_sampled(std::uint64_t page) {
    return page % kPagesASample == 0;
}

/// Those of a sampled page, at the launch's first access.
inline void forget_visits(PieceVisits* visits, std::uint64_t page) {
    std::fill_n(visits + page / kPagesASample * kPiecesAPage, kPiecesAPage, PieceVisits{});
}

}  // namespace vgpu
