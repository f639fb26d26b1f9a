#include "vgpu/machine/hot_addresses.h"

#include <algorithm>
#include <utility>

namespace vgpu {

bool HotAddresses::grow() {
    if (is_full_ || slots_.size() == kMost) {
        is_full_ = true;
        return false;
    }
    const auto before =
        std::exchange(slots_, std::vector<Slot>(std::max(kFirst, 2 * slots_.size())));
    for (const Slot& slot : before)
        if (slot.times != 0) slots_[find(slot.at)] = slot;
    return true;
}

void HotAddresses::merge(const HotAddresses& other) {
    is_full_ |= other.is_full_;
    for (const Slot& slot : other.slots_)
        if (slot.times != 0) add(slot.at, slot.times, slot.visits, slot.of_floats);
}

std::optional<HotAddress> HotAddresses::hottest() const {
    HotAddress hottest;
    for (const Slot& slot : slots_)
        if (slot.times > hottest.operations ||
            (slot.times == hottest.operations && slot.at < hottest.address))
            hottest = {slot.at, slot.times, {}, slot.visits, slot.of_floats};
    if (is_full_ || hottest.operations == 0) return {};
    return hottest;
}

}  // namespace vgpu
