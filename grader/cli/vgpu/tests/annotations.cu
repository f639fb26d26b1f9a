// A program that divides its memory itself and says so with NVTX. The argument says what it does
// wrong: nothing, or "past" (the end of a part), "free" (a part taken back), "reset" (all parts
// taken back), "write" (what is for reading), "atomic".
#include <cstdio>
#include <string>

#include <nvtx3/nvToolsExtMemCudaRt.h>

#include <nvtx3/nvToolsExtMem.h>

__global__ void fill(int* part, int n) {
    if (static_cast<int>(threadIdx.x) < n) part[threadIdx.x] = 1;
}

__global__ void sum(const int* part, int n, int* result) {
    if (static_cast<int>(threadIdx.x) < n) atomicAdd(result, part[threadIdx.x]);
}

static nvtxMemVirtualRangeDesc_t range(void* at, size_t bytes) {
    return {bytes, at};
}

static nvtxMemHeapHandle_t make_pool(nvtxDomainHandle_t domain, void* at, size_t bytes) {
    const auto whole = range(at, bytes);
    nvtxMemHeapDesc_t heap = {};
    heap.extCompatID = NVTX_EXT_COMPATID_MEM;
    heap.structSize = sizeof(heap);
    heap.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
    heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    heap.typeSpecificDesc = &whole;
    heap.typeSpecificDescSize = sizeof(whole);
    return nvtxMemHeapRegister(domain, &heap);
}

static void hand_out(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t pool, void* at, size_t bytes) {
    const auto part = range(at, bytes);
    nvtxMemRegionsRegisterBatch_t batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof(batch);
    batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    batch.heap = pool;
    batch.regionCount = 1;
    batch.regionDescElementSize = sizeof(part);
    batch.regionDescElements = &part;
    nvtxMemRegionsRegister(domain, &batch);
}

static void take_back(nvtxDomainHandle_t domain, void* at) {
    nvtxMemRegionRef_t part;
    part.pointer = at;
    nvtxMemRegionsUnregisterBatch_t batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof(batch);
    batch.refType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    batch.refCount = 1;
    batch.refElementSize = sizeof(part);
    batch.refElements = &part;
    nvtxMemRegionsUnregister(domain, &batch);
}

static void permit(nvtxDomainHandle_t domain, void* at, uint32_t flags) {
    nvtxMemPermissionsAssignRegionDesc_t region = {};
    region.flags = flags;
    region.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    region.region.pointer = at;
    nvtxMemPermissionsAssignBatch_t batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof(batch);
    batch.permissions = nvtxMemCudaGetProcessWidePermissions(domain);
    batch.regionCount = 1;
    batch.regionElementSize = sizeof(region);
    batch.regionElements = &region;
    nvtxMemPermissionsAssign(domain, &batch);
}

static void name(nvtxDomainHandle_t domain, void* at, const char* text) {
    nvtxMemRegionNameDesc_t region = {};
    region.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    region.nameType = NVTX_MESSAGE_TYPE_ASCII;
    region.region.pointer = at;
    region.name.ascii = text;
    nvtxMemRegionsNameBatch_t batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof(batch);
    batch.regionCount = 1;
    batch.regionElementSize = sizeof(region);
    batch.regionElements = &region;
    nvtxMemRegionsName(domain, &batch);
}

int main(int count, char** arguments) {
    const std::string wrong = count > 1 ? arguments[1] : "";
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("test");
    char* memory;
    int* result;
    cudaMalloc(&memory, 4096);
    cudaMalloc(&result, sizeof(int));
    cudaMemset(result, 0, sizeof(int));
    name(domain, memory, "the pool");
    const auto pool = make_pool(domain, memory, 4096);
    if (pool == nullptr) std::printf("NVTX has no tool\n");
    int* const part = reinterpret_cast<int*>(memory + 256);
    hand_out(domain, pool, part, 128);
    fill<<<1, 64>>>(part, wrong == "past" ? 33 : 32);
    permit(domain, part, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    if (wrong == "write") fill<<<1, 64>>>(part, 32);
    if (wrong == "atomic")
        permit(domain, result,
               NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ | NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
    sum<<<1, 64>>>(part, 32, result);
    if (wrong != "reset") take_back(domain, part);
    if (wrong == "twice") take_back(domain, part);
    if (wrong == "reset") nvtxMemHeapReset(domain, pool);
    if (wrong == "free" || wrong == "reset") sum<<<1, 64>>>(part, 32, result);
    nvtxMemHeapUnregister(domain, pool);
    fill<<<1, 1024>>>(reinterpret_cast<int*>(memory), 1024);
    int total = 0;
    cudaMemcpy(&total, result, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d, %s\n", total, cudaGetErrorName(cudaGetLastError()));
    if (wrong != "leak") cudaFree(memory);
    cudaFree(result);
    return 0;
}
