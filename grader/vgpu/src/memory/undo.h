// Takes a launch's writes back, and makes them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "memory/device_memory.h"

// Before a launch's first write to a page, the page is saved. A launch whose blocks turn out to
// race, or should not have run in parallel, is undone and runs again. Afterwards the saved pages
// show the launch's changes.

namespace vgpu {

/// What a launch left otherwise than it was.
struct Changes {
    struct Changed {
        Region* region;
        std::uint64_t page;
        std::uint64_t content;  ///< Page::content since then
    };
    std::vector<Changed> pages;
    std::vector<std::byte> contents;  ///< of each page, as they are now: data, then written bits

    /// Makes the same changes again; to be called only where memory is as it was before.
    void make() const;
};

/// Copies of pages as they were. save() may be called by several threads.
class Undo {
public:
    ~Undo();
    void save(Region&, std::uint64_t page);
    void restore();
    /// How the saved pages differ from what they are now, written bits included, and gives those
    /// pages their numbers; nothing, and new numbers for all, if more than `most_pages` differ.
    std::optional<Changes> changes(std::size_t most_pages, DeviceMemory&);
    /// The saved pages may hold anything now.
    void renumber(DeviceMemory&);
    void forget();
    std::uint64_t bytes() const { return bytes_; }

private:
    struct Saved {
        Region* region;
        std::uint64_t page;
        std::byte* data;  ///< kPageBytes and their written bits; null: nothing was ever written
    };
    std::byte* take();

    std::mutex mutex_;
    std::vector<Saved> saved_;
    std::vector<std::byte*> chunks_;
    std::size_t chunk_ = 0, used_ = 0;  ///< the chunk in use, and its bytes in use
    std::uint64_t bytes_ = 0;
};

}  // namespace vgpu
