// Global memory of the virtual GPU: allocations in one window of addresses, each with bits that say
// which of its bytes were ever written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "memory/kept_mappings.h"
#include "memory/region.h"
#include "vgpu/device.h"

// Allocations stand apart by at least their own size (and 1 MiB), so that an index wrong by a
// factor of two still hits nothing. Freed ones stay in quarantine, known by name but without
// memory, until the window has gone round or kQuarantine others were freed. Host pages are mapped
// when first touched. Each device byte has 1/8 byte of written bits and, where kernels touch it, 2
// bytes of shadow words (shadow_word.h).
//
// Allocations by kernels lie in a part of the window of their own, out of the host's reach.

namespace vgpu {

class DeviceMemory {
public:
    explicit DeviceMemory(std::uint64_t capacity_bytes);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    std::optional<Address> allocate(std::uint64_t size_bytes, std::string name);
    void adopt(Address at, std::span<std::byte> memory, std::string name);
    Address reserve(std::uint64_t size_bytes);
    Device::Release release(Address base);

    /// For malloc in kernels; null when it would hold more than `heap_bytes`.
    Address allocate_in_heap(std::uint64_t size_bytes, std::uint64_t heap_bytes);
    Device::Release release_in_heap(Address base);

    bool write(Address to, std::span<const std::byte> from);
    bool read(std::span<std::byte> to, Address from) const;
    bool fill(Address to, std::byte value, std::uint64_t size_bytes);
    bool copy(Address to, Address from, std::uint64_t size_bytes);
    bool forget(Address at, std::uint64_t size_bytes);

    /// The region that `at` lies in, live or freed; null when there is none.
    Region* find(Address at);
    const Region* find(Address at) const { return const_cast<DeviceMemory*>(this)->find(at); }
    /// Textures and surfaces; a number is never used twice.
    std::uint64_t add_texture(const Texture&);
    bool remove_texture(std::uint64_t handle) { return textures_.erase(handle) != 0; }
    const Texture* texture(std::uint64_t handle) const {
        const auto found = textures_.find(handle);
        return found == textures_.end() ? nullptr : &found->second;
    }

    /// The live allocation with the smallest distance to `at`, which lies in none.
    std::optional<Nearest> nearest(Address at) const;
    std::uint64_t bytes_in_use() const { return bytes_in_use_; }

    /// A new number for a run of a launch: what pages say of earlier ones no longer counts.
    std::uint32_t next_run() { return ++run_; }
    /// Numbers that stand for `count` blocks in shadow words, from `first` on. When they are used
    /// up a new series begins, and shadow words of an older series must be cleared.
    struct Owners {
        std::uint32_t first = 1, series = 1;
    };
    Owners claim_owners(std::uint32_t count) {
        if (owners_.first + count > kOwners) owners_ = {1, owners_.series + 1};
        const Owners claimed = owners_;
        owners_.first += count;
        return claimed;
    }
    /// A number for contents that never were before (Page::content).
    std::uint64_t next_content() {
        constexpr std::uint64_t kApart = 0x9e37'79b9'7f4a'7c15;  // odd: none comes twice
        return ++contents_ * kApart;
    }
    /// Whether a write, or a fill, would leave all as it is.
    bool holds(Address at, std::span<const std::byte> bytes) const;
    bool holds(Address at, std::byte value, std::uint64_t size_bytes) const;
    /// Calls `visit` for each live region.
    template <class Visit>
    void each_live(Visit visit) {
        for (auto& [base, entry] : entries_)
            if (entry.region.live) visit(entry.region);
    }
    /// Calls `visit` for each live region that launches keep shadow words for.
    template <class Visit>
    void each_with_shadow(Visit visit) {
        for (auto& [base, entry] : entries_)
            if (entry.region.live && entry.region.pages) visit(entry.region);
    }

private:
    struct Entry {
        Region region;
        std::size_t mapped_bytes = 0;        ///< 0: adopted memory, not ours to unmap
        std::byte* shadow_memory = nullptr;  ///< mapped: room to align, shadow words, then pages
        std::size_t shadow_bytes = 0;
        std::uint64_t charged_bytes = 0;
        std::unique_ptr<std::uint64_t[]>
            in_heap;  ///< of a kernel's malloc: data, then written bits
    };

    Region* live_range(Address at, std::uint64_t size_bytes) const;
    std::optional<Address> place(std::uint64_t size_bytes);
    void drop_pages(Entry&);
    void add_shadow(Entry&);
    bool fill_fresh(std::byte* data, std::size_t bytes);

    KeptMappings data_mappings_,
        shadow_mappings_;  ///< apart: old shadow words must have been shadow words
    std::map<Address, Entry> entries_;
    std::deque<Address> quarantine_, heap_quarantine_;
    Address heap_cursor_;
    std::uint64_t heap_bytes_in_use_ = 0, heap_count_ = 0;
    Address cursor_;
    std::uint64_t capacity_bytes_, bytes_in_use_ = 0;
    std::map<std::uint64_t, Texture> textures_;
    std::uint64_t textures_made_ = 0;
    std::uint32_t run_ = 0;
    std::uint64_t contents_ = 0;
    Owners owners_;
    int fresh_pages_ =
        -1;  ///< a file of kFreshMemory, mapped copy-on-write behind large allocations
};

}  // namespace vgpu
