// Where a key leads from a step of a recording. Each gives the step to go to, forwards (1) or
// backwards (-1), or the same one where there is none.
#pragma once

#include <cstddef>

#include "vgpu/recording.h"

namespace lab {

/// One memory access, or barrier.
std::size_t next_access(const vgpu::Recording& recording, std::size_t from, int direction);
std::size_t next_line(const vgpu::Recording& recording, std::size_t from, int direction);
/// Where a barrier opens for the last of its warps.
std::size_t next_barrier(const vgpu::Recording& recording, std::size_t from, int direction);
/// Another warp's step.
std::size_t next_warp(const vgpu::Recording& recording, std::size_t from, int direction);
/// The first step that shows something.
std::size_t first_access(const vgpu::Recording& recording);
/// The step of `there` at the same moment as here.steps[at]: of the same block and warp, and as
/// many accesses and barriers from its beginning. Its last one where it has fewer; the first step
/// that shows something where it has no such warp.
std::size_t same_moment(const vgpu::Recording& here, std::size_t at, const vgpu::Recording& there);

}  // namespace lab
