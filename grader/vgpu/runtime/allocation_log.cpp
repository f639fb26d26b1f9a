#include "runtime/allocation_log.h"

#include <algorithm>

namespace vgpu {

using nlohmann::ordered_json;

void AllocationLog::allocated(Address at, std::string name, std::uint64_t bytes,
                              std::span<const std::uint64_t> callers) {
    if (allocations_.size() == kMost && !allocations_.contains(at))
        allocations_.erase(allocations_.begin());
    const auto end = std::ranges::find(callers, 0u);
    allocations_[at] = {std::move(name), bytes, {callers.begin(), end}, ++count_};
}

void AllocationLog::released(Address at) {
    if (const auto found = allocations_.find(at); found != allocations_.end())
        found->second.is_live = false;
}

void AllocationLog::reset() {
    for (auto& [at, allocation] : allocations_) allocation.is_live = false;
}

void AllocationLog::begin_call() {
    before_call_ = count_;
}

ordered_json AllocationLog::record(const Allocation& allocation, bool is_kept) {
    return {{"record", "allocation"},
            {"name", allocation.name},
            {"size_bytes", allocation.bytes},
            {"callers", allocation.callers},
            {"kept", is_kept}};
}

std::optional<ordered_json> AllocationLog::tell(Address at) {
    const auto found = allocations_.find(at);
    if (found == allocations_.end() || !told_.insert(found->second.number).second)
        return std::nullopt;
    return record(found->second, false);
}

std::vector<ordered_json> AllocationLog::kept() const {
    std::vector<const Allocation*> live;
    for (const auto& [at, allocation] : allocations_) {
        if (allocation.is_live && allocation.number > before_call_) live.push_back(&allocation);
    }
    std::ranges::sort(live, {}, &Allocation::number);
    if (live.size() > kMostKept) live.resize(kMostKept);
    std::vector<ordered_json> records;
    for (const Allocation* allocation : live) records.push_back(record(*allocation, true));
    return records;
}

}  // namespace vgpu
