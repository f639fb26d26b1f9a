// How much memory graphs use. It is theirs from the launch that allocates it until it is freed, and
// stays reserved for them until cudaDeviceGraphMemTrim.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/client/graphs/graph_state.h"

using namespace vgpu::client;

namespace {

/// The device's; guarded by the runtime's lock.
struct Usage {
    std::uint64_t used = 0, most_used = 0, reserved = 0, most_reserved = 0;  ///< bytes
} usage;

/// A GPU maps memory in pages of 2 MiB.
std::uint64_t in_pages(std::uint64_t bytes) {
    constexpr std::uint64_t kPage = 2 << 20;
    return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace

void vgpu::client::note_use(GraphMemory& memory, bool is_used) {
    if (std::exchange(memory.is_used, is_used) == is_used) return;
    const std::uint64_t bytes = memory.parameters.bytesize;
    usage.used += is_used ? bytes : -bytes;
    usage.most_used = std::max(usage.most_used, usage.used);
    usage.reserved = std::max(usage.reserved, in_pages(usage.used));
    usage.most_reserved = std::max(usage.most_reserved, usage.reserved);
}

extern "C" {

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
    return call("cudaDeviceGetGraphMemAttribute", [&](Runtime&) -> Status {
        if (device != 0) return kNoSuchDevice;
        if (value == nullptr) return kNullPointer;
        auto& bytes = *static_cast<std::uint64_t*>(value);
        switch (attribute) {
            case cudaGraphMemAttrUsedMemCurrent:
                bytes = usage.used;
                return {};
            case cudaGraphMemAttrUsedMemHigh:
                bytes = usage.most_used;
                return {};
            case cudaGraphMemAttrReservedMemCurrent:
                bytes = usage.reserved;
                return {};
            case cudaGraphMemAttrReservedMemHigh:
                bytes = usage.most_reserved;
                return {};
        }
        return {cudaErrorInvalidValue, "no such attribute of a graph's memory"};
    });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
    return call("cudaDeviceSetGraphMemAttribute", [&](Runtime&) -> Status {
        if (device != 0) return kNoSuchDevice;
        if (value == nullptr) return kNullPointer;
        if (*static_cast<std::uint64_t*>(value) != 0)
            return {cudaErrorInvalidValue, "the highest use can only be set to 0"};
        if (attribute == cudaGraphMemAttrUsedMemHigh)
            usage.most_used = usage.used;
        else if (attribute == cudaGraphMemAttrReservedMemHigh)
            usage.most_reserved = usage.reserved;
        else
            return {cudaErrorInvalidValue, "only the highest use can be set, to 0"};
        return {};
    });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
    return call("cudaDeviceGraphMemTrim", [&](Runtime&) -> Status {
        if (device != 0) return kNoSuchDevice;
        usage.reserved = in_pages(usage.used);
        return {};
    });
}

}  // extern "C"
