// Merges findings by place. See findings.h.
#include "state/findings.h"

#include <algorithm>
#include <utility>

namespace vgpu {
namespace {

bool is_side(const Other& side, const SourceLine& where, bool is_write) {
    return side.where == where && side.is_write == is_write;
}

/// A race has two sides, and which of them comes second, and so is the finding's own, changes from
/// thread to thread.
bool same_race(const Finding& a, const Finding& b) {
    const bool in_order = is_side(*b.other, a.other->where, a.other->is_write) &&
                          a.where == b.where && a.is_write == b.is_write;
    return in_order ||
           (is_side(*b.other, a.where, a.is_write) && is_side(*a.other, b.where, b.is_write));
}

bool same_place(const Finding& a, const Finding& b) {
    if (a.check != b.check || a.space != b.space || a.other.has_value() != b.other.has_value())
        return false;
    return a.other ? same_race(a, b) : a.where == b.where && a.is_write == b.is_write;
}

}  // namespace

std::vector<Findings::Entry>::iterator Findings::find(const Finding& finding) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return same_place(entry.finding, finding); });
}

void Findings::add_to(const Finding& more) {
    const auto known = find(more);
    if (known != entries_.end()) known->finding.occurrences += more.occurrences;
}

void Findings::add(Finding finding, ThreadOrder order) {
    const auto known = find(finding);
    if (known == entries_.end()) {
        if (entries_.size() < limit_) entries_.push_back({std::move(finding), order});
        return;
    }
    const std::uint64_t occurrences = known->finding.occurrences + finding.occurrences;
    if (order < known->order) *known = {std::move(finding), order};
    known->finding.occurrences = occurrences;
}

std::vector<Finding> Findings::take() {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.order < b.order; });
    std::vector<Finding> findings;
    for (auto& entry : entries_) findings.push_back(std::move(entry.finding));
    entries_.clear();
    return findings;
}

}  // namespace vgpu
