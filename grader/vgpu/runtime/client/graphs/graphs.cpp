// What graphs are made of, and doing what their nodes say. See graphs.h.
#include "runtime/client/graphs/graphs.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "runtime/client/graphs/graph_state.h"
#include "runtime/client/memory/memory.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

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
cudaError_t renew(GraphMemory& memory) {
    return call("cudaGraphLaunch", [&](Runtime& rt) {
        note_use(memory, true);
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
    cudaError_t operator()(const Frees& frees) const {
        return call("cudaGraphLaunch", [&](Runtime&) {
            release_graph_memory(frees.pointer);
            return Status();
        });
    }
    cudaError_t operator()(const Replay& replay) const { return replay(stream); }
};

}  // namespace

GraphState& vgpu::client::graph_state() {
    static GraphState& all = *new GraphState;
    return all;
}

std::shared_ptr<CUgraphExec_st> vgpu::client::exec_of(cudaGraphExec_t handle) {
    const auto found = graph_state().execs.find(handle);
    return found == graph_state().execs.end() ? nullptr : found->second;
}

bool vgpu::client::is_node(cudaGraphNode_t node) {
    return std::any_of(graph_state().graphs.begin(), graph_state().graphs.end(),
                       [&](const auto& entry) { return entry.second->has(node); });
}

Status vgpu::client::absent(const char* what) {
    say("%s is not available; it would be added in grader/vgpu/runtime/client/graphs/graphs.cpp",
        what);
    return {cudaErrorNotSupported, std::string(what) + " is not available"};
}

GraphMemory::~GraphMemory() {
    call("cudaGraphDestroy", [&](Runtime&) {
        note_use(*this, false);
        graph_state().memory.erase(pointer);
        return Status();
    });
    if (is_freed) call("cudaFree", [&](Runtime& rt) { return release(rt, pointer); });
}

bool vgpu::client::release_graph_memory(void* pointer) {
    const auto found = graph_state().memory.find(pointer);
    if (found == graph_state().memory.end()) return false;
    found->second->is_freed = true;
    note_use(*found->second, false);
    return true;
}

Status vgpu::client::make_memory(Runtime& rt, cudaMemAllocNodeParams* p, Work& work) {
    if (p == nullptr) return kNullPointer;
    void* pointer = nullptr;
    const Status status = allocate(rt, &pointer, p->bytesize);
    if (status.failed()) return status;
    auto memory = std::make_shared<GraphMemory>();
    memory->pointer = p->dptr = pointer;
    memory->parameters = *p;
    graph_state().memory[memory->pointer] = memory.get();
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
    const auto found = graph_state().graphs.find(handle);
    return found == graph_state().graphs.end() ? nullptr : found->second;
}

cudaGraph_t vgpu::client::keep_graph(std::shared_ptr<CUgraph_st> graph) {
    const cudaGraph_t handle = graph.get();
    graph_state().graphs[handle] = std::move(graph);
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
