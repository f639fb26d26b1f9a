#include "runtime/page_guard.h"

#include <unistd.h>

#include <algorithm>

namespace vgpu {

PageGuard::PageGuard() : page_bytes_(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))) {}

wire::PageAccess PageGuard::Page::access() const {
    if (writers > 0) return wire::PageAccess::none;
    return readers > 0 ? wire::PageAccess::read : wire::PageAccess::all;
}

void PageGuard::watch(Address base, std::uint64_t bytes) {
    blocks_[base] = {bytes, std::vector<Page>((bytes + page_bytes_ - 1) / page_bytes_)};
}

void PageGuard::unwatch(Address base) {
    blocks_.erase(base);
}

bool PageGuard::watches(Address at) const {
    const auto after = blocks_.upper_bound(at);
    return after != blocks_.begin() &&
           at - std::prev(after)->first < std::prev(after)->second.bytes;
}

void PageGuard::count(const std::vector<Footprint>& touched, int change) {
    // Parts that follow one another without a gap cover pages together.
    const auto each_run = [&](std::int32_t Page::*counter, auto is_wanted) {
        Address begin = 0, end = 0;
        for (const Footprint& part : touched) {
            if (!is_wanted(part)) continue;
            if (part.begin > end) {
                count_run(begin, end, counter, change);
                begin = part.begin;
            }
            end = std::max(end, part.end);
        }
        count_run(begin, end, counter, change);
    };
    each_run(&Page::writers, [](const Footprint& part) { return part.is_written; });
    each_run(&Page::readers, [](const Footprint&) { return true; });
}

/// Counts the whole pages within [begin, end); the last one of a block ends with the block.
void PageGuard::count_run(Address begin, Address end, std::int32_t Page::*counter, int change) {
    auto at = blocks_.upper_bound(begin);
    if (at != blocks_.begin()) --at;
    for (; at != blocks_.end() && at->first < end; ++at) {
        auto& [base, block] = *at;
        const Address block_end = base + block.bytes;
        if (begin >= block_end) continue;
        const Address from = std::max(begin, base) - base;
        const Address to = end >= block_end ? block.pages.size() * page_bytes_ : end - base;
        for (auto i = (from + page_bytes_ - 1) / page_bytes_; i < to / page_bytes_; ++i) {
            Page& page = block.pages[i];
            page.*counter += change;
            if (page.is_dirty || page.access() == page.told) continue;
            page.is_dirty = true;
            dirty_.push_back(base + i * page_bytes_);
        }
    }
}

std::vector<wire::PageChange> PageGuard::take_changes(std::size_t most) {
    std::vector<wire::PageChange> changes;
    std::size_t taken = 0;
    for (; taken < dirty_.size(); ++taken) {
        const Address at = dirty_[taken];
        const auto after = blocks_.upper_bound(at);
        if (after == blocks_.begin()) continue;
        auto& [base, block] = *std::prev(after);
        if ((at - base) / page_bytes_ >= block.pages.size()) continue;  // unwatched since
        Page& page = block.pages[(at - base) / page_bytes_];
        if (page.access() == page.told) {
            page.is_dirty = false;
            continue;
        }
        const bool continues =
            !changes.empty() && changes.back().end == at && changes.back().access == page.access();
        if (!continues && changes.size() == most) break;
        page.is_dirty = false;
        page.told = page.access();
        if (continues) {
            changes.back().end += page_bytes_;
        } else {
            changes.push_back({at, at + page_bytes_, page.told, 0});
        }
    }
    dirty_.erase(dirty_.begin(), dirty_.begin() + static_cast<std::ptrdiff_t>(taken));
    return changes;
}

}  // namespace vgpu
