// From addresses to host memory, with all checks: what every load, store and atomic goes through
// unless it is harmless (execute/ops/access_ops.cpp has shortcuts).
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/pages.h"
#include "state/warp.h"

namespace vgpu {

enum class Access : std::uint8_t { read, write, atomic };

/// One generic address a lane.
struct Addresses {
    alignas(64) Address lane[kWarpSize];
};
struct HostPointers {
    std::byte* lane[kWarpSize];
    Page* page[kWarpSize];  ///< to be held meanwhile (PageLock); null: nobody else's
};

/// Finds the bytes that each active lane accesses, reports what is wrong, counts, and marks what is
/// written. Returns the lanes whose access may be carried out; the launch's outcome is set if the
/// others must end it.
Mask locate(Warp&, const Insn&, Mask active, const Addresses&, std::uint32_t bytes, Access,
            HostPointers&);

/// The state space that a generic address lies in; constant variables lie in global memory.
Space space_of(Address);
/// Whether it is an address of shared or local memory.
bool is_of_block(Address);
/// Whether nothing has written some byte of shared or local memory.
bool is_unset(Warp&, unsigned lane, Address, std::uint32_t bytes);
/// It counts as never written from now on.
void mark_unset(Warp&, unsigned lane, Address, std::uint32_t bytes);

/// What the lanes are about to store.
struct NewBytes {
    alignas(16) std::byte lane[kWarpSize][16];
};
/// Tells the recorder and the happens-before checker of the launch, which has one of them
/// (Execution::is_watched). `values`: of a write.
void tell_watchers(Warp&, const Insn&, Mask active, const Addresses&, std::uint32_t bytes, Access,
                   const NewBytes* values);

/// For what is not an access of the program itself (printf's arguments, strings): the bytes at an
/// address as one thread sees them, or null.
const std::byte* peek(Warp&, unsigned lane, Address, std::uint64_t bytes);

}  // namespace vgpu
