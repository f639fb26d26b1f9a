// Tells when a launch returns to memory that it touched before: soon, or after so much else that
// the L2 cache has lost it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/page_visits.h"
#include "vgpu/device.h"

// Of one page in kPagesASample, each piece of 64 bytes (memory's unit of transfer) remembers in
// which sixty-fourths of the launch it was loaded, and stored: one bit for each. A block's accesses
// belong to its place in the grid, so the result does not depend on who ran it when.

namespace vgpu {

/// The part of the launch that block `number` of `count` belongs to.
inline std::uint64_t visit_bit(std::uint64_t number, std::uint64_t count) {
    __extension__ using Wide = unsigned __int128;
    return std::uint64_t{1} << static_cast<unsigned>(Wide{number} * 64 / count);
}

/// Bytes [offset, offset + bytes) of a region, as far as they lie in `page`, which is sampled.
inline void note_visit(PieceVisits* visits, std::uint64_t page, std::uint64_t offset,
                       std::uint64_t bytes, bool writes, std::uint64_t bit) {
    const std::uint64_t begin = std::max(offset, page << kPageShift),
                        end = std::min(offset + bytes, (page + 1) << kPageShift);
    // Pages before it that are not sampled have no room here.
    const std::uint64_t skipped = (page - page / kPagesASample) * kPiecesAPage;
    for (std::uint64_t piece = begin / kPieceBytes; piece <= (end - 1) / kPieceBytes; ++piece) {
        PieceVisits& visit = visits[piece - skipped];
        (writes ? visit.stores : visit.loads) |= bit;
    }
}

/// Adds up those of a sampled page.
void add_visits(Revisits&, const PieceVisits* visits, std::uint64_t page);

}  // namespace vgpu
