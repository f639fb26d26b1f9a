// Whether programs can have the virtual GPU's addresses here. Device memory that the host may
// access lies at the same address for both, so a program must be able to map memory in the whole
// window (vgpu/finding.h). Some kernels for Arm give programs 39 or 42 bits of addresses, which end
// below.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <optional>

#include "vgpu/finding.h"

namespace vgpu {

/// The bits that addresses in the window have.
inline constexpr int kNeededAddressBits = 46;
static_assert(kWindowEnd <= Address{1} << kNeededAddressBits);

/// Whether the kernel can map a page of this process at `at`, a multiple of 64 KiB.
inline bool can_map_at(Address at) {
    constexpr std::size_t kPage = 64 << 10;
    void* const wanted = reinterpret_cast<void*>(at);
    void* const got =
        mmap(wanted, kPage, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) return errno == EEXIST;  // something is there already
    munmap(got, kPage);
    return got == wanted;
}

/// The bits of the highest address that this process can have, 0 if no try succeeds.
inline int address_bits() {
    for (int bits = 56; bits > 30; --bits)
        if (can_map_at(Address{1} << (bits - 1))) return bits;
    return 0;
}

/// Nothing if the kernel has addresses up to `end`; else how many bits they have. A limit on the
/// size of the address space (RLIMIT_AS) is no reason, as it says nothing about addresses.
inline std::optional<int> too_few_address_bits(Address end = kWindowEnd) {
    if (can_map_at(end - (64 << 10))) return std::nullopt;
    const int bits = address_bits();
    if (bits == 0) return std::nullopt;
    return bits;
}

}  // namespace vgpu
