// Graphs: operations and their dependencies, made node by node or by capturing a stream, and
// launched as a whole. A launch replays each node behind those it depends on (graph_branches.h);
// nodes of a graph inside a graph follow one another in one stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "runtime/client/runtime.h"

namespace vgpu::client {

/// A kernel's launch, its arguments copied.
struct KernelWork {
    const void* function = nullptr;
    dim3 grid, block;
    unsigned shared_bytes = 0;
    bool cooperative = false;
    std::vector<std::vector<std::byte>> arguments;
};

/// Device memory of a graph: at the same address in each launch, so that it is only given back with
/// the graph, though the graph or the program may free it before.
struct GraphMemory {
    void* pointer = nullptr;
    cudaMemAllocNodeParams parameters{};
    bool is_freed = false;  ///< when not, it outlives the graph
    bool is_used = false;   ///< from a launch that allocates it until it is freed
    ~GraphMemory();
};
struct Allocates {
    std::shared_ptr<GraphMemory> memory;
};
struct Frees {
    void* pointer = nullptr;
};

/// What was captured: does it again, in the stream that it is given.
using Replay = std::function<cudaError_t(cudaStream_t)>;

struct Child {
    std::shared_ptr<CUgraph_st> graph;
};

using Work = std::variant<std::monostate, KernelWork, cudaMemcpy3DParms, cudaMemsetParams,
                          cudaHostNodeParams, Child, Allocates, Frees, Replay>;

/// Does a node's work. Not under the runtime's lock.
cudaError_t run(const Work&, cudaStream_t);

}  // namespace vgpu::client

struct CUgraphNode_st {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    CUgraph_st* graph = nullptr;
    std::vector<cudaGraphNode_t> dependencies;
    vgpu::client::Work work;
    std::vector<void*> argument_pointers;  ///< for cudaGraphKernelNodeGetParams
};

struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< as they were added
    const CUgraph_st* cloned_from = nullptr;
    std::vector<cudaGraphNode_t> originals;  ///< of a clone: of each node, the one that it copies

    cudaGraphNode_t add(cudaGraphNodeType, std::vector<cudaGraphNode_t> dependencies,
                        vgpu::client::Work);
    bool has(cudaGraphNode_t) const;
    /// Each node behind those it depends on; fewer than there are if they wait for each other.
    std::vector<cudaGraphNode_t> in_order() const;
    std::shared_ptr<CUgraph_st> clone() const;
};

namespace vgpu::client {

/// The graph behind a handle, or null. Needs the runtime's lock.
std::shared_ptr<CUgraph_st> graph_of(cudaGraph_t);
/// Memory of a graph: takes its size from `p`, and stores its address there.
Status make_memory(Runtime&, cudaMemAllocNodeParams* p, Work&);
/// Frees memory of the graph, which is the graph's own from now on, or of another.
Work make_free(const CUgraph_st&, void* pointer);
/// The program frees memory of a graph that still exists; false when it is none.
bool release_graph_memory(void* pointer);
/// What cudaDeviceGetGraphMemAttribute counts.
void note_use(GraphMemory&, bool is_used);
/// A handle of a new graph, or of one that was captured.
cudaGraph_t keep_graph(std::shared_ptr<CUgraph_st>);

}  // namespace vgpu::client
