// The state behind the handles of graphs, and helpers that the interface's functions share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/client/graphs/graphs.h"

/// What is launched: a copy of a graph, so that changes of the one do not show in the other.
struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> graph;                  ///< in the order of launching
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies;  ///< of the nodes that the program knows
    std::map<cudaGraphNode_t, bool> disabled;           ///< by copy
    unsigned long long flags = 0;
};

namespace vgpu::client {

using Nodes = std::vector<cudaGraphNode_t>;

inline constexpr Refusal kNoGraph{cudaErrorInvalidValue, "not a graph, or one that was destroyed"};
inline constexpr Refusal kNoNode{cudaErrorInvalidValue, "not a node of this graph"};
inline constexpr Refusal kNoExec{cudaErrorInvalidValue,
                                 "not an instantiated graph, or one that was destroyed"};
inline constexpr Refusal kOtherType{cudaErrorInvalidValue, "the node is of another type"};

/// Guarded by the runtime's lock; never destroyed.
struct GraphState {
    std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>> graphs;
    std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>> execs;
    std::map<void*, GraphMemory*> memory;
};
GraphState& graph_state();

/// The instantiated graph behind a handle, or null.
std::shared_ptr<CUgraphExec_st> exec_of(cudaGraphExec_t);
/// Whether it is a node of a graph that still exists.
bool is_node(cudaGraphNode_t);
/// Says that something is not there; what the function then returns.
Status absent(const char* what);

Status make_kernel(Runtime&, const cudaKernelNodeParams*, Work&);
Status make_memset(const cudaMemsetParams*, Work&);
template <class Parameters>
Status make_copy_of(const Parameters* p, Work& work) {
    if (p == nullptr) return kNullPointer;
    work = *p;
    return {};
}

/// Gives a node other work, of the same type.
template <class Make>
Status change(cudaGraphNode_t node, cudaGraphNodeType type, Make make) {
    if (node->type != type) return kOtherType;
    return make(node->work);
}

}  // namespace vgpu::client
