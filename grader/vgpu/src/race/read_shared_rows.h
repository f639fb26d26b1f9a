// Remembers rows of shared memory that a warp found read-shared, so that reading them again is
// free.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/pages.h"
#include "state/code.h"
#include "state/inline.h"

namespace vgpu {

/// One word a lane.
inline constexpr std::uint64_t kRowBytes = 4 * kWarpSize;

/// A row's entry when its words are read-shared for a warp of the block `owner` (at its place in a
/// shadow word) at the warp's time `now`.
VGPU_INLINE ShadowWord read_shared_at(ShadowWord owner, ShadowWord now) {
    return owner | now << 1 | 1;
}

/// Of each row of shared memory: when all of its words were found read-shared (read_shared_at); 0
/// since they were written.
class ReadSharedRows {
public:
    void resize(std::uint64_t bytes) { rows_.resize(bytes / kRowBytes + 1); }
    void clear() { std::fill(rows_.begin(), rows_.end(), 0); }
    VGPU_INLINE ShadowWord at(std::uint64_t row) const { return rows_[row]; }
    VGPU_INLINE void note(std::uint64_t row, ShadowWord now) { rows_[row] = now; }
    /// [offset, offset + bytes) was written.
    VGPU_INLINE void forget(std::uint64_t offset, std::uint64_t bytes) {
        for (std::uint64_t row = offset / kRowBytes; row <= (offset + bytes - 1) / kRowBytes; ++row)
            rows_[row] = 0;
    }

private:
    std::vector<ShadowWord> rows_;
};

}  // namespace vgpu
