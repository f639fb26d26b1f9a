#include "profile/hot_addresses.h"

#include <algorithm>
#include <utility>

namespace vgpu {

bool HotAddresses::Table::grow() {
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

void HotAddresses::Table::merge(const Table& other) {
    is_full_ |= other.is_full_;
    for (const Slot& slot : other.slots_)
        if (slot.times != 0) add(slot.at, slot.times, slot.of_floats);
}

HotAddresses::Slot HotAddresses::Table::most() const {
    Slot most;
    if (is_full_) return most;
    for (const Slot& slot : slots_)
        if (slot.times > most.times || (slot.times == most.times && slot.at < most.at)) most = slot;
    return most;
}

void HotAddresses::merge(const HotAddresses& other) {
    operations_.merge(other.operations_);
    visits_.merge(other.visits_);
}

std::optional<HotAddress> HotAddresses::hottest() const {
    const Slot address = operations_.most();
    if (address.times == 0) return {};
    HotAddress hottest;
    hottest.address = address.at;
    hottest.operations = address.times;
    hottest.visits = visits_.most().times;
    hottest.of_floats = address.of_floats;
    return hottest;
}

}  // namespace vgpu
