// Limits of the device: how much memory printf and malloc in kernels, and each thread's stack, may
// have. Those that only save memory on a GPU are remembered and change nothing here.
#include <map>

#include "runtime/client/attributes.h"
#include "runtime/client/runtime.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

struct Limit {
    std::size_t value;  ///< an H200's
    std::size_t most;
};

/// Guarded by the runtime's lock; never destroyed, as programs may call until their very end.
std::map<cudaLimit, Limit>& limits() {
    static auto& all = *new std::map<cudaLimit, Limit>{
        {cudaLimitStackSize, {1024, 512 << 10}},
        {cudaLimitPrintfFifoSize, {1 << 20, std::size_t{1} << 30}},
        {cudaLimitMallocHeapSize, {8 << 20, std::size_t{1} << 40}},
        {cudaLimitMaxL2FetchGranularity, {64, 128}},
        {cudaLimitPersistingL2CacheSize,
         {0, static_cast<std::size_t>(attribute(cudaDevAttrMaxPersistingL2CacheSize))}},
    };
    return all;
}

Limit* find(cudaLimit limit) {
    const auto found = limits().find(limit);
    return found == limits().end() ? nullptr : &found->second;
}

Status no_such(cudaLimit limit) {
    // Those of launches from kernels, and of clusters.
    const bool is_known = limit >= 0 && limit <= cudaLimitPersistingL2CacheSize;
    return {is_known ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue, "no such limit here"};
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return call("cudaDeviceGetLimit", [&](Runtime&) -> Status {
        if (value == nullptr) return {cudaErrorInvalidValue, "the pointer to the result is null"};
        const Limit* const found = find(limit);
        if (found == nullptr) return no_such(limit);
        *value = found->value;
        return {};
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call("cudaDeviceSetLimit", [&](Runtime& rt) -> Status {
        Limit* const found = find(limit);
        if (found == nullptr) return no_such(limit);
        if (value > found->most) {
            return {cudaErrorInvalidValue,
                    "at most " + std::to_string(found->most) + " bytes are possible"};
        }
        if (limit == cudaLimitMallocHeapSize || limit == cudaLimitPrintfFifoSize) {
            wire::Request request = rt.request(
                limit == cudaLimitMallocHeapSize ? wire::Op::limit_heap : wire::Op::limit_printed);
            request.bytes = value;
            if (const Status status(rt.exchange(request)); status.failed()) return status;
        }
        found->value = value;
        return {};
    });
}

/// Nothing persists in a cache that is not there.
cudaError_t cudaCtxResetPersistingL2Cache() {
    return call("cudaCtxResetPersistingL2Cache", [](Runtime&) { return Status(); });
}

}  // extern "C"
