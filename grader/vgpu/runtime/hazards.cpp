#include "vgpu/runtime/hazards.h"

#include <algorithm>

namespace vgpu {
namespace {

struct Overlap {
    Footprint earlier, later;
    Address begin, end;
};

/// The first place that both touch and at least one writes.
std::optional<Overlap> first_conflict(const std::vector<Footprint>& earlier,
                                      const std::vector<Footprint>& later) {
    auto a = earlier.begin(), b = later.begin();
    while (a != earlier.end() && b != later.end()) {
        const Address begin = std::max(a->begin, b->begin), end = std::min(a->end, b->end);
        if (begin < end && (a->is_written || b->is_written)) return Overlap{*a, *b, begin, end};
        a->end < b->end ? ++a : ++b;
    }
    return std::nullopt;
}

}  // namespace

std::vector<Hazards::Conflict> Hazards::check(const Operation& later,
                                              const model::Timeline& timeline) {
    std::vector<Conflict> conflicts;
    for (const Operation& earlier : pending_) {
        if (earlier.stamp.stream == later.stamp.stream) continue;
        const auto overlap = first_conflict(earlier.touched, later.touched);
        if (!overlap || timeline.is_before(earlier.stamp, later.stamp.stream)) continue;
        if (!reported_.insert(std::minmax(earlier.what, later.what)).second) continue;
        conflicts.push_back({earlier, later, overlap->begin, overlap->end,
                             overlap->earlier.is_written, overlap->later.is_written});
    }
    return conflicts;
}

void Hazards::remember(Operation operation) {
    if (operation.touched.empty()) return;
    // Whoever is not ordered after an older operation of the stream is not ordered after this one
    // either: of those that touch the same, the last will do.
    std::erase_if(pending_, [&](const Operation& older) {
        return older.stamp.stream == operation.stamp.stream && older.touched == operation.touched;
    });
    if (pending_.size() == kMostRemembered) pending_.pop_front();
    pending_.push_back(std::move(operation));
}

void Hazards::forget_ordered(const model::Timeline& timeline) {
    std::erase_if(pending_, [&](const Operation& operation) {
        return timeline.is_over_for_host(operation.stamp);
    });
}

void Hazards::forget_memory(Address begin, Address end) {
    for (Operation& operation : pending_) {
        std::erase_if(operation.touched, [&](const Footprint& part) {
            return part.begin >= begin && part.end <= end;
        });
    }
}

}  // namespace vgpu
