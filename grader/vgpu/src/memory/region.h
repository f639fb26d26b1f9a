// A stretch of device addresses with host memory behind it: an allocation, a variable, the running
// block's shared or local memory, a launch's parameters. Every checked access ends up in a Region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "memory/pages.h"
#include "vgpu/device.h"

namespace vgpu {

/// Generic addresses of what is not global memory. Each window is as large as a 32-bit address
/// reaches; a state space's own addresses (ld.shared, ld.local) are offsets into its window.
inline constexpr Address kSharedWindow = 0x1000'0000'0000;
inline constexpr Address kLocalWindow = 0x1100'0000'0000;
inline constexpr Address kParameterWindow = 0x1200'0000'0000;
inline constexpr std::uint64_t kSpaceWindowBytes = 1ull << 32;
/// Functions' addresses, which only calls understand.
inline constexpr Address kCodeWindow = 0x1300'0000'0000;

/// Numbers of texture and surface objects, so that one is never taken for an address.
inline constexpr Address kTextureWindow = 0x1400'0000'0000;
inline constexpr Address kTexturesApart = 32;

class Guard;
struct PieceVisits;

struct Region {
    Address base = 0;
    std::uint64_t size_bytes = 0;
    std::byte* data = nullptr;
    std::uint64_t* written = nullptr;  ///< a bit a byte (written_bits.h); null: all written
    ShadowWord* shadow = nullptr;      ///< one a word; null: nothing that races is written here
    Page* pages = nullptr;             ///< of global memory
    PieceVisits* visits = nullptr;     ///< of its sampled pages (page_visits.h); where pages are
    const Guard* guard = nullptr;      ///< what the program forbids here, if anything
    OpenPages open;
    Space space = Space::global;
    bool live = true;  ///< false: freed and in quarantine, or only reserved
    bool reserved = false;
    bool was_forgotten = false;  ///< bytes that count as unwritten may hold anything
    std::string name;

    [[gnu::always_inline]] bool contains(Address at, std::uint64_t bytes) const {
        const std::uint64_t offset = at - base;
        return offset < size_bytes && bytes <= size_bytes - offset;
    }
    Allocation allocation() const { return {base, size_bytes, name}; }
};

/// Of global memory.
inline std::uint64_t pages_of(const Region& region) {
    return (region.size_bytes + kPageBytes - 1) / kPageBytes;
}

}  // namespace vgpu
