// The short way to where a warp's atomic operations go, compiled for several instruction sets
// (atomic_places.cpp).
#pragma once

#include "execute/checked_access.h"

namespace vgpu {

/// Finds the bytes that all active lanes change, updates their shadow words and counts as locate()
/// would; false, with nothing counted, where that takes a closer look.
using PlaceAtomics = bool (*)(Warp&, const Insn&, Mask active, const Addresses&,
                              std::uint32_t bytes, HostPointers&);

/// For this computer's instruction set.
PlaceAtomics atomic_places();

}  // namespace vgpu
