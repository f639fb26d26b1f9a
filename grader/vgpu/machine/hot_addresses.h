// How often atomics hit each address of global memory: those that meet at one address queue up.
//
// Which address is the hottest does not depend on who counted which part: tables are merged, and
// one that would grow too large says nothing at all instead of a part.
//
// Interface: HotAddresses::{add, merge, hottest}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/device.h"

namespace vgpu {

class HotAddresses {
public:
    void add(Address at, std::uint64_t times, std::uint64_t visits, bool of_floats) {
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
        slots_[i].visits += visits;
        slots_[i].of_floats = of_floats;
    }
    void merge(const HotAddresses&);
    /// The lowest of those that were hit most; nothing when there were none, or too many to tell.
    std::optional<HotAddress> hottest() const;

private:
    struct Slot {
        Address at = 0;
        std::uint64_t times = 0;   ///< 0: free
        std::uint64_t visits = 0;  ///< these two as in HotAddress
        bool of_floats = false;
    };
    static constexpr std::size_t kFirst = 256, kMost = std::size_t{1} << 19;  // slots: 16 MiB

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

}  // namespace vgpu
