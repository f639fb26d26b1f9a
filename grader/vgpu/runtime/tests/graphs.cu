// Graphs, made node by node and by capturing streams. Prints what differs from what CUDA documents.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr int kN = 256;
int wrong = 0;

void check(cudaError_t error, cudaError_t expected, const char* what) {
    if (error == expected) return;
    std::printf("%s: %s instead of %s\n", what, cudaGetErrorName(error),
                cudaGetErrorName(expected));
    ++wrong;
}
#define CHECK(call) check(call, cudaSuccess, #call)
#define CHECK_FAILS(call, error) (check(call, error, #call), cudaGetLastError())

void expect(const char* what, int got, int expected) {
    if (got == expected) return;
    std::printf("%s: %d instead of %d\n", what, got, expected);
    ++wrong;
}

__global__ void add(int* values, int by) {
    values[threadIdx.x] += by;
}
__global__ void multiply(int* values, int by) {
    values[threadIdx.x] *= by;
}
__global__ void sum_of(const int* a, const int* b, int* out) {
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

int* device_ints() {
    int* values = nullptr;
    CHECK(cudaMalloc(&values, kN * sizeof(int)));
    CHECK(cudaMemset(values, 0, kN * sizeof(int)));
    return values;
}

int first_of(const int* values) {
    int value = -1;
    CHECK(cudaMemcpy(&value, values, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

cudaKernelNodeParams kernel(void (*function)(int*, int), void** arguments) {
    cudaKernelNodeParams p{};
    p.func = reinterpret_cast<void*>(function);
    p.gridDim = dim3(1);
    p.blockDim = dim3(kN);
    p.kernelParams = arguments;
    return p;
}

int host_calls = 0;
void count_call(void*) {
    ++host_calls;
}

/// Memset to 1, then (+ 2 and, behind it, * by), host function; the nodes are added in another
/// order than they depend on each other.
void by_hand() {
    int* values = device_ints();
    int two = 2, by = 10;
    void* add_arguments[] = {&values, &two};
    void* multiply_arguments[] = {&values, &by};
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t nodes[4] = {};
    const cudaKernelNodeParams multiplies = kernel(multiply, multiply_arguments);
    const cudaKernelNodeParams adds = kernel(add, add_arguments);
    cudaMemsetParams ones{};
    ones.dst = values;
    ones.value = 1;
    ones.elementSize = 4;
    ones.width = kN;
    ones.height = 1;
    const cudaHostNodeParams calls{count_call, nullptr};
    CHECK(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &multiplies));
    CHECK(cudaGraphAddKernelNode(&nodes[1], graph, nullptr, 0, &adds));
    CHECK(cudaGraphAddMemsetNode(&nodes[2], graph, nullptr, 0, &ones));
    CHECK(cudaGraphAddHostNode(&nodes[3], graph, &nodes[0], 1, &calls));
    const cudaGraphNode_t from[] = {nodes[1], nodes[2]}, to[] = {nodes[0], nodes[1]};
    CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 2));
    by = 99;  // arguments were copied
    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    expect("nodes", static_cast<int>(count), 4);
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &count));
    expect("roots", static_cast<int>(count), 1);
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    expect("edges", static_cast<int>(count), 3);
    cudaGraphNodeType type{};
    CHECK(cudaGraphNodeGetType(nodes[2], &type));
    expect("type", type, cudaGraphNodeTypeMemset);

    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    expect("nothing is done before the launch", first_of(values), 0);
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaStreamSynchronize(nullptr));
    expect("(1 + 2) * 10", first_of(values), 30);
    expect("host function", host_calls, 2);

    int three = 3;
    void* other_arguments[] = {&values, &three};
    const cudaKernelNodeParams adds_three = kernel(add, other_arguments);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &adds_three));
    CHECK(cudaGraphLaunch(exec, nullptr));
    expect("changed in what was instantiated: (1 + 3) * 10", first_of(values), 40);
    CHECK(cudaGraphNodeSetEnabled(exec, nodes[0], 0));
    CHECK(cudaGraphLaunch(exec, nullptr));
    expect("without the multiplication", first_of(values), 4);

    cudaGraphExec_t again = nullptr;
    CHECK(cudaGraphInstantiate(&again, graph, 0));
    CHECK(cudaGraphLaunch(again, nullptr));
    expect("the graph is as it was", first_of(values), 30);
    CHECK(cudaGraphKernelNodeSetParams(nodes[1], &adds_three));
    cudaGraphExecUpdateResultInfo info{};
    CHECK(cudaGraphExecUpdate(again, graph, &info));
    CHECK(cudaGraphLaunch(again, nullptr));
    expect("updated", first_of(values), 40);

    // As a part of another graph.
    cudaGraph_t outer = nullptr;
    cudaGraphNode_t child = nullptr, last = nullptr;
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    CHECK(cudaGraphAddKernelNode(&last, outer, &child, 1, &adds_three));
    cudaGraphExec_t whole = nullptr;
    CHECK(cudaGraphInstantiate(&whole, outer, 0));
    CHECK(cudaGraphLaunch(whole, nullptr));
    expect("a graph in a graph", first_of(values), 43);

    CHECK_FAILS(cudaGraphExecUpdate(again, outer, &info), cudaErrorGraphExecUpdateFailure);
    expect("topology", info.result, cudaGraphExecUpdateErrorTopologyChanged);
    const cudaGraphNode_t back[] = {nodes[0]}, forth[] = {nodes[2]};
    CHECK(cudaGraphAddDependencies(graph, back, forth, nullptr, 1));
    cudaGraphExec_t none = nullptr;
    CHECK_FAILS(cudaGraphInstantiate(&none, graph, 0), cudaErrorInvalidValue);
    for (const auto e : {exec, again, whole}) CHECK(cudaGraphExecDestroy(e));
    CHECK(cudaGraphDestroy(outer));
    CHECK(cudaGraphDestroy(graph));
    CHECK_FAILS(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    CHECK_FAILS(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
    CHECK(cudaFree(values));
}

/// Two streams, one of which waits for the other's event, and is waited for.
void captured() {
    int *a = device_ints(), *b = device_ints(), *c = device_ints();
    std::vector<int> in(kN, 5), out(kN, -1);
    cudaStream_t first, second;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    const std::size_t bytes = kN * sizeof(int);

    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(a, in.data(), bytes, cudaMemcpyHostToDevice, first));
    CHECK(cudaMemcpyPeerAsync(b, 0, a, 0, bytes, first));  // before the other branch changes a
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    multiply<<<1, kN, 0, second>>>(b, 3);
    CHECK(cudaEventRecord(join, second));
    add<<<1, kN, 0, first>>>(a, 1);
    CHECK(cudaStreamWaitEvent(first, join, 0));
    sum_of<<<1, kN, 0, first>>>(a, b, c);
    CHECK(cudaMemcpyAsync(out.data(), c, bytes, cudaMemcpyDeviceToHost, first));
    cudaStreamCaptureStatus status{};
    CHECK(cudaStreamIsCapturing(second, &status));
    expect("the other stream is captured, too", status, cudaStreamCaptureStatusActive);
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaStreamIsCapturing(second, &status));
    expect("and no longer", status, cudaStreamCaptureStatusNone);
    expect("nothing was done", out[0], -1);
    std::size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    expect("captured nodes", static_cast<int>(nodes), 6);

    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 1; round <= 2; ++round) {
        in.assign(kN, 5 * round);  // read when it is launched
        CHECK(cudaGraphLaunch(exec, second));
        CHECK(cudaStreamSynchronize(second));
        expect("(a + 1) + 3 a", out[kN - 1], 5 * round + 1 + 15 * round);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    // What must not be done meanwhile, and how the capture ends then.
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK_FAILS(cudaStreamSynchronize(first), cudaErrorStreamCaptureUnsupported);
    CHECK_FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    multiply<<<1, kN, 0, second>>>(b, 3);
    CHECK_FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK_FAILS(cudaMemset(a, 0, bytes), cudaErrorStreamCaptureImplicit);
    CHECK_FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    CHECK_FAILS(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
                cudaErrorStreamCaptureUnsupported);
    CHECK_FAILS(cudaStreamEndCapture(first, &graph), cudaErrorIllegalState);
    add<<<1, kN, 0, first>>>(a, 1);  // as usual again
    CHECK(cudaStreamSynchronize(first));
    for (int* const p : {a, b, c}) CHECK(cudaFree(p));
}

cudaError_t unsafe_call(int which, void* memory, void* pinned) {
    void* made = nullptr;
    std::size_t pitch = 0;
    switch (which) {
        case 0:
            return cudaMalloc(&made, 64);
        case 1:
            return cudaFree(memory);
        case 2:
            return cudaMallocHost(&made, 64);
        case 3:
            return cudaFreeHost(pinned);
        case 4:
            return cudaHostAlloc(&made, 64, cudaHostAllocMapped);
        case 5:
            return cudaMallocManaged(&made, 64);
        case 6:
            return cudaFree(nullptr);
        case 7:
            return cudaFreeHost(nullptr);
        default:
            return cudaMallocPitch(&made, &pitch, 8, 8);
    }
}

/// Allocating and freeing while a stream is being captured: of this thread, or of another one; with
/// what the thread that calls has asked for.
void unsafe_calls() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (const auto asked : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                             cudaStreamCaptureModeRelaxed})
        for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                cudaStreamCaptureModeRelaxed})
            for (const bool apart : {false, true})
                for (int which = 0; which < 9; ++which) {
                    void *memory = nullptr, *pinned = nullptr;
                    CHECK(cudaMalloc(&memory, 64));
                    CHECK(cudaMallocHost(&pinned, 64));
                    cudaGraph_t graph = nullptr;
                    CHECK(cudaStreamBeginCapture(stream, mode));
                    cudaError_t got = cudaSuccess;
                    const auto make_call = [&] {
                        auto mine = asked;
                        CHECK(cudaThreadExchangeStreamCaptureMode(&mine));
                        got = unsafe_call(which, memory, pinned);
                        CHECK(cudaThreadExchangeStreamCaptureMode(&mine));
                    };
                    if (apart)
                        std::thread(make_call).join();
                    else
                        make_call();
                    const bool is_refused = asked != cudaStreamCaptureModeRelaxed &&
                                            (apart ? asked == cudaStreamCaptureModeGlobal &&
                                                         mode == cudaStreamCaptureModeGlobal
                                                   : mode != cudaStreamCaptureModeRelaxed);
                    expect("an unsafe call", got,
                           is_refused ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
                    cudaGetLastError();
                    expect("the capture after it", cudaStreamEndCapture(stream, &graph),
                           is_refused ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
                    cudaGetLastError();
                }
    // An H200 refuses to free a null pointer, too, but not to allocate nothing.
    cudaGraph_t graph = nullptr;
    void* made = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMalloc(&made, 0));
    CHECK_FAILS(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

/// Bytes that graphs use, have used at most, and hold.
void expect_usage(const char* what, int used, int most_used, int reserved) {
    const std::pair<cudaGraphMemAttributeType, int> all[] = {
        {cudaGraphMemAttrUsedMemCurrent, used},
        {cudaGraphMemAttrUsedMemHigh, most_used},
        {cudaGraphMemAttrReservedMemCurrent, reserved}};
    for (const auto& [attribute, bytes] : all) {
        unsigned long long got = 0;
        CHECK(cudaDeviceGetGraphMemAttribute(0, attribute, &got));
        expect(what, static_cast<int>(got), bytes);
    }
}

/// Memory that belongs to the graph: captured, and by nodes.
void memory() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int* out = device_ints();
    int* temporary = nullptr;
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&temporary, kN * sizeof(int), stream));
    CHECK(cudaMemsetAsync(temporary, 0, kN * sizeof(int), stream));
    add<<<1, kN, 0, stream>>>(temporary, 7);
    sum_of<<<1, kN, 0, stream>>>(temporary, temporary, out);
    CHECK(cudaFreeAsync(temporary, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    expect_usage("before the launch", 0, 0, 0);
    for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    expect("memory of the graph", first_of(out), 14);
    const int bytes_of_all = kN * sizeof(int);
    expect_usage("freed by the graph", 0, bytes_of_all, 2 << 20);
    CHECK(cudaDeviceGraphMemTrim(0));
    unsigned long long none = 0, one = 1;
    CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none));
    expect_usage("given back", 0, 0, 0);
    CHECK_FAILS(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one),
                cudaErrorInvalidValue);
    CHECK_FAILS(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &none),
                cudaErrorInvalidValue);
    CHECK_FAILS(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &none),
                cudaErrorInvalidDevice);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    // Freed by the program after each launch.
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams alloc{};
    alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
    alloc.bytesize = kN * sizeof(int);
    cudaGraphNode_t node = nullptr, set = nullptr;
    CHECK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &alloc));
    cudaMemsetParams bytes{};
    bytes.dst = alloc.dptr;
    bytes.value = 4;
    bytes.elementSize = 4;
    bytes.width = kN;
    bytes.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, &node, 1, &bytes));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaGraphLaunch(exec, stream));
        expect("allocated by a node", first_of(static_cast<int*>(alloc.dptr)), 4);
        expect_usage("not freed yet", bytes_of_all, bytes_of_all, 2 << 20);
        CHECK(cudaFreeAsync(alloc.dptr, stream));
        expect_usage("freed by the program", 0, bytes_of_all, 2 << 20);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(out));
}

/// For about 100 us.
__global__ void spin(int* values, int by) {
    const long long begin = clock64();
    while (clock64() - begin < 180000) continue;
    values[threadIdx.x] += by;
}

/// Two branches of a fork, in streams, and what joins them; or the join is forgotten where the
/// program made the graph itself.
void branches(bool is_joined) {
    int *a = device_ints(), *b = device_ints();
    int one = 1;
    void *of_a[] = {&a, &one}, *of_b[] = {&b, &one};
    const cudaKernelNodeParams spins_a = kernel(spin, of_a), spins_b = kernel(spin, of_b),
                               multiplies = kernel(multiply, of_b);
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t nodes[3] = {};
    CHECK(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &spins_a));
    CHECK(cudaGraphAddKernelNode(&nodes[1], graph, nullptr, 0, &spins_b));
    // Without the second edge it runs beside the kernel whose result it multiplies.
    CHECK(cudaGraphAddKernelNode(&nodes[2], graph, nodes, is_joined ? 2 : 1, &multiplies));
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemsetAsync(b, 0, kN * sizeof(int), stream));  // behind all branches
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

}  // namespace

/// Events that become nodes: each launch records them, and who waits for one outside of the graph
/// does so in each launch.
void external_events() {
    int* values = device_ints();
    CHECK(cudaDeviceSynchronize());  // the streams do not wait for the default one
    cudaStream_t stream, other;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    cudaEvent_t begin, end, outside;
    for (cudaEvent_t* event : {&begin, &end, &outside}) CHECK(cudaEventCreate(event));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaStreamWaitEvent(stream, outside, cudaEventWaitExternal));
    CHECK(cudaEventRecordWithFlags(begin, stream, cudaEventRecordExternal));
    add<<<1, kN, 0, stream>>>(values, 3);
    CHECK(cudaEventRecordWithFlags(end, stream, cudaEventRecordExternal));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(stream, &graph));
    std::size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    expect("nodes", static_cast<int>(nodes), 4);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    float ms = -1;
    for (int launch = 1; launch <= 2; ++launch) {
        multiply<<<1, kN, 0, other>>>(values, 1);  // no hazard: the graph waits for it
        CHECK(cudaEventRecord(outside, other));
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        expect("a time", ms > 0 && ms < 1, 1);
        expect("values", first_of(values), 3 * launch);
    }
    CHECK_FAILS(cudaEventRecordWithFlags(begin, stream, 7), cudaErrorInvalidValue);
    CHECK_FAILS(cudaStreamWaitEvent(stream, begin, 7), cudaErrorInvalidValue);
    CHECK(cudaEventRecordWithFlags(begin, stream, cudaEventRecordExternal));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    for (cudaEvent_t event : {begin, end, outside}) CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaFree(values));
}

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "unsafe") {
        unsafe_calls();
        return wrong;
    }
    if (argc > 1) {
        branches(std::string(argv[1]) == "branches");
        return wrong;
    }
    by_hand();
    captured();
    memory();
    external_events();
    return wrong;
}
