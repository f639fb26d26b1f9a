// Tracks the pages of pinned and managed memory that the program must not touch at the moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/wire.h"
#include "vgpu/device.h"

// A copy or kernel that the host has not waited for may still read or write host memory. The client
// closes such pages (read-only, or no access at all), so that a premature access faults and can be
// reported. Only pages that an operation covers as a whole are closed: the program may work on the
// rest of a page, and a system call with a pointer to it would fail rather than fault.

namespace vgpu {

class PageGuard {
public:
    PageGuard();

    /// Memory that the host shares; starts on a page and has its pages to itself.
    void watch(Address base, std::uint64_t bytes);
    void unwatch(Address base);
    bool watches(Address) const;
    void clear() { blocks_.clear(), dirty_.clear(); }

    /// An operation that touches these parts begins, and ends. Both calls get the same parts.
    void add(const std::vector<Footprint>& touched) { count(touched, +1); }
    void remove(const std::vector<Footprint>& touched) { count(touched, -1); }

    bool has_changes() const { return !dirty_.empty(); }
    /// What the client must do, at most `most` ranges at a time.
    std::vector<wire::PageChange> take_changes(std::size_t most);
    std::uint64_t page_bytes() const { return page_bytes_; }

private:
    struct Page {
        std::int32_t readers = 0, writers = 0;  ///< operations that cover it
        wire::PageAccess told = wire::PageAccess::all;
        bool is_dirty = false;

        wire::PageAccess access() const;
    };
    struct Block {
        std::uint64_t bytes = 0;
        std::vector<Page> pages;
    };

    void count(const std::vector<Footprint>& touched, int change);
    void count_run(Address begin, Address end, std::int32_t Page::*counter, int change);

    const std::uint64_t page_bytes_;
    std::map<Address, Block> blocks_;
    std::vector<Address> dirty_;  ///< pages that may have changed
};

}  // namespace vgpu
