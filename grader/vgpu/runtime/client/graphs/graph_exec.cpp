// Graphs that are launched: the functions of the interface that make, change and launch them.
#include <algorithm>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/graph_branches.h"
#include "runtime/client/graphs/graph_state.h"

using namespace vgpu::client;

namespace {

/// A node that may be changed: the program's own, or its copy in an instantiated graph.
Status find_copy(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraphNode_t* copy) {
    const auto exec = exec_of(handle);
    if (exec == nullptr) return kNoExec;
    const auto found = exec->copies.find(node);
    if (found == exec->copies.end()) return kNoNode;
    *copy = found->second;
    return {};
}

template <class Make>
cudaError_t change_exec(const char* function, cudaGraphExec_t exec, cudaGraphNode_t node,
                        cudaGraphNodeType type, Make make) {
    return call(function, [&](Runtime& rt) -> Status {
        cudaGraphNode_t copy = nullptr;
        if (Status status = find_copy(exec, node, &copy); status.failed()) return status;
        return change(copy, type, [&](Work& work) { return make(rt, work); });
    });
}

Status instantiate(cudaGraphExec_t* result, cudaGraph_t graph, unsigned long long flags) {
    if (result == nullptr) return kNullPointer;
    const auto known = graph_of(graph);
    if (known == nullptr) return kNoGraph;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        return absent("launching graphs from kernels");
    }
    const Nodes order = known->in_order();
    if (order.size() < known->nodes.size()) {
        return {cudaErrorInvalidValue, "nodes of the graph wait for each other in a circle"};
    }
    auto exec = std::make_shared<CUgraphExec_st>();
    exec->flags = flags;
    exec->graph = std::make_shared<CUgraph_st>();
    for (const cudaGraphNode_t node : order) {
        Nodes dependencies;
        for (const cudaGraphNode_t other : node->dependencies) {
            dependencies.push_back(exec->copies.at(other));
        }
        exec->copies[node] = exec->graph->add(node->type, std::move(dependencies), node->work);
    }
    *result = exec.get();
    graph_state().execs[exec.get()] = std::move(exec);
    return {};
}

}  // namespace

extern "C" {

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
    return change_exec("cudaGraphExecKernelNodeSetParams", exec, node, cudaGraphNodeTypeKernel,
                       [&](Runtime& rt, Work& work) { return make_kernel(rt, parameters, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
    return change_exec("cudaGraphExecMemcpyNodeSetParams", exec, node, cudaGraphNodeTypeMemcpy,
                       [&](Runtime&, Work& work) { return make_copy_of(parameters, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
    return change_exec("cudaGraphExecMemcpyNodeSetParams1D", exec, node, cudaGraphNodeTypeMemcpy,
                       [&](Runtime&, Work& work) {
                           work = Replay([=](cudaStream_t stream) {
                               return cudaMemcpyAsync(to, from, bytes, kind, stream);
                           });
                           return Status();
                       });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
    return change_exec("cudaGraphExecMemsetNodeSetParams", exec, node, cudaGraphNodeTypeMemset,
                       [&](Runtime&, Work& work) { return make_memset(parameters, work); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
    return change_exec("cudaGraphExecHostNodeSetParams", exec, node, cudaGraphNodeTypeHost,
                       [&](Runtime&, Work& work) { return make_copy_of(parameters, work); });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
    return call("cudaGraphInstantiate", [&](Runtime&) { return instantiate(exec, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return call("cudaGraphInstantiateWithFlags",
                [&](Runtime&) { return instantiate(exec, graph, flags); });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
    return call("cudaGraphExecGetFlags", [&](Runtime&) -> Status {
        const auto known = exec_of(exec);
        if (flags == nullptr) return kNullPointer;
        if (known == nullptr) return kNoExec;
        *flags = known->flags;
        return {};
    });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned is_enabled) {
    return call("cudaGraphNodeSetEnabled", [&](Runtime&) -> Status {
        cudaGraphNode_t copy = nullptr;
        if (Status status = find_copy(exec, node, &copy); status.failed()) return status;
        exec_of(exec)->disabled[copy] = is_enabled == 0;
        return {};
    });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned* is_enabled) {
    return call("cudaGraphNodeGetEnabled", [&](Runtime&) -> Status {
        if (is_enabled == nullptr) return kNullPointer;
        cudaGraphNode_t copy = nullptr;
        if (Status status = find_copy(exec, node, &copy); status.failed()) return status;
        *is_enabled = exec_of(exec)->disabled[copy] ? 0 : 1;
        return {};
    });
}

/// Takes over what the nodes of another graph of the same form do.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
    return call("cudaGraphExecUpdate", [&](Runtime&) -> Status {
        if (result == nullptr) return kNullPointer;
        *result = {cudaGraphExecUpdateError, nullptr, nullptr};
        const auto known = exec_of(exec);
        const auto from = graph_of(graph);
        if (known == nullptr) return kNoExec;
        if (from == nullptr) return kNoGraph;
        const Nodes order = from->in_order();
        auto& copies = known->graph->nodes;
        bool is_same = order.size() == copies.size();
        for (std::size_t i = 0; is_same && i < order.size(); ++i)
            is_same = order[i]->type == copies[i]->type;
        if (!is_same) {
            result->result = cudaGraphExecUpdateErrorTopologyChanged;
            return {cudaErrorGraphExecUpdateFailure,
                    "the graph has other nodes than the one that was instantiated"};
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            copies[i]->work = order[i]->work;
            known->copies[order[i]] = copies[i].get();
        }
        result->result = cudaGraphExecUpdateSuccess;
        return {};
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    return call("cudaGraphUpload", [&](Runtime&) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        return exec_of(exec) != nullptr ? Status() : kNoExec;
    });
}
VGPU_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    std::shared_ptr<CUgraphExec_st> known;
    const cudaError_t found = call("cudaGraphLaunch", [&](Runtime&) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        known = exec_of(exec);
        return known != nullptr ? Status() : kNoExec;
    });
    if (found != cudaSuccess) return found;
    return launch_branches(*known, stream);
}
VGPU_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    std::shared_ptr<CUgraphExec_st> last;  // outside the lock, as its memory is freed with it
    return call("cudaGraphExecDestroy", [&](Runtime&) -> Status {
        last = exec_of(exec);
        if (last == nullptr) return kNoExec;
        graph_state().execs.erase(exec);
        return {};
    });
}

}  // extern "C"
