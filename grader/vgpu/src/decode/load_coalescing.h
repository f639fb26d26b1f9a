// Finds loads of shared memory that ptxas joins: up to 16 adjacent bytes, read through one register
// whose value it knows to be aligned, with no store in between.
#pragma once

#include "state/code.h"

// They change the number of passes over shared memory's banks: four loads of one word by all lanes
// are four passes, or two. (Measured on an H200: a tiled product's loads of one row are joined,
// those of rows padded by one element are not.)

namespace vgpu {

struct Scope;

/// Sets Insn::counted_bytes of a function's loads, which are encoded already.
void coalesce_shared_loads(Image&, const Scope&);

}  // namespace vgpu
