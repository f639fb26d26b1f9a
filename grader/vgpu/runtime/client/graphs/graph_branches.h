// Launches a graph: independent nodes run in parallel.
#pragma once

#include <cuda_runtime_api.h>

#include "runtime/client/graphs/graph_state.h"

// Each branch gets a stream of its own during the launch, and events keep the graph's order. So the
// timeline knows the overlap, and two branches that touch the same memory without a path between
// them are found as between streams.
//
//     stream     [A]--record-->[B]---------wait-->   (goes on behind all branches)
//     a branch        wait-->[C]-->[D]--record

namespace vgpu::client {

/// Does what the nodes say, behind what is in the stream. Not under the runtime's lock.
cudaError_t launch_branches(const CUgraphExec_st&, cudaStream_t);

}  // namespace vgpu::client
