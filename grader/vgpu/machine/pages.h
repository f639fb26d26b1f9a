// Pages of device memory: what a launch knows of each, and how its writes are taken back.
//
// Before a launch writes to a page for the first time, the page is saved: a
// launch whose blocks turn out to race, or ran side by side when they should not have, is undone
// and runs again.
//
// Interface: Page, OpenPages; Undo::{save, restore, is_unchanged, forget, bytes}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace vgpu {

struct Region;

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr unsigned kPageShift = 12;
inline constexpr std::uint64_t kPageWords = kPageBytes / 4;
/// Accesses that lie within fewer pages are near each other.
inline constexpr std::uint64_t kFewPages = 4;

struct Page {
    std::uint32_t touched = 0;  ///< the run of a launch that touched it last
    std::uint32_t saved = 0;    ///< the run in which it was saved
    std::uint32_t watched = 0;  ///< the run in which a witness watches it
    std::uint32_t owners = 0;   ///< the series of owner numbers that its shades are of
    std::uint32_t lock = 0;     ///< held by a worker while it accesses the page
};

/// How many of a region's pages a run has opened, where one worker does it all: those that jump
/// about in a region need not look at its pages once all of them are open.
struct OpenPages {
    std::uint32_t run = 0;
    std::uint64_t touched = 0, saved = 0;
};

/// Copies of pages as they were. save() may be called by several threads.
class Undo {
public:
    ~Undo();
    void save(Region&, std::uint64_t page);
    void restore();
    /// Whether all pages that were saved are as they were, written bits included.
    bool is_unchanged() const;
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
