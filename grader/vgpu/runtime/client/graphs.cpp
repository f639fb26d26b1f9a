// Graphs made node by node, and launching them. See graphs.h.
#include "vgpu/runtime/client/graphs.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "vgpu/runtime/client/alias.h"
#include "vgpu/runtime/client/capture.h"
#include "vgpu/runtime/client/memory.h"
#include "vgpu/runtime/client/program.h"

/// What is launched: a copy of a graph, so that changes of the one do not show in the other.
struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> graph;                  ///< in the order of launching
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies;  ///< of the nodes that the program knows
    std::map<cudaGraphNode_t, bool> disabled;           ///< by copy
    unsigned long long flags = 0;
};

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

const Status kNull{cudaErrorInvalidValue, "a null pointer"};
const Status kNoGraph{cudaErrorInvalidValue, "not a graph, or one that was destroyed"};
const Status kNoNode{cudaErrorInvalidValue, "not a node of this graph"};
const Status kNoExec{cudaErrorInvalidValue, "not an instantiated graph, or one that was destroyed"};
const Status kOtherType{cudaErrorInvalidValue, "the node is of another type"};

/// Guarded by the runtime's lock; never destroyed.
struct State {
    std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>> graphs;
    std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>> execs;
    std::map<void*, GraphMemory*> memory;
};
State& state() {
    static State& all = *new State;
    return all;
}

std::shared_ptr<CUgraphExec_st> exec_of(cudaGraphExec_t handle) {
    const auto found = state().execs.find(handle);
    return found == state().execs.end() ? nullptr : found->second;
}

bool is_node(cudaGraphNode_t node) {
    return std::any_of(state().graphs.begin(), state().graphs.end(),
                       [&](const auto& entry) { return entry.second->has(node); });
}

Status absent(const char* what) {
    say("%s is not available; it would be added in grader/vgpu/runtime/client/graphs.cpp", what);
    return {cudaErrorNotSupported, std::string(what) + " is not available"};
}

/// Adds a node for which `make` gives the work, if it can.
template <class Make>
Status add(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
           size_t count, cudaGraphNodeType type, Make make) {
    if (result == nullptr || (count > 0 && dependencies == nullptr)) return kNull;
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

Status make_kernel(Runtime& rt, const cudaKernelNodeParams* p, Work& work) {
    if (p == nullptr) return kNull;
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

Status make_memset(const cudaMemsetParams* p, Work& work) {
    if (p == nullptr) return kNull;
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) {
        return {cudaErrorInvalidValue, "elements of a memset have 1, 2 or 4 bytes"};
    }
    work = *p;
    return {};
}

template <class Parameters>
Status make_copy_of(const Parameters* p, Work& work) {
    if (p == nullptr) return kNull;
    work = *p;
    return {};
}

Status make_child(cudaGraph_t child, Work& work) {
    const auto known = graph_of(child);
    if (known == nullptr) return kNoGraph;
    work = Child{known->clone()};
    return {};
}

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
Status change(cudaGraphNode_t node, cudaGraphNodeType type, Make make) {
    if (node->type != type) return kOtherType;
    return make(node->work);
}

template <class Make>
cudaError_t change_node(const char* function, cudaGraphNode_t node, cudaGraphNodeType type,
                        Make make) {
    return call(function, [&](Runtime& rt) -> Status {
        if (!is_node(node)) return kNoNode;
        return change(node, type, [&](Work& work) { return make(rt, work); });
    });
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

template <class Parameters>
cudaError_t parameters_of(const char* function, cudaGraphNode_t node, Parameters* result) {
    return call(function, [&](Runtime&) -> Status {
        if (result == nullptr) return kNull;
        if (!is_node(node)) return kNoNode;
        const auto* const known = std::get_if<Parameters>(&node->work);
        if (known == nullptr) return absent("the parameters of a node that was captured");
        *result = *known;
        return {};
    });
}

/// `count`: room for how many; becomes how many there are.
Status list(const Nodes& all, cudaGraphNode_t* nodes, size_t* count) {
    if (count == nullptr) return kNull;
    if (nodes != nullptr) {
        for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
        *count = std::min(*count, all.size());
    } else {
        *count = all.size();
    }
    return {};
}

Status instantiate(cudaGraphExec_t* result, cudaGraph_t graph, unsigned long long flags) {
    if (result == nullptr) return kNull;
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
        exec->copies[node] = exec->graph->add(node->type, {}, node->work);
    }
    *result = exec.get();
    state().execs[exec.get()] = std::move(exec);
    return {};
}

cudaError_t fill(const cudaMemsetParams& p, cudaStream_t stream) {
    const std::size_t width = p.width * p.elementSize;
    std::byte pattern[4];
    std::memcpy(pattern, &p.value, sizeof pattern);
    const bool is_even =
        std::all_of(pattern, pattern + p.elementSize, [&](std::byte b) { return b == pattern[0]; });
    if (is_even) {
        return cudaMemset2DAsync(p.dst, p.height > 1 ? p.pitch : width,
                                 std::to_integer<int>(pattern[0]), width, p.height, stream);
    }
    std::vector<std::byte> rows(width * p.height);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = pattern[i % p.elementSize];
    return cudaMemcpy2DAsync(p.dst, p.height > 1 ? p.pitch : width, rows.data(), width, width,
                             p.height, cudaMemcpyHostToDevice, stream);
}

cudaError_t launch(const KernelWork& k, cudaStream_t stream) {
    std::vector<void*> arguments;
    for (const auto& argument : k.arguments)
        arguments.push_back(const_cast<std::byte*>(argument.data()));
    return (k.cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        k.function, k.grid, k.block, arguments.data(), k.shared_bytes, stream);
}

/// In each launch the memory is as fresh as any.
cudaError_t renew(const GraphMemory& memory) {
    return call("cudaGraphLaunch", [&](Runtime& rt) {
        wire::Request request = rt.request(wire::Op::forget);
        request.to = reinterpret_cast<std::uint64_t>(memory.pointer);
        request.bytes = memory.parameters.bytesize;
        return Status(rt.exchange(request));
    });
}

struct Run {
    cudaStream_t stream;
    cudaError_t operator()(std::monostate) const { return cudaSuccess; }
    cudaError_t operator()(const KernelWork& k) const { return launch(k, stream); }
    cudaError_t operator()(const cudaMemcpy3DParms& p) const {
        return cudaMemcpy3DAsync(&p, stream);
    }
    cudaError_t operator()(const cudaMemsetParams& p) const { return fill(p, stream); }
    cudaError_t operator()(const cudaHostNodeParams& p) const {
        return cudaLaunchHostFunc(stream, p.fn, p.userData);
    }
    cudaError_t operator()(const Child& child) const {
        for (const cudaGraphNode_t node : child.graph->in_order()) {
            if (const cudaError_t error = run(node->work, stream); error != cudaSuccess)
                return error;
        }
        return cudaSuccess;
    }
    cudaError_t operator()(const Allocates& a) const { return renew(*a.memory); }
    cudaError_t operator()(const Frees&) const { return cudaSuccess; }
    cudaError_t operator()(const Replay& replay) const { return replay(stream); }
};

}  // namespace

GraphMemory::~GraphMemory() {
    call("cudaGraphDestroy", [&](Runtime&) {
        state().memory.erase(pointer);
        return Status();
    });
    if (is_freed) cudaFree(pointer);
}

bool vgpu::client::release_graph_memory(void* pointer) {
    const auto found = state().memory.find(pointer);
    if (found == state().memory.end()) return false;
    found->second->is_freed = true;
    return true;
}

Status vgpu::client::make_memory(Runtime& rt, cudaMemAllocNodeParams* p, Work& work) {
    if (p == nullptr) return kNull;
    void* pointer = nullptr;
    const Status status = allocate(rt, &pointer, p->bytesize);
    if (status.failed()) return status;
    auto memory = std::make_shared<GraphMemory>();
    memory->pointer = p->dptr = pointer;
    memory->parameters = *p;
    state().memory[memory->pointer] = memory.get();
    work = Allocates{std::move(memory)};
    return status;
}

Work vgpu::client::make_free(const CUgraph_st& graph, void* pointer) {
    for (const auto& node : graph.nodes) {
        auto* const allocates = std::get_if<Allocates>(&node->work);
        if (allocates == nullptr || allocates->memory->pointer != pointer) continue;
        allocates->memory->is_freed = true;
        return Frees{pointer};
    }
    // What another graph has allocated: freed when this one is launched.
    return Replay([pointer](cudaStream_t stream) { return cudaFreeAsync(pointer, stream); });
}

cudaError_t vgpu::client::run(const Work& work, cudaStream_t stream) {
    return std::visit(Run{stream}, work);
}

std::shared_ptr<CUgraph_st> vgpu::client::graph_of(cudaGraph_t handle) {
    const auto found = state().graphs.find(handle);
    return found == state().graphs.end() ? nullptr : found->second;
}

cudaGraph_t vgpu::client::keep_graph(std::shared_ptr<CUgraph_st> graph) {
    const cudaGraph_t handle = graph.get();
    state().graphs[handle] = std::move(graph);
    return handle;
}

cudaGraphNode_t CUgraph_st::add(cudaGraphNodeType type, std::vector<cudaGraphNode_t> dependencies,
                                Work work) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->type = type;
    node->graph = this;
    node->dependencies = std::move(dependencies);
    node->work = std::move(work);
    nodes.push_back(std::move(node));
    return nodes.back().get();
}

bool CUgraph_st::has(cudaGraphNode_t node) const {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const auto& known) { return known.get() == node; });
}

std::vector<cudaGraphNode_t> CUgraph_st::in_order() const {
    std::vector<cudaGraphNode_t> order;
    std::map<cudaGraphNode_t, bool> placed;
    for (bool found = true; found;) {
        found = false;
        for (const auto& node : nodes) {
            if (placed[node.get()]) continue;
            if (!std::all_of(node->dependencies.begin(), node->dependencies.end(),
                             [&](cudaGraphNode_t before) { return placed[before]; }))
                continue;
            placed[node.get()] = found = true;
            order.push_back(node.get());
        }
    }
    return order;
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone() const {
    auto copy = std::make_shared<CUgraph_st>();
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
    for (const auto& node : nodes) {
        copies[node.get()] = copy->add(node->type, {}, node->work);
        copy->originals.push_back(node.get());
    }
    for (const auto& node : nodes) {
        for (const cudaGraphNode_t before : node->dependencies)
            copies[node.get()]->dependencies.push_back(copies[before]);
    }
    copy->cloned_from = this;
    return copy;
}

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return call("cudaGraphCreate", [&](Runtime&) -> Status {
        if (graph == nullptr) return kNull;
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
        state().graphs.erase(graph);
        return {};
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return call("cudaGraphClone", [&](Runtime&) -> Status {
        if (clone == nullptr) return kNull;
        const auto known = graph_of(graph);
        if (known == nullptr) return kNoGraph;
        *clone = keep_graph(known->clone());
        return {};
    });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* result, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
    return call("cudaGraphNodeFindInClone", [&](Runtime&) -> Status {
        if (result == nullptr) return kNull;
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
        if (parameters == nullptr) return kNull;
        if (!is_node(node)) return kNoNode;
        const auto* const allocates = std::get_if<Allocates>(&node->work);
        if (allocates == nullptr) return kOtherType;
        *parameters = allocates->memory->parameters;
        return {};
    });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    return call("cudaGraphMemFreeNodeGetParams", [&](Runtime&) -> Status {
        if (pointer == nullptr) return kNull;
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
        if (count > 0 && (from == nullptr || to == nullptr)) return kNull;
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
        if (count > 0 && (from == nullptr || to == nullptr)) return kNull;
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
        if ((from == nullptr) != (to == nullptr)) return kNull;
        Nodes all_from, all_to;
        for (const auto& node : known->nodes) {
            for (const cudaGraphNode_t before : node->dependencies) {
                all_from.push_back(before);
                all_to.push_back(node.get());
            }
        }
        if (count == nullptr) return kNull;
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
        if (type == nullptr) return kNull;
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
        if (graph == nullptr) return kNull;
        if (!is_node(node)) return kNoNode;
        const auto* const child = std::get_if<Child>(&node->work);
        if (child == nullptr) return kOtherType;
        *graph = keep_graph(child->graph);
        return {};
    });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
    return call("cudaGraphKernelNodeGetParams", [&](Runtime&) -> Status {
        if (parameters == nullptr) return kNull;
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

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
    return change_exec("cudaGraphExecKernelNodeSetParams", exec, node, cudaGraphNodeTypeKernel,
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

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
    return parameters_of("cudaGraphMemsetNodeGetParams", node, parameters);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    return change_node("cudaGraphMemsetNodeSetParams", node, cudaGraphNodeTypeMemset,
                       [&](Runtime&, Work& work) { return make_memset(parameters, work); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
    return change_exec("cudaGraphExecMemsetNodeSetParams", exec, node, cudaGraphNodeTypeMemset,
                       [&](Runtime&, Work& work) { return make_memset(parameters, work); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
    return parameters_of("cudaGraphHostNodeGetParams", node, parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
    return change_node("cudaGraphHostNodeSetParams", node, cudaGraphNodeTypeHost,
                       [&](Runtime&, Work& work) { return make_copy_of(parameters, work); });
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
        if (flags == nullptr) return kNull;
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
        if (is_enabled == nullptr) return kNull;
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
        if (result == nullptr) return kNull;
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
    for (const auto& node : known->graph->nodes) {
        const auto disabled = known->disabled.find(node.get());
        if (disabled != known->disabled.end() && disabled->second) continue;
        if (const cudaError_t error = run(node->work, stream); error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
VGPU_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    std::shared_ptr<CUgraphExec_st> last;  // outside the lock, as its memory is freed with it
    return call("cudaGraphExecDestroy", [&](Runtime&) -> Status {
        last = exec_of(exec);
        if (last == nullptr) return kNoExec;
        state().execs.erase(exec);
        return {};
    });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
    return call("cudaDeviceGraphMemTrim", [&](Runtime&) {
        return device == 0 ? Status() : Status(cudaErrorInvalidDevice, "there is only device 0");
    });
}

}  // extern "C"
