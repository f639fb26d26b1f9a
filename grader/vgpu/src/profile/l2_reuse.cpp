#include "profile/l2_reuse.h"

#include <bit>

namespace vgpu {
namespace {

void add_gaps(Revisits::Gaps& gaps, std::uint64_t visits) {
    while (true) {
        visits >>= std::countr_zero(visits);
        visits &= ~std::uint64_t{1};
        if (visits == 0) return;
        const auto gap = static_cast<unsigned>(std::countr_zero(visits));
        ++gaps[static_cast<std::size_t>(std::bit_width(gap) - 1)];
    }
}

}  // namespace

void add_visits(Revisits& sum, const PieceVisits* visits, std::uint64_t page) {
    const PieceVisits* piece = visits + page / kPagesASample * kPiecesAPage;
    for (const PieceVisits* end = piece + kPiecesAPage; piece != end; ++piece) {
        if ((piece->loads | piece->stores) == 0) continue;
        ++sum.pieces;
        if (piece->loads != 0) {
            ++sum.loaded;
            add_gaps(sum.loaded_again, piece->loads);
        }
        if (piece->stores != 0) {
            ++sum.stored;
            add_gaps(sum.stored_again, piece->stores);
        }
    }
}

}  // namespace vgpu
