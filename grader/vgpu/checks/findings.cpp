// Merges findings by place. See findings.h.
#include "vgpu/checks/findings.h"

#include <algorithm>
#include <utility>

namespace vgpu {
namespace {

bool same_place(const Finding& a, const Finding& b) {
    return a.check == b.check && a.where == b.where && a.space == b.space &&
           a.is_write == b.is_write && a.other.has_value() == b.other.has_value() &&
           (!a.other ||
            (a.other->where == b.other->where && a.other->is_write == b.other->is_write));
}

}  // namespace

void Findings::add(Finding finding, ThreadOrder order) {
    const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return same_place(entry.finding, finding);
    });
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
