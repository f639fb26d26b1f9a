// As calls.cu, for functions that fewer programs call: one line a call, and what an H200 (driver
// 580, CUDA 13.0) answered is in rare_calls.expected.
//
//   nvcc -arch=native -o rare_calls rare_calls.cu && ./rare_calls > rare_calls.expected    on a GPU
//   ./rare_calls cooperative > cooperative.expected
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void twice(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
__global__ void meet(int* p) {
    if (threadIdx.x == 0) p[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) p[0] = p[gridDim.x - 1] + 1;
}

static void peers() {
    int value = -1;
    char name[64] = "";
    SHOW(cudaDeviceCanAccessPeer(&value, 0, 0));
    std::printf("%d\n", value);
    SHOW(cudaDeviceCanAccessPeer(&value, 0, 1));
    SHOW(cudaDeviceEnablePeerAccess(0, 0));
    SHOW(cudaDeviceEnablePeerAccess(0, 1));
    SHOW(cudaDeviceEnablePeerAccess(1, 0));
    SHOW(cudaDeviceDisablePeerAccess(0));
    SHOW(cudaDeviceDisablePeerAccess(1));
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    SHOW(cudaDeviceGetPCIBusId(name, sizeof(name), 0));
    SHOW(cudaDeviceGetPCIBusId(name, sizeof(name), 1));
    SHOW(cudaDeviceGetByPCIBusId(&value, name));
    std::printf("%d\n", value);
    SHOW(cudaDeviceGetByPCIBusId(&value, "0000:7f:00.0"));
    int *a, *b;
    SHOW(cudaMalloc(&a, 256));
    SHOW(cudaMalloc(&b, 256));
    SHOW(cudaMemset(a, 1, 256));
    SHOW(cudaMemcpyPeer(b, 0, a, 0, 256));
    SHOW(cudaMemcpyPeer(b, 1, a, 0, 256));
    SHOW(cudaMemcpyPeerAsync(b, 0, a, 0, 256, nullptr));
    SHOW(cudaMemcpyPeer(b, 0, &value, 0, 4));
    SHOW(cudaFree(a));
    SHOW(cudaFree(b));
    cudaDeviceProp wanted{};
    SHOW(cudaChooseDevice(&value, &wanted));
    std::printf("%d\n", value);
    SHOW(cudaInitDevice(0, 0, 0));
    SHOW(cudaInitDevice(1, 0, 0));
    SHOW(cudaInitDevice(0, 0, 7));
}

static void limits() {
    size_t value = 0;
    SHOW(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    std::printf("%zu\n", value);
    SHOW(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    std::printf("%zu\n", value);
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SHOW(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    std::printf("%zu\n", value);
    SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    SHOW(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    std::printf("%zu\n", value);
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30));
    SHOW(cudaDeviceGetLimit(&value, (cudaLimit)77));
    SHOW(cudaDeviceSetLimit((cudaLimit)77, 1));
    SHOW(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
    SHOW(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    SHOW(cudaDeviceGetSharedMemConfig(&banks));
    std::printf("%d\n", banks);
    SHOW(cudaFuncSetSharedMemConfig(twice, cudaSharedMemBankSizeFourByte));
}

static void boxes() {
    cudaPitchedPtr box{};
    const cudaExtent extent = make_cudaExtent(40, 5, 3);
    unsigned char in[600], out[600] = {};
    for (int i = 0; i < 600; ++i) in[i] = static_cast<unsigned char>(i);
    SHOW(cudaMalloc3D(&box, extent));
    std::printf("pitch %zu, %zu x %zu\n", box.pitch, box.xsize, box.ysize);
    SHOW(cudaMemset3D(box, 7, extent));
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(in, 40, 40, 5);
    p.dstPtr = box;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    SHOW(cudaMemcpy3D(&p));
    cudaMemcpy3DParms q{};
    q.srcPtr = box;
    q.srcPos = make_cudaPos(4, 1, 1);
    q.dstPtr = make_cudaPitchedPtr(out, 40, 40, 5);
    q.extent = make_cudaExtent(8, 2, 2);
    q.kind = cudaMemcpyDeviceToHost;
    SHOW(cudaMemcpy3D(&q));
    std::printf("%d %d %d %d\n", out[0] == in[200 + 40 + 4], out[7] == in[200 + 40 + 11],
                out[40 + 3] == in[200 + 80 + 7], out[200 + 40] == in[400 + 80 + 4]);
    q.extent.height = 6;
    SHOW(cudaMemcpy3D(&q));
    q.extent = make_cudaExtent(0, 2, 2);
    SHOW(cudaMemcpy3D(&q));
    q.extent = make_cudaExtent(8, 2, 2);
    q.kind = cudaMemcpyHostToDevice;
    SHOW(cudaMemcpy3D(&q));
    SHOW(cudaMemcpy3D(nullptr));
    p.srcPtr.ptr = nullptr;
    SHOW(cudaMemcpy3D(&p));
    SHOW(cudaFree(box.ptr));
}

static void registered() {
    const int n = 5000;
    int* const data = static_cast<int*>(std::malloc(n * sizeof(int)));
    int* device = nullptr;
    for (int i = 0; i < n; ++i) data[i] = i;
    SHOW(cudaHostGetDevicePointer(&device, data, 0));
    SHOW(cudaHostRegister(nullptr, 4, 0));
    SHOW(cudaHostRegister(data, 0, 0));
    SHOW(cudaHostRegister(data, n * sizeof(int), cudaHostRegisterMapped));
    SHOW(cudaHostRegister(data, n * sizeof(int), cudaHostRegisterMapped));
    SHOW(cudaHostGetDevicePointer(&device, data, 0));
    twice<<<(n + 255) / 256, 256>>>(device, n);
    SHOW(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += data[i] != 2 * i;
    std::printf("%d wrong\n", wrong);
    cudaPointerAttributes a;
    SHOW(cudaPointerGetAttributes(&a, data + 10));
    std::printf("type %d, host %d, device %d\n", a.type, a.hostPointer == data + 10,
                a.devicePointer == device + 10);
    int* copy;
    SHOW(cudaMalloc(&copy, n * sizeof(int)));
    SHOW(cudaMemcpyAsync(copy, data, n * sizeof(int), cudaMemcpyHostToDevice));
    SHOW(cudaMemsetAsync(copy, 0, 4));
    SHOW(cudaMemcpyAsync(data, copy, n * sizeof(int), cudaMemcpyDeviceToHost));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaHostUnregister(data + 1));
    SHOW(cudaHostUnregister(data));
    SHOW(cudaHostUnregister(data));
    wrong = data[0] != 0;
    for (int i = 1; i < n; ++i) wrong += data[i] != 2 * i;
    std::printf("%d wrong\n", wrong);
    SHOW(cudaFree(copy));
    std::free(data);
}

static void pools() {
    cudaMemPool_t pool = nullptr, own = nullptr;
    int *p = nullptr, *q = nullptr, flag = -1;
    std::uint64_t number = 1;
    SHOW(cudaDeviceGetDefaultMemPool(&pool, 0));
    SHOW(cudaDeviceGetDefaultMemPool(&pool, 1));
    SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &number));
    std::printf("%llu\n", (unsigned long long)number);
    number = ~0ull;
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &number));
    SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
    std::printf("%d\n", flag);
    SHOW(cudaMallocAsync(&p, 1000, nullptr));
    SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &number));
    std::printf("%d\n", number >= 1000);
    SHOW(cudaFreeAsync(p, nullptr));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &number));
    std::printf("%llu\n", (unsigned long long)number);
    SHOW(cudaMemPoolTrimTo(pool, 0));
    cudaMemPoolProps props{};
    SHOW(cudaMemPoolCreate(&own, &props));
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    SHOW(cudaMemPoolCreate(&own, &props));
    SHOW(cudaMallocFromPoolAsync(&q, 4096, own, nullptr));
    SHOW(cudaMemsetAsync(q, 0, 4096));
    SHOW(cudaFreeAsync(q, nullptr));
    SHOW(cudaDeviceSetMemPool(0, own));
    SHOW(cudaDeviceGetMemPool(&pool, 0));
    std::printf("%d\n", pool == own);
    SHOW(cudaMemPoolDestroy(own));
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &number));
}

static void cooperative() {
    int *p = nullptr, first = 0, blocks = 0;
    size_t bytes = 0;
    SHOW(cudaMalloc(&p, 1 << 20));
    void* arguments[] = {&p};
    SHOW(cudaLaunchCooperativeKernel((void*)meet, 8, 64, arguments, 0, nullptr));
    SHOW(cudaMemcpy(&first, p, 4, cudaMemcpyDeviceToHost));
    std::printf("%d\n", first);
    SHOW(cudaLaunchCooperativeKernel((void*)meet, 100000, 64, arguments, 0, nullptr));
    SHOW(cudaGetLastError());
    cudaLaunchConfig_t config{};
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim = 4;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    SHOW(cudaLaunchKernelEx(&config, meet, p));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, twice, 4, 256));
    std::printf("%zu\n", bytes);
    SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, twice, 8, 256));
    std::printf("%zu\n", bytes);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0));
    size_t offset = 0, size = 0;
    SHOW(cudaFuncGetParamInfo((void*)twice, 1, &offset, &size));
    std::printf("%zu %zu\n", offset, size);
    SHOW(cudaFuncGetParamInfo((void*)twice, 2, &offset, &size));
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusActive;
    SHOW(cudaStreamIsCapturing(nullptr, &capturing));
    std::printf("%d\n", capturing);
    SHOW(cudaStreamAttachMemAsync(nullptr, p, 0, cudaMemAttachHost));
    SHOW(cudaFree(p));
    cudaGetLastError();
}

int main(int argc, char**) {
    if (argc > 1) return cooperative(), 0;
    peers();
    limits();
    boxes();
    registered();
    pools();
}
