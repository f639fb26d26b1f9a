// Findings of one launch: one for each mistake and source line, however often it is made.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vgpu/device.h"

namespace vgpu {

/// Where in a launch a thread stands: blocks first, then threads within a block.
struct ThreadOrder {
    std::uint64_t block = 0, thread = 0;
    friend auto operator<=>(const ThreadOrder&, const ThreadOrder&) = default;
};

class Findings {
public:
    explicit Findings(std::size_t limit) : limit_(limit) {}

    /// Adds a finding made by a thread; one of the same kind at the same line (of a race: between
    /// the same two lines) is counted there, and the earlier thread is the one that it names.
    /// Findings beyond the limit are dropped.
    void add(Finding finding, ThreadOrder order);
    /// Counts more of a finding that was added, if it was not dropped.
    void add_to(const Finding& more);
    bool empty() const { return entries_.empty(); }
    template <class Test>
    bool any_of(Test test) const {
        for (const Entry& entry : entries_)
            if (test(entry.finding)) return true;
        return false;
    }
    /// In the order of their first threads.
    std::vector<Finding> take();

private:
    struct Entry {
        Finding finding;
        ThreadOrder order;
    };
    std::vector<Entry>::iterator find(const Finding&);

    std::size_t limit_;
    std::vector<Entry> entries_;
};

}  // namespace vgpu
