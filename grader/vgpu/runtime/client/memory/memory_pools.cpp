// Memory pools: what cudaMallocAsync takes memory from. A pool here keeps nothing back: it has as
// much memory as its allocations hold. What it would keep until the host waits, or beyond that up
// to its threshold, only decides what an allocation costs.
#include <algorithm>
#include <map>
#include <set>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/memory/memory.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;

struct CUmemPoolHandle_st {
    std::uint64_t release_threshold = 0;
    int reuse[3] = {1, 1, 1};  ///< following events, opportunistic, with added dependencies
    std::uint64_t used = 0, most_used = 0;
    std::uint64_t held = 0;  ///< bytes: used, and kept for allocations to come
};

namespace {

constexpr Refusal kNoPool{cudaErrorInvalidValue, "not a memory pool, or one that was destroyed"};

/// Guarded by the runtime's lock; never destroyed, as programs may call until their very end.
struct Pools {
    CUmemPoolHandle_st standard;
    cudaMemPool_t current = &standard;
    std::set<cudaMemPool_t> created;
    struct Piece {
        cudaMemPool_t pool;
        std::uint64_t bytes;
    };
    std::map<const void*, Piece> pieces;
};
Pools& pools() {
    static Pools& all = *new Pools;
    return all;
}

bool is_pool(cudaMemPool_t pool) {
    return pool == &pools().standard || pools().created.contains(pool);
}

Status allocate_from(Runtime& rt, cudaMemPool_t pool, void** pointer, std::uint64_t bytes,
                     cudaStream_t stream) {
    if (is_capturing(stream)) return capture_allocation(rt, stream, pointer, bytes);
    const bool grows = pool->used + bytes > pool->held;
    const Status status = allocate(rt, pointer, bytes, &stream, grows);
    if (status.failed() || bytes == 0) return status;
    pools().pieces[*pointer] = {pool, bytes};
    pool->used += bytes;
    pool->held = std::max(pool->held, pool->used);
    pool->most_used = std::max(pool->most_used, pool->used);
    return status;
}

/// The attribute's place; null for one that a program may not set, or that is none.
int* reuse_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
            return &pool->reuse[0];
        case cudaMemPoolReuseAllowOpportunistic:
            return &pool->reuse[1];
        case cudaMemPoolReuseAllowInternalDependencies:
            return &pool->reuse[2];
        default:
            return nullptr;
    }
}

Status with_pool_of_device(cudaMemPool_t* pool, int device, cudaMemPool_t which) {
    if (pool == nullptr) return kNull;
    if (device != 0) return kNoSuchDevice;
    *pool = which;
    return {};
}

}  // namespace

void vgpu::client::forget_piece(const void* pointer) {
    const auto piece = pools().pieces.find(pointer);
    if (piece == pools().pieces.end()) return;
    piece->second.pool->used -= piece->second.bytes;
    pools().pieces.erase(piece);
}

void vgpu::client::shrink_pools() {
    const auto shrink = [](CUmemPoolHandle_st& pool) {
        pool.held = std::max(pool.used, std::min(pool.held, pool.release_threshold));
    };
    shrink(pools().standard);
    for (const cudaMemPool_t pool : pools().created) shrink(*pool);
}

void vgpu::client::fill_pool() {
    pools().standard.held = pools().standard.release_threshold = UINT64_MAX;
}

void vgpu::client::forget_pools() {
    for (const cudaMemPool_t pool : pools().created) delete pool;
    pools().created.clear();
    pools().pieces.clear();
    pools().standard = {};
    pools().current = &pools().standard;
}

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return call("cudaMallocAsync", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        return allocate_from(rt, pools().current, pointer, bytes, stream);
    });
}
VGPU_ALIAS(cudaMallocAsync_ptsz, cudaMallocAsync);

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    return call("cudaMallocFromPoolAsync", [&](Runtime& rt) -> Status {
        if (!is_pool(pool)) return kNoPool;
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        return allocate_from(rt, pool, pointer, bytes, stream);
    });
}
VGPU_ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return call("cudaDeviceGetDefaultMemPool",
                [&](Runtime&) { return with_pool_of_device(pool, device, &pools().standard); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return call("cudaDeviceGetMemPool",
                [&](Runtime&) { return with_pool_of_device(pool, device, pools().current); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return call("cudaDeviceSetMemPool", [&](Runtime&) -> Status {
        if (device != 0) return kNoSuchDevice;
        if (!is_pool(pool)) return kNoPool;
        pools().current = pool;
        return {};
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return call("cudaMemPoolCreate", [&](Runtime&) -> Status {
        if (pool == nullptr || properties == nullptr) return kNull;
        if (properties->allocType != cudaMemAllocationTypePinned ||
            properties->location.type != cudaMemLocationTypeDevice) {
            return {cudaErrorInvalidValue, "a pool has pinned memory of a device"};
        }
        if (properties->location.id != 0) return kNoSuchDevice;
        if (properties->handleTypes != cudaMemHandleTypeNone) {
            say("cudaMemPoolCreate: pools cannot be shared with other processes");
            return {cudaErrorNotSupported, "a pool cannot be shared with other processes"};
        }
        *pool = *pools().created.insert(new CUmemPoolHandle_st).first;
        return {};
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return call("cudaMemPoolDestroy", [&](Runtime&) -> Status {
        if (pools().created.erase(pool) == 0) return kNoPool;
        if (pools().current == pool) pools().current = &pools().standard;
        std::erase_if(pools().pieces, [&](const auto& p) { return p.second.pool == pool; });
        delete pool;
        return {};
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    return call("cudaMemPoolTrimTo",
                [&](Runtime&) { return is_pool(pool) ? Status() : kNoPool; });  // nothing to trim
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call("cudaMemPoolSetAttribute", [&](Runtime&) -> Status {
        if (value == nullptr) return kNull;
        if (!is_pool(pool)) return kNoPool;
        if (int* const reuse = reuse_attribute(pool, attribute); reuse != nullptr) {
            *reuse = *static_cast<int*>(value);
            return {};
        }
        const std::uint64_t number = *static_cast<std::uint64_t*>(value);
        switch (attribute) {
            case cudaMemPoolAttrReleaseThreshold:
                pool->release_threshold = number;
                return {};
            case cudaMemPoolAttrReservedMemHigh:
            case cudaMemPoolAttrUsedMemHigh:
                if (number != 0) return {cudaErrorInvalidValue, "the peak can only be set to 0"};
                pool->most_used = pool->used;
                return {};
            default:
                return {cudaErrorInvalidValue, "not an attribute that can be set"};
        }
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call("cudaMemPoolGetAttribute", [&](Runtime&) -> Status {
        if (value == nullptr) return kNull;
        if (!is_pool(pool)) return kNoPool;
        if (const int* const reuse = reuse_attribute(pool, attribute); reuse != nullptr) {
            *static_cast<int*>(value) = *reuse;
            return {};
        }
        auto& number = *static_cast<std::uint64_t*>(value);
        switch (attribute) {
            case cudaMemPoolAttrReleaseThreshold:
                number = pool->release_threshold;
                return {};
            case cudaMemPoolAttrReservedMemCurrent:
            case cudaMemPoolAttrUsedMemCurrent:
                number = pool->used;
                return {};
            case cudaMemPoolAttrReservedMemHigh:
            case cudaMemPoolAttrUsedMemHigh:
                number = pool->most_used;
                return {};
            default:
                return {cudaErrorInvalidValue, "no such attribute"};
        }
    });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* accesses,
                                 size_t count) {
    return call("cudaMemPoolSetAccess", [&](Runtime&) -> Status {
        if (accesses == nullptr) return kNull;
        if (!is_pool(pool)) return kNoPool;
        for (std::size_t i = 0; i < count; ++i) {
            if (accesses[i].location.type != cudaMemLocationTypeDevice ||
                accesses[i].location.id != 0) {
                return kNoSuchDevice;
            }
            if (accesses[i].flags != cudaMemAccessFlagsProtReadWrite) {
                return {cudaErrorInvalidValue, "a pool is always open to its own device"};
            }
        }
        return {};
    });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
    return call("cudaMemPoolGetAccess", [&](Runtime&) -> Status {
        if (flags == nullptr || location == nullptr) return kNull;
        if (!is_pool(pool)) return kNoPool;
        if (location->type != cudaMemLocationTypeDevice || location->id != 0) return kNoSuchDevice;
        *flags = cudaMemAccessFlagsProtReadWrite;
        return {};
    });
}

}  // extern "C"
