// Graphs made node by node: the functions of the interface that make and change them.
#include <algorithm>
#include <cstring>

#include "runtime/client/graphs/graph_state.h"
#include "runtime/client/program/program.h"

using namespace vgpu::client;

namespace {

/// Adds a node for which `make` gives the work, if it can.
template <class Make>
Status add(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
           size_t count, cudaGraphNodeType type, Make make) {
    if (result == nullptr || (count > 0 && dependencies == nullptr)) return kNullPointer;
    const auto known = graph_of(graph);
    if (known == nullptr) return kNoGraph;
    Nodes before(dependencies, dependencies + count);
    for (const cudaGraphNode_t node : before) {
        if (!known->has(node)) return kNoNode;
    }
    Work work;
    if (Status status = make(work); status.failed()) return status;
    *result = known->add(type, std::move(before), std::move(work));
    return {};
}

Status make_child(cudaGraph_t child, Work& work) {
    const auto known = graph_of(child);
    if (known == nullptr) return kNoGraph;
    work = Child{known->clone()};
    return {};
}

template <class Make>
cudaError_t change_node(const char* function, cudaGraphNode_t node, cudaGraphNodeType type,
                        Make make) {
    return call(function, [&](Runtime& rt) -> Status {
        if (!is_node(node)) return kNoNode;
        return change(node, type, [&](Work& work) { return make(rt, work); });
    });
}

template <class Parameters>
cudaError_t parameters_of(const char* function, cudaGraphNode_t node, Parameters* result) {
    return call(function, [&](Runtime&) -> Status {
        if (result == nullptr) return kNullPointer;
        if (!is_node(node)) return kNoNode;
        const auto* const known = std::get_if<Parameters>(&node->work);
        if (known == nullptr) return absent("the parameters of a node that was captured");
        *result = *known;
        return {};
    });
}

/// `count`: room for how many; becomes how many there are.
Status list(const Nodes& all, cudaGraphNode_t* nodes, size_t* count) {
    if (count == nullptr) return kNullPointer;
    if (nodes != nullptr) {
        for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
        *count = std::min(*count, all.size());
    } else {
        *count = all.size();
    }
    return {};
}

}  // namespace

Status vgpu::client::make_kernel(Runtime& rt, const cudaKernelNodeParams* p, Work& work) {
    if (p == nullptr) return kNullPointer;
    if (p->extra != nullptr) return absent("a kernel node whose arguments are one block (extra)");
    Status status;
    const Function* const function = Program::instance().function(rt, p->func, status);
    if (function == nullptr) return status;
    if (p->kernelParams == nullptr && !function->parameters.empty()) {
        return {cudaErrorInvalidValue, "the array of arguments is null"};
    }
    KernelWork kernel{p->func, p->gridDim, p->blockDim, p->sharedMemBytes, false, {}};
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
        const auto* const from = static_cast<const std::byte*>(p->kernelParams[i]);
        kernel.arguments.emplace_back(from, from + function->parameters[i].size_bytes);
    }
    work = std::move(kernel);
    return {};
}

Status vgpu::client::make_memset(const cudaMemsetParams* p, Work& work) {
    if (p == nullptr) return kNullPointer;
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) {
        return {cudaErrorInvalidValue, "elements of a memset have 1, 2 or 4 bytes"};
    }
    work = *p;
    return {};
}

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return call("cudaGraphCreate", [&](Runtime&) -> Status {
        if (graph == nullptr) return kNullPointer;
        if (flags != 0) return {cudaErrorInvalidValue, "flags must be 0"};
        *graph = keep_graph(std::make_shared<CUgraph_st>());
        return {};
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    std::shared_ptr<CUgraph_st> last;  // outside the lock, as its memory is freed with it
    return call("cudaGraphDestroy", [&](Runtime&) -> Status {
        last = graph_of(graph);
        if (last == nullptr) return kNoGraph;
        graph_state().graphs.erase(graph);
        return {};
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return call("cudaGraphClone", [&](Runtime&) -> Status {
        if (clone == nullptr) return kNullPointer;
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        *clone = keep_graph(known->clone());
        return {};
    });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* result, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
    return call("cudaGraphNodeFindInClone", [&](Runtime&) -> Status {
        if (result == nullptr) return kNullPointer;
        const auto known = graph_of(clone);
        if (known == nullptr) return kNoGraph;
        const auto at = std::find(known->originals.begin(), known->originals.end(), original);
        if (at == known->originals.end()) return kNoNode;
        *result = known->nodes[static_cast<std::size_t>(at - known->originals.begin())].get();
        return {};
    });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
    return call("cudaGraphAddEmptyNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeEmpty,
                   [](Work&) { return Status(); });
    });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
    return call("cudaGraphAddKernelNode", [&](Runtime& rt) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeKernel,
                   [&](Work& work) { return make_kernel(rt, parameters, work); });
    });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
    return call("cudaGraphAddMemcpyNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return make_copy_of(parameters, work); });
    });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call("cudaGraphAddMemcpyNode1D", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, [&](Work& work) {
            work = Replay([=](cudaStream_t stream) {
                return cudaMemcpyAsync(to, from, bytes, kind, stream);
            });
            return Status();
        });
    });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
    return call("cudaGraphAddMemsetNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset,
                   [&](Work& work) { return make_memset(parameters, work); });
    });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
    return call("cudaGraphAddHostNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeHost,
                   [&](Work& work) { return make_copy_of(parameters, work); });
    });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
    return call("cudaGraphAddChildGraphNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
                   [&](Work& work) { return make_child(child, work); });
    });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
    return call("cudaGraphAddEventRecordNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeEventRecord, [&](Work& work) {
            work = Replay([=](cudaStream_t stream) { return cudaEventRecord(event, stream); });
            return Status();
        });
    });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
    return call("cudaGraphAddEventWaitNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeWaitEvent, [&](Work& work) {
            work =
                Replay([=](cudaStream_t stream) { return cudaStreamWaitEvent(stream, event, 0); });
            return Status();
        });
    });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
    return call("cudaGraphAddMemAllocNode", [&](Runtime& rt) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeMemAlloc,
                   [&](Work& work) { return make_memory(rt, parameters, work); });
    });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
    return call("cudaGraphAddMemFreeNode", [&](Runtime&) {
        return add(node, graph, dependencies, count, cudaGraphNodeTypeMemFree, [&](Work& work) {
            work = make_free(*graph_of(graph), pointer);
            return Status();
        });
    });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
    return call("cudaGraphMemAllocNodeGetParams", [&](Runtime&) -> Status {
        if (parameters == nullptr) return kNullPointer;
        if (!is_node(node)) return kNoNode;
        const auto* const allocates = std::get_if<Allocates>(&node->work);
        if (allocates == nullptr) return kOtherType;
        *parameters = allocates->memory->parameters;
        return {};
    });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    return call("cudaGraphMemFreeNodeGetParams", [&](Runtime&) -> Status {
        if (pointer == nullptr) return kNullPointer;
        if (!is_node(node)) return kNoNode;
        const auto* const frees = std::get_if<Frees>(&node->work);
        if (frees == nullptr) return kOtherType;
        *static_cast<void**>(pointer) = frees->pointer;
        return {};
    });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* p) {
    if (p == nullptr) return remember(cudaErrorInvalidValue);
    switch (p->type) {
        case cudaGraphNodeTypeKernel: {
            const cudaKernelNodeParams kernel{p->kernel.func,         p->kernel.gridDim,
                                              p->kernel.blockDim,     p->kernel.sharedMemBytes,
                                              p->kernel.kernelParams, p->kernel.extra};
            return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
        }
        case cudaGraphNodeTypeMemcpy:
            return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p->memcpy.copyParams);
        case cudaGraphNodeTypeMemset: {
            const cudaMemsetParams memset{p->memset.dst,         p->memset.pitch, p->memset.value,
                                          p->memset.elementSize, p->memset.width, p->memset.height};
            return cudaGraphAddMemsetNode(node, graph, dependencies, count, &memset);
        }
        case cudaGraphNodeTypeHost: {
            const cudaHostNodeParams host{p->host.fn, p->host.userData};
            return cudaGraphAddHostNode(node, graph, dependencies, count, &host);
        }
        case cudaGraphNodeTypeGraph:
            return cudaGraphAddChildGraphNode(node, graph, dependencies, count, p->graph.graph);
        case cudaGraphNodeTypeEmpty:
            return cudaGraphAddEmptyNode(node, graph, dependencies, count);
        case cudaGraphNodeTypeWaitEvent:
            return cudaGraphAddEventWaitNode(node, graph, dependencies, count, p->eventWait.event);
        case cudaGraphNodeTypeEventRecord:
            return cudaGraphAddEventRecordNode(node, graph, dependencies, count,
                                               p->eventRecord.event);
        case cudaGraphNodeTypeMemAlloc: {
            cudaMemAllocNodeParams alloc{p->alloc.poolProps, p->alloc.accessDescs,
                                         p->alloc.accessDescCount, p->alloc.bytesize, nullptr};
            const cudaError_t error =
                cudaGraphAddMemAllocNode(node, graph, dependencies, count, &alloc);
            p->alloc.dptr = alloc.dptr;
            return error;
        }
        case cudaGraphNodeTypeMemFree:
            return cudaGraphAddMemFreeNode(node, graph, dependencies, count, p->free.dptr);
        default:
            return call("cudaGraphAddNode", [&](Runtime&) {
                return absent(p->type == cudaGraphNodeTypeConditional ? "a conditional node"
                                                                      : "a node of this type");
            });
    }
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
    return call("cudaGraphAddDependencies", [&](Runtime&) -> Status {
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        if (count > 0 && (from == nullptr || to == nullptr)) return kNullPointer;
        for (std::size_t i = 0; i < count; ++i) {
            if (!known->has(from[i]) || !known->has(to[i])) return kNoNode;
        }
        for (std::size_t i = 0; i < count; ++i) to[i]->dependencies.push_back(from[i]);
        return {};
    });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
    return call("cudaGraphRemoveDependencies", [&](Runtime&) -> Status {
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        if (count > 0 && (from == nullptr || to == nullptr)) return kNullPointer;
        for (std::size_t i = 0; i < count; ++i) {
            if (!known->has(from[i]) || !known->has(to[i])) return kNoNode;
            std::erase(to[i]->dependencies, from[i]);
        }
        return {};
    });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
    return call("cudaGraphGetEdges", [&](Runtime&) -> Status {
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        if ((from == nullptr) != (to == nullptr)) return kNullPointer;
        Nodes all_from, all_to;
        for (const auto& node : known->nodes) {
            for (const cudaGraphNode_t before : node->dependencies) {
                all_from.push_back(before);
                all_to.push_back(node.get());
            }
        }
        if (count == nullptr) return kNullPointer;
        size_t room = *count;
        if (edges != nullptr) std::memset(edges, 0, sizeof(*edges) * std::min(room, all_to.size()));
        if (Status status = list(all_from, from, &room); status.failed()) return status;
        return list(all_to, to, count);
    });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData*, size_t* count) {
    return call("cudaGraphNodeGetDependencies", [&](Runtime&) {
        return is_node(node) ? list(node->dependencies, nodes, count) : kNoNode;
    });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData*, size_t* count) {
    return call("cudaGraphNodeGetDependentNodes", [&](Runtime&) -> Status {
        if (!is_node(node)) return kNoNode;
        Nodes dependents;
        for (const auto& other : node->graph->nodes) {
            const auto& before = other->dependencies;
            if (std::find(before.begin(), before.end(), node) != before.end())
                dependents.push_back(other.get());
        }
        return list(dependents, nodes, count);
    });
}
#endif

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetNodes", [&](Runtime&) -> Status {
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        Nodes all;
        for (const auto& node : known->nodes) all.push_back(node.get());
        return list(all, nodes, count);
    });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetRootNodes", [&](Runtime&) -> Status {
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        Nodes roots;
        for (const auto& node : known->nodes)
            if (node->dependencies.empty()) roots.push_back(node.get());
        return list(roots, nodes, count);
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return call("cudaGraphNodeGetType", [&](Runtime&) -> Status {
        if (type == nullptr) return kNullPointer;
        if (!is_node(node)) return kNoNode;
        *type = node->type;
        return {};
    });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    std::unique_ptr<CUgraphNode_st> last;  // outside the lock, as its memory is freed with it
    return call("cudaGraphDestroyNode", [&](Runtime&) -> Status {
        if (!is_node(node)) return kNoNode;
        auto& nodes = node->graph->nodes;
        for (const auto& other : nodes) std::erase(other->dependencies, node);
        const auto at = std::find_if(nodes.begin(), nodes.end(),
                                     [&](const auto& known) { return known.get() == node; });
        last = std::move(*at);
        nodes.erase(at);
        return {};
    });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    return call("cudaGraphChildGraphNodeGetGraph", [&](Runtime&) -> Status {
        if (graph == nullptr) return kNullPointer;
        if (!is_node(node)) return kNoNode;
        const auto* const child = std::get_if<Child>(&node->work);
        if (child == nullptr) return kOtherType;
        *graph = keep_graph(child->graph);
        return {};
    });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
    return call("cudaGraphKernelNodeGetParams", [&](Runtime&) -> Status {
        if (parameters == nullptr) return kNullPointer;
        if (!is_node(node)) return kNoNode;
        auto* const kernel = std::get_if<KernelWork>(&node->work);
        if (kernel == nullptr) return kOtherType;
        node->argument_pointers.clear();
        for (auto& argument : kernel->arguments) node->argument_pointers.push_back(argument.data());
        *parameters = {
            const_cast<void*>(kernel->function), kernel->grid, kernel->block, kernel->shared_bytes,
            node->argument_pointers.data(),      nullptr};
        return {};
    });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
    return change_node("cudaGraphKernelNodeSetParams", node, cudaGraphNodeTypeKernel,
                       [&](Runtime& rt, Work& work) { return make_kernel(rt, parameters, work); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
    return parameters_of("cudaGraphMemcpyNodeGetParams", node, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
    return change_node("cudaGraphMemcpyNodeSetParams", node, cudaGraphNodeTypeMemcpy,
                       [&](Runtime&, Work& work) { return make_copy_of(parameters, work); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
    return parameters_of("cudaGraphMemsetNodeGetParams", node, parameters);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    return change_node("cudaGraphMemsetNodeSetParams", node, cudaGraphNodeTypeMemset,
                       [&](Runtime&, Work& work) { return make_memset(parameters, work); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
    return parameters_of("cudaGraphHostNodeGetParams", node, parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
    return change_node("cudaGraphHostNodeSetParams", node, cudaGraphNodeTypeHost,
                       [&](Runtime&, Work& work) { return make_copy_of(parameters, work); });
}

}  // extern "C"
