// Tests the accounts of a submission's allocations, on a fake runtime in host memory.
#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runner/device.h"

using namespace lab::runner;

namespace {
constexpr std::size_t kPitch = 512;
bool is_out_of_memory = false;
std::vector<cudaStream_t> filled_on;  ///< streams of cudaMemsetAsync
bool has_pools = true;
std::uint64_t kept_bytes = 0;  ///< what the pool does not give back

cudaError_t allocate(void** memory, std::size_t bytes) {
    if (is_out_of_memory) return cudaErrorMemoryAllocation;
    *memory = std::calloc(bytes + 1, 1);
    return cudaSuccess;
}
cudaError_t release(void* memory) {
    static int not_allocated;
    if (memory == &not_allocated) return cudaErrorInvalidValue;
    std::free(memory);
    return cudaSuccess;
}
}  // namespace

extern "C" {
// The fake runtime.
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    return allocate(memory, bytes);
}
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) {
    return allocate(memory, bytes);
}
cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t, std::size_t height) {
    *pitch = kPitch;
    return allocate(memory, kPitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    memory->pitch = kPitch;
    return allocate(&memory->ptr, kPitch * extent.height * extent.depth);
}
cudaError_t cudaFree(void* memory) {
    return release(memory);
}
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
    return allocate(memory, bytes);
}
cudaError_t cudaMallocAsync_ptsz(void** memory, std::size_t bytes, cudaStream_t) {
    return allocate(memory, bytes);
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
    return allocate(memory, bytes);
}
cudaError_t cudaMallocFromPoolAsync_ptsz(void** memory, std::size_t bytes, cudaMemPool_t,
                                         cudaStream_t) {
    return allocate(memory, bytes);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) {
    return release(memory);
}
cudaError_t cudaFreeAsync_ptsz(void* memory, cudaStream_t) {
    return release(memory);
}
cudaError_t cudaDeviceReset() {
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
    std::memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    filled_on.push_back(stream);
    return cudaMemset(memory, value, bytes);
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    static int memory;
    *pool = reinterpret_cast<cudaMemPool_t>(&memory);
    return has_pools ? cudaSuccess : cudaErrorNotSupported;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void* value) {
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        kept_bytes = *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
}

// The functions that a submission's calls become.
cudaError_t lab_cudaMalloc(void**, std::size_t);
cudaError_t lab_cudaMallocManaged(void**, std::size_t, unsigned);
cudaError_t lab_cudaMallocPitch(void**, std::size_t*, std::size_t, std::size_t);
cudaError_t lab_cudaMalloc3D(cudaPitchedPtr*, cudaExtent);
cudaError_t lab_cudaFree(void*);
cudaError_t lab_cudaMallocAsync(void**, std::size_t, cudaStream_t);
cudaError_t lab_cudaMallocAsync_ptsz(void**, std::size_t, cudaStream_t);
cudaError_t lab_cudaMallocFromPoolAsync(void**, std::size_t, cudaMemPool_t, cudaStream_t);
cudaError_t lab_cudaMallocFromPoolAsync_ptsz(void**, std::size_t, cudaMemPool_t, cudaStream_t);
cudaError_t lab_cudaFreeAsync(void*, cudaStream_t);
cudaError_t lab_cudaFreeAsync_ptsz(void*, cudaStream_t);
cudaError_t lab_cudaDeviceReset();
}

TEST_CASE("Every way to allocate is counted, and every way to free") {
    const std::uint64_t before = device_memory_in_use();
    void *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr, *e = nullptr, *f = nullptr,
         *g = nullptr;
    cudaPitchedPtr cube{};
    std::size_t pitch = 0;
    REQUIRE(lab_cudaMalloc(&a, 10) == cudaSuccess);
    REQUIRE(lab_cudaMallocManaged(&b, 20, cudaMemAttachGlobal) == cudaSuccess);
    REQUIRE(lab_cudaMallocPitch(&c, &pitch, 100, 3) == cudaSuccess);
    REQUIRE(lab_cudaMalloc3D(&cube, {100, 2, 2}) == cudaSuccess);
    CHECK(device_memory_in_use() - before == 10 + 20 + 3 * kPitch + 4 * kPitch);
    REQUIRE(lab_cudaMallocAsync(&d, 1, nullptr) == cudaSuccess);
    REQUIRE(lab_cudaMallocAsync_ptsz(&e, 2, nullptr) == cudaSuccess);
    REQUIRE(lab_cudaMallocFromPoolAsync(&f, 3, nullptr, nullptr) == cudaSuccess);
    REQUIRE(lab_cudaMallocFromPoolAsync_ptsz(&g, 4, nullptr, nullptr) == cudaSuccess);
    CHECK(device_memory_in_use() - before == 30 + 7 * kPitch + 10);
    for (void* memory : {a, b, c, cube.ptr, f}) CHECK(lab_cudaFree(memory) == cudaSuccess);
    CHECK(device_memory_in_use() - before == 1 + 2 + 4);
    CHECK(lab_cudaFreeAsync(d, nullptr) == cudaSuccess);
    CHECK(lab_cudaFreeAsync_ptsz(e, nullptr) == cudaSuccess);
    CHECK(lab_cudaFreeAsync(g, nullptr) == cudaSuccess);
    CHECK(device_memory_in_use() == before);
}

TEST_CASE("What fails is not counted, and its error comes back") {
    const std::uint64_t before = device_memory_in_use();
    void* memory = nullptr;
    is_out_of_memory = true;
    CHECK(lab_cudaMalloc(&memory, 10) == cudaErrorMemoryAllocation);
    CHECK(lab_cudaMallocAsync(&memory, 10, nullptr) == cudaErrorMemoryAllocation);
    is_out_of_memory = false;
    CHECK(device_memory_in_use() == before);
    CHECK(lab_cudaFree(nullptr) == cudaSuccess);
    CHECK(device_memory_in_use() == before);
}

TEST_CASE("A reset of the device frees all") {
    void* memory = nullptr;
    REQUIRE(lab_cudaMalloc(&memory, 10) == cudaSuccess);
    CHECK(device_memory_in_use() >= 10);
    CHECK(lab_cudaDeviceReset() == cudaSuccess);
    CHECK(device_memory_in_use() == 0);
    std::free(memory);
}

TEST_CASE("New memory holds a pattern when it shall") {
    constexpr std::size_t kBytes = 64;
    const auto holds = [](const void* memory, int value) {
        const auto* bytes = static_cast<const unsigned char*>(memory);
        for (std::size_t i = 0; i < kBytes; ++i)
            if (bytes[i] != value) return false;
        return true;
    };
    void *plain = nullptr, *filled = nullptr, *ordered = nullptr;
    REQUIRE(lab_cudaMalloc(&plain, kBytes) == cudaSuccess);
    CHECK(holds(plain, 0));
    begin_call(true);
    filled_on.clear();
    REQUIRE(lab_cudaMalloc(&filled, kBytes) == cudaSuccess);
    CHECK(holds(filled, kPoisonByte));
    CHECK(filled_on.empty());
    // In the order of its stream; stream 0 is another one with per-thread default streams.
    REQUIRE(lab_cudaMallocAsync_ptsz(&ordered, kBytes, nullptr) == cudaSuccess);
    CHECK(holds(ordered, kPoisonByte));
    CHECK(filled_on == std::vector<cudaStream_t>{cudaStreamPerThread});
    begin_call(false);
    for (void* memory : {plain, filled, ordered}) lab_cudaFree(memory);
}

TEST_CASE("The pool keeps in each call what calls before have freed, where there are pools") {
    kept_bytes = 0;
    begin_call(false);
    CHECK(kept_bytes == UINT64_MAX);
    kept_bytes = 0;
    has_pools = false;
    begin_call(false);
    CHECK(kept_bytes == 0);
    has_pools = true;
}
