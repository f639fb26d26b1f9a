// Counts atomics on each address of global memory, and on each piece of it: those that meet queue
// up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/device.h"

// Memory works on a piece of 512 bytes one visit after the other, and on different pieces at the
// same time (measured on an H200, with histograms of 16 to 4096 bins).
//
// The hottest address does not depend on who counted which part: tables are merged, and one that
// would grow too large gives no answer instead of a partial one.

namespace vgpu {

class HotAddresses {
public:
    static Address piece_of(Address at) { return at / kPieceBytes * kPieceBytes; }

    /// `times` operations.
    void add(Address at, std::uint64_t times, bool of_floats) {
        operations_.add(at, times, of_floats);
    }
    /// What they make: visits to a piece.
    void queue(Address at, std::uint64_t visits) { visits_.add(piece_of(at), visits, false); }
    void merge(const HotAddresses&);
    /// The lowest of those that were hit most; nothing when there were none, or too many to tell.
    std::optional<HotAddress> hottest() const;

private:
    static constexpr Address kPieceBytes = 512;

    struct Slot {
        Address at = 0;
        std::uint64_t times = 0;  ///< 0: free
        bool of_floats = false;
    };
    class Table {
    public:
        void add(Address at, std::uint64_t times, bool of_floats) {
            if (slots_.empty()) grow();
            std::size_t i = find(at);
            if (slots_[i].times == 0) {  // a new one
                if (2 * used_ >= slots_.size()) {
                    if (!grow()) return;
                    i = find(at);
                }
                slots_[i].at = at;
                ++used_;
            }
            slots_[i].times += times;
            slots_[i].of_floats = of_floats;
        }
        void merge(const Table&);
        /// Nothing (of no times) when there were none, or too many to tell.
        Slot most() const;

    private:
        static constexpr std::size_t kFirst = 256, kMost = std::size_t{1} << 19;  // slots: 12 MiB

        std::size_t find(Address at) const {
            const std::size_t last = slots_.size() - 1;
            std::size_t i = (at * 0x9e37'79b9'7f4a'7c15 >> 40) & last;
            while (slots_[i].times != 0 && slots_[i].at != at) i = (i + 1) & last;
            return i;
        }
        /// False when there are too many.
        bool grow();

        std::vector<Slot> slots_;
        std::size_t used_ = 0;
        bool is_full_ = false;
    };

    Table operations_, visits_;
};

}  // namespace vgpu
