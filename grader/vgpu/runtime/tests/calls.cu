// One line a call: what the CUDA runtime answers to right and to wrong use. The same program, run
// on an H200 (driver 580, CUDA 13.0), wrote calls.expected; the virtual GPU must write the same.
//
//   nvcc -arch=native -o calls calls.cu && ./calls > calls.expected      on a GPU
#include <cstdio>
#include <cstring>
#include <vector>

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

/// A launch's own error, and that of the work.
#define LAUNCH(...)                                                           \
    do {                                                                      \
        __VA_ARGS__;                                                          \
        const cudaError_t launched = cudaGetLastError();                      \
        std::printf("%s: %s, %s\n", #__VA_ARGS__, cudaGetErrorName(launched), \
                    cudaGetErrorName(cudaDeviceSynchronize()));               \
    } while (0)

__global__ void empty() {}
__global__ void __launch_bounds__(128) bounded(int* p) {
    if (p) *p = 1;
}
__global__ void dynamic_shared(int* p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (p) *p = s[0];
}
__global__ void static_shared(int* p) {
    __shared__ int s[1024];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (p) p[threadIdx.x] = s[threadIdx.x ^ 1];
}

__device__ int variable;
__constant__ int constants[4];
__managed__ int managed_variable = 5;
int host_variable;

static void launches() {
    int* p;
    SHOW(cudaMalloc(&p, 1 << 20));
    LAUNCH(empty<<<0, 1>>>());
    LAUNCH(empty<<<1, 0>>>());
    LAUNCH(empty<<<-1, 32>>>());
    LAUNCH(empty<<<1, 1024>>>());
    LAUNCH(empty<<<1, 1025>>>());
    LAUNCH(empty<<<1, dim3(1, 1, 64)>>>());
    LAUNCH(empty<<<1, dim3(1, 1, 65)>>>());
    LAUNCH(empty<<<1, dim3(32, 33)>>>());
    LAUNCH(empty<<<dim3(1, 65535), 1>>>());
    LAUNCH(empty<<<dim3(1, 65536), 1>>>());
    LAUNCH(bounded<<<1, 128>>>(p));
    LAUNCH(bounded<<<1, 129>>>(p));
    LAUNCH(dynamic_shared<<<1, 32, 49152>>>(p));
    LAUNCH(dynamic_shared<<<1, 32, 49153>>>(p));
    LAUNCH(static_shared<<<1, 32, 45056>>>(p));
    LAUNCH(static_shared<<<1, 32, 45057>>>(p));
    const auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
    SHOW(cudaFuncSetAttribute(dynamic_shared, limit, 232448));
    LAUNCH(dynamic_shared<<<1, 32, 232448>>>(p));
    SHOW(cudaFuncSetAttribute(dynamic_shared, limit, 232449));
    SHOW(cudaFuncSetAttribute(static_shared, limit, 232448));
    SHOW(cudaFuncSetAttribute(static_shared, limit, -5));
    SHOW(cudaLaunchKernel((void*)&host_variable, 1, 1, nullptr, 0, 0));
    SHOW(cudaLaunchKernel(nullptr, 1, 1, nullptr, 0, 0));
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 2000;
    SHOW(cudaLaunchKernelEx(&config, empty));
    config.blockDim = 32;
    SHOW(cudaLaunchKernelEx(&config, empty));
    SHOW(cudaGetLastError());
    // An error stays until it is asked for; it does not stop later calls.
    empty<<<1, 2000>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaPeekAtLastError());
    LAUNCH(empty<<<1, 1>>>());
    SHOW(cudaGetLastError());
    SHOW(cudaFree(p));
}

static void functions() {
    cudaFuncAttributes a;
    int blocks = 0, size = 0;
    SHOW(cudaFuncGetAttributes(&a, static_shared));
    std::printf("static %zu, local %zu, threads %d, dynamic %d\n", a.sharedSizeBytes,
                a.localSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes);
    SHOW(cudaFuncGetAttributes(&a, bounded));
    std::printf("threads %d\n", a.maxThreadsPerBlock);
    SHOW(cudaFuncGetAttributes(&a, (void*)&host_variable));
    SHOW(cudaFuncGetAttributes(nullptr, empty));
    for (const int threads : {1, 32, 96, 256, 600, 1024, 1025}) {
        for (const size_t bytes : {0, 16384, 100000}) {
            blocks = -1;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_shared, threads, bytes);
            std::printf("%d threads, %zu bytes: %d blocks\n", threads, bytes, blocks);
        }
    }
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 0, 0));
    SHOW(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, empty, 0, 0));
    std::printf("%d blocks of %d threads\n", blocks, size);
    cudaGetLastError();
}

static void devices() {
    int i = 0;
    cudaDeviceProp p;
    SHOW(cudaSetDevice(0));
    SHOW(cudaSetDevice(7));
    SHOW(cudaSetDevice(-1));
    SHOW(cudaGetDeviceProperties(&p, 7));
    SHOW(cudaGetDeviceProperties(nullptr, 0));
    SHOW(cudaGetDeviceProperties(&p, 0));
    std::printf("%d SMs, %d.%d, warp %d, block %d, shared %zu\n", p.multiProcessorCount, p.major,
                p.minor, p.warpSize, p.maxThreadsPerBlock, p.sharedMemPerBlock);
    SHOW(cudaDeviceGetAttribute(&i, (cudaDeviceAttr)9999, 0));
    SHOW(cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 3));
    SHOW(cudaGetDevice(nullptr));
    SHOW(cudaGetDeviceCount(nullptr));
    SHOW(cudaGetDeviceCount(&i));
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
}

static void allocations() {
    char host[64];
    int *p = (int*)1, *q;
    void *pinned, *managed, *device;
    size_t pitch;
    SHOW(cudaMalloc(&p, 0));
    std::printf("%p\n", p);
    SHOW(cudaMalloc((void**)nullptr, 4));
    SHOW(cudaMalloc(&p, size_t(1) << 50));
    SHOW(cudaMalloc(&p, ~size_t(0)));
    SHOW(cudaMalloc(&p, 100));
    SHOW(cudaMalloc(&q, 4096));
    SHOW(cudaFree((char*)q + 4));
    SHOW(cudaFree(host));
    SHOW(cudaFree((void*)0x12345));
    SHOW(cudaFree(q));
    SHOW(cudaFree(q));
    SHOW(cudaFree(nullptr));
    SHOW(cudaFreeHost(p));
    SHOW(cudaFreeHost(host));
    SHOW(cudaFreeHost(nullptr));
    SHOW(cudaMallocHost(&pinned, 0));
    std::printf("%p\n", pinned);
    SHOW(cudaMallocHost(&pinned, 4096));
    SHOW(cudaFree(pinned));
    SHOW(cudaFreeHost((char*)pinned + 8));
    SHOW(cudaFreeHost(pinned));
    SHOW(cudaHostAlloc(&pinned, 4096, 0x100));
    SHOW(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped | cudaHostAllocPortable));
    SHOW(cudaHostGetDevicePointer(&device, pinned, 0));
    std::printf("same %d\n", device == pinned);
    SHOW(cudaHostGetDevicePointer(&device, host, 0));
    SHOW(cudaMallocManaged(&managed, 0));
    SHOW(cudaMallocManaged(&managed, 4096, 3));
    SHOW(cudaMallocManaged(&managed, 4096));
    SHOW(cudaFreeHost(managed));
    SHOW(cudaFree(managed));
    SHOW(cudaMallocAsync((void**)&q, 64, 0));
    SHOW(cudaFreeAsync(q, 0));
    SHOW(cudaFreeAsync(q, 0));
    SHOW(cudaFree(q));
    for (const size_t width : {1, 511, 512, 513, 4097}) {
        SHOW(cudaMallocPitch(&device, &pitch, width, 3));
        std::printf("width %zu: pitch %zu\n", width, pitch);
        cudaFree(device);
    }
    SHOW(cudaMallocPitch(&device, &pitch, 0, 3));
    std::printf("%p %zu\n", device, pitch);
    SHOW(cudaMallocManaged(&managed, 4096));
    cudaPointerAttributes a;
    for (const void* at :
         {(void*)p, (void*)host, pinned, managed, (void*)nullptr, (void*)(p + 8)}) {
        SHOW(cudaPointerGetAttributes(&a, at));
        std::printf("type %d, device %d, device pointer %d, host pointer %d\n", a.type, a.device,
                    a.devicePointer == at, a.hostPointer == at);
    }
    SHOW(cudaPointerGetAttributes(nullptr, host));
    cudaMemLocation here{cudaMemLocationTypeDevice, 0}, elsewhere{cudaMemLocationTypeDevice, 5};
    SHOW(cudaMemPrefetchAsync(managed, 4096, here, 0, 0));
    SHOW(cudaMemPrefetchAsync(managed, 99999999, here, 0, 0));
    SHOW(cudaMemPrefetchAsync(managed, 0, here, 0, 0));
    SHOW(cudaMemPrefetchAsync(p, 64, here, 0, 0));
    SHOW(cudaMemPrefetchAsync(host, 64, here, 0, 0));
    SHOW(cudaMemPrefetchAsync(managed, 4096, elsewhere, 0, 0));
    SHOW(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, here));
    SHOW(cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, here));
    SHOW(cudaMemAdvise(managed, 4096, (cudaMemoryAdvise)77, here));
    cudaGetLastError();
}

static void copies() {
    static std::vector<char> large(64 << 20);
    char h[64];
    char* const big = large.data();
    char *p, *pinned, *managed;
    cudaMalloc(&p, 100);
    cudaMallocHost(&pinned, 4096);
    cudaMallocManaged(&managed, 4096);
    SHOW(cudaMemcpy(p, h, 64, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(p, h, 64, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(h, p, 64, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(h, p, 64, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(p, h, 64, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(h, p, 64, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(h, h + 32, 8, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(h, h + 32, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(h, h + 32, 8, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(h, h + 32, 8, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(h, h + 32, 8, cudaMemcpyDefault));
    SHOW(cudaMemcpy(p, p + 8, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(p, p + 8, 8, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(p, p + 8, 8, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(p, pinned, 8, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(pinned, p, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(managed, p, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(managed, h, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(h, managed, 8, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(h, p, 8, cudaMemcpyDefault));
    SHOW(cudaMemcpy(h, p, 8, (cudaMemcpyKind)9));
    SHOW(cudaMemcpy(h, p, 0, (cudaMemcpyKind)9));
    SHOW(cudaMemcpy(p, nullptr, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(nullptr, p, 8, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(nullptr, h, 8, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(big, p, 64 << 20, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(p, big, 64 << 20, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(p, big, 101, cudaMemcpyHostToDevice));
    SHOW(cudaMemset(p, 0, 100));
    SHOW(cudaMemset(p, 0, 101));
    SHOW(cudaMemset(h, 0, 8));
    SHOW(cudaMemset(nullptr, 0, 8));
    SHOW(cudaMemset(nullptr, 0, 0));
    SHOW(cudaMemset(pinned, 0, 8));
    SHOW(cudaMemset(managed, 0, 8));
    SHOW(cudaMemcpy2D(p, 4, h, 8, 8, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 8, h, 4, 8, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 8, h, 8, 8, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 16, h, 8, 8, 6, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 4, h, 8, 8, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 4, h, 8, 8, 1, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 4, h, 8, 0, 1, cudaMemcpyHostToDevice));
    SHOW(cudaMemset2D(p, 4, 0, 8, 2));
    SHOW(cudaMemset2D(p, 8, 0, 8, 2));
    SHOW(cudaMemcpyToSymbol(variable, h, 4));
    SHOW(cudaMemcpyToSymbol(variable, h, 8));
    SHOW(cudaMemcpyToSymbol(variable, h, 4, 4));
    SHOW(cudaMemcpyToSymbol(host_variable, h, 4));
    SHOW(cudaMemcpyToSymbol(constants, h, 4, 12));
    SHOW(cudaMemcpyFromSymbol(h, variable, 4));
    SHOW(cudaMemcpyToSymbol(variable, h, 4, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyFromSymbol(h, variable, 4, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyToSymbol((const void*)nullptr, h, 4));
    void* address;
    size_t size;
    SHOW(cudaGetSymbolAddress(&address, variable));
    SHOW(cudaGetSymbolAddress(&address, host_variable));
    SHOW(cudaGetSymbolSize(&size, constants));
    SHOW(cudaGetSymbolAddress(&address, managed_variable));
    std::printf("size %zu, same %d, value %d\n", size, address == &managed_variable,
                managed_variable);
    cudaGetLastError();
}

static void streams_and_events() {
    cudaEvent_t e, f, untimed;
    cudaStream_t s;
    float ms = -1;
    int low, high;
    unsigned flags = 99;
    SHOW(cudaEventCreate(&e));
    SHOW(cudaEventCreate(&f));
    SHOW(cudaEventElapsedTime(&ms, e, f));
    SHOW(cudaEventQuery(e));
    SHOW(cudaEventSynchronize(e));
    SHOW(cudaEventRecord(e));
    empty<<<1, 1>>>();
    SHOW(cudaEventRecord(f));
    SHOW(cudaEventSynchronize(f));
    SHOW(cudaEventElapsedTime(&ms, e, f));
    std::printf("between 4 and 20 us: %d\n", ms > 0.004 && ms < 0.020);
    SHOW(cudaEventElapsedTime(&ms, f, e));
    std::printf("negative: %d\n", ms < 0);
    SHOW(cudaEventElapsedTime(nullptr, e, f));
    SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    SHOW(cudaEventRecord(untimed));
    SHOW(cudaEventElapsedTime(&ms, e, untimed));
    SHOW(cudaEventCreateWithFlags(&untimed, 0x80));
    SHOW(cudaEventDestroy(e));
    SHOW(cudaEventDestroy(nullptr));
    SHOW(cudaEventRecord(nullptr));
    SHOW(cudaEventCreate((cudaEvent_t*)nullptr));
    SHOW(cudaEventElapsedTime(&ms, nullptr, f));
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaStreamQuery(s));
    SHOW(cudaStreamSynchronize(s));
    SHOW(cudaStreamWaitEvent(s, f, 0));
    SHOW(cudaStreamWaitEvent(s, nullptr, 0));
    SHOW(cudaLaunchHostFunc(s, nullptr, nullptr));
    SHOW(cudaStreamDestroy(s));
    SHOW(cudaStreamDestroy(nullptr));
    SHOW(cudaStreamSynchronize(nullptr));
    SHOW(cudaStreamCreateWithFlags(&s, 8));
    SHOW(cudaDeviceGetStreamPriorityRange(&low, &high));
    SHOW(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    int priority = 0;
    SHOW(cudaStreamGetPriority(s, &priority));
    SHOW(cudaStreamGetFlags(s, &flags));
    std::printf("priorities %d to %d, %d; flags %u\n", low, high, priority, flags);
    cudaGetLastError();
}

static void errors() {
    for (const int code : {0,   1,   2,   9,   46,  98,  100, 101, 209, 218,
                           400, 700, 701, 702, 710, 716, 719, 801, 999, 5000}) {
        const auto error = static_cast<cudaError_t>(code);
        std::printf("%d %s: %s\n", code, cudaGetErrorName(error), cudaGetErrorString(error));
    }
}

int main() {
    devices();
    launches();
    functions();
    allocations();
    copies();
    streams_and_events();
    errors();
    SHOW(cudaDeviceReset());
    int* p;
    SHOW(cudaMalloc(&p, 4));
    SHOW(cudaMemcpyFromSymbol(&host_variable, variable, 4));
    std::printf("fresh %d, %d\n", host_variable, cudaGetLastError());
}
