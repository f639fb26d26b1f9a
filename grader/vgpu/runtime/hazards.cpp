#include "runtime/hazards.h"

#include <algorithm>
#include <utility>

namespace vgpu {
std::optional<Overlap> first_conflict(const std::vector<Footprint>& earlier,
                                      const std::vector<Footprint>& later) {
    auto a = earlier.begin(), b = later.begin();
    while (a != earlier.end() && b != later.end()) {
        const Address begin = std::max(a->begin, b->begin), end = std::min(a->end, b->end);
        const bool is_agreed = a->is_strong && b->is_strong;  // atomics get along with atomics
        if (begin < end && (a->is_written || b->is_written) && !is_agreed)
            return Overlap{*a, *b, begin, end};
        a->end < b->end ? ++a : ++b;
    }
    return std::nullopt;
}

std::vector<Hazards::Conflict> Hazards::check(const Operation& later,
                                              const model::Timeline& timeline) {
    std::vector<Conflict> conflicts;
    // Of a stream, only the last that conflicts: whatever waits for that comes after the others,
    // too.
    std::set<model::StreamId> seen{later.stamp.stream};
    for (auto at = pending_.rbegin(); at != pending_.rend(); ++at) {
        const Operation& earlier = *at;
        if (seen.contains(earlier.stamp.stream)) continue;
        if (earlier.is_told && later.copies_to_host) continue;
        const auto overlap = first_conflict(earlier.touched, later.touched);
        if (!overlap || timeline.is_before(earlier.stamp, later.stamp.stream)) continue;
        seen.insert(earlier.stamp.stream);
        if (reported_.size() == kMostReported) continue;
        if (!reported_.insert(std::minmax(earlier.actor.what, later.actor.what)).second) continue;
        conflicts.push_back({earlier, later, overlap->begin, overlap->end,
                             overlap->earlier.is_written, overlap->later.is_written});
    }
    return conflicts;
}

void Hazards::let_go(Operation& operation) {
    if (std::exchange(operation.is_guarded, false)) guard_->remove(operation.touched);
}

template <typename Which>
void Hazards::forget_if(Which which) {
    std::erase_if(pending_, [&](Operation& operation) {
        if (!which(operation)) return false;
        let_go(operation);
        return true;
    });
}

void Hazards::remember(Operation operation) {
    if (operation.touched.empty()) return;
    // A flag or an atomic in memory that the host sees, too: the two may have an arrangement.
    operation.is_guarded = std::none_of(
        operation.touched.begin(), operation.touched.end(),
        [&](const Footprint& part) { return part.is_strong && guard_->watches(part.begin); });
    if (operation.is_guarded) guard_->add(operation.touched);
    // Whoever is not ordered after an older operation of the stream is not ordered after this one
    // either: of those that touch the same, the last will do.
    forget_if([&](const Operation& older) {
        return older.stamp.stream == operation.stamp.stream && older.touched == operation.touched;
    });
    std::size_t parts = operation.touched.size();
    for (const Operation& older : pending_) parts += older.touched.size();
    while (!pending_.empty() && (pending_.size() == kMostRemembered || parts > kMostParts)) {
        parts -= pending_.front().touched.size();
        let_go(pending_.front());
        pending_.pop_front();
    }
    pending_.push_back(std::move(operation));
}

void Hazards::forget_ordered(const model::Timeline& timeline) {
    forget_if(
        [&](const Operation& operation) { return timeline.is_over_for_host(operation.stamp); });
}

void Hazards::forget_memory(Address begin, Address end) {
    for (Operation& operation : pending_) {
        std::vector<Footprint> gone;
        std::erase_if(operation.touched, [&](const Footprint& part) {
            const bool is_gone = part.begin >= begin && part.end <= end;
            if (is_gone) gone.push_back(part);
            return is_gone;
        });
        if (operation.is_guarded) guard_->remove(gone);
    }
}

std::optional<Operation> Hazards::host_access(Address at, bool is_write) {
    const auto touches = [&](const Operation& operation, Address begin, Address end, bool writing) {
        return std::any_of(
            operation.touched.begin(), operation.touched.end(), [&](const Footprint& part) {
                return part.begin < end && part.end > begin && (part.is_written || writing);
            });
    };
    for (Operation& operation : pending_) {
        if (!operation.is_guarded || !touches(operation, at, at + 1, is_write)) continue;
        let_go(operation);
        return operation;
    }
    const Address page = at / guard_->page_bytes() * guard_->page_bytes();
    for (Operation& operation : pending_) {
        if (touches(operation, page, page + guard_->page_bytes(), true)) let_go(operation);
    }
    return std::nullopt;
}

void Hazards::let_go(model::StreamId stream, const model::Timeline& timeline) {
    for (Operation& operation : pending_) {
        if (!timeline.is_before(operation.stamp, stream)) continue;
        let_go(operation);
        operation.is_told = true;
    }
}

}  // namespace vgpu
