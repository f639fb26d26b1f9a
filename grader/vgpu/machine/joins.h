// Loads of shared memory that ptxas makes one of: up to 16 bytes that lie side by side, read
// through one register whose value it knows to be aligned, with no store in between.
//
// It matters for how often shared memory's banks are passed: four loads of one word by all lanes
// are four passes, or two. (Measured on an H200: a tiled product's loads of one row are joined,
// those of rows that are padded by one element are not.)
//
// Interface: join_shared_loads.
#pragma once

#include "vgpu/machine/code.h"

namespace vgpu {

struct Scope;

/// Sets Insn::counted_bytes of a function's loads, which are encoded already.
void join_shared_loads(Image&, const Scope&);

}  // namespace vgpu
