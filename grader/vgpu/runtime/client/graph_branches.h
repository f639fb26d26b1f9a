// A graph is launched: nodes that need nothing from each other run side by side.
//
// Each branch gets a stream of its own for as long as the launch takes, and events order what must
// be ordered: so the timeline knows what overlaps, and what touches the same memory with no path
// between them in the graph is found as it is between streams.
//
//     stream     [A]--record-->[B]---------wait-->   (goes on behind all branches)
//     a branch        wait-->[C]-->[D]--record
//
// Interface: launch_branches.
#pragma once

#include <cuda_runtime_api.h>

#include "vgpu/runtime/client/graph_state.h"

namespace vgpu::client {

/// Does what the nodes say, behind what is in the stream. Not under the runtime's lock.
cudaError_t launch_branches(const CUgraphExec_st&, cudaStream_t);

}  // namespace vgpu::client
