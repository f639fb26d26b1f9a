// Several GPUs: there is only one, so this says that it has no peers, as a machine with one GPU
// does.
#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/memory/copy.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;

namespace {

cudaError_t copy(const char* function, void* to, int to_device, const void* from, int from_device,
                 size_t bytes, cudaStream_t stream, bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        if (to_device != 0 || from_device != 0) return kNoSuchDevice;
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        Block block{to, bytes, from, bytes, bytes, 1};
        const Replay again = [=](cudaStream_t s) {
            return copy(function, to, to_device, from, from_device, bytes, s, false);
        };
        if (const auto captured = capture(stream, cudaGraphNodeTypeMemcpy, again)) return *captured;
        block.stream = stream_number(rt, stream);
        block.waits = waits;
        return copy_block(rt, block, cudaMemcpyDeviceToDevice);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return call("cudaDeviceCanAccessPeer", [&](Runtime&) -> Status {
        if (can == nullptr) return kNull;
        if (device != 0 || peer != 0) return kNoSuchDevice;
        *can = 0;  // a device is no peer of itself
        return {};
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return call("cudaDeviceEnablePeerAccess", [&](Runtime&) -> Status {
        if (flags != 0) return {cudaErrorInvalidValue, "flags must be 0"};
        if (peer != 0) return kNoSuchDevice;
        return {cudaErrorPeerAccessUnsupported, "device 0 is no peer of itself"};
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return call("cudaDeviceDisablePeerAccess", [&](Runtime&) -> Status {
        if (peer != 0) return kNoSuchDevice;
        return {cudaErrorPeerAccessNotEnabled, "access to a peer was never enabled"};
    });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int from, int to) {
    return call("cudaDeviceGetP2PAttribute", [&](Runtime&) -> Status {
        if (value == nullptr) return kNull;
        if (from != 0 || to != 0) return kNoSuchDevice;
        return {cudaErrorInvalidDevice, "device 0 is no peer of itself"};
    });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
    return copy("cudaMemcpyPeer", to, to_device, from, from_device, bytes, nullptr, true);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
    return copy("cudaMemcpyPeerAsync", to, to_device, from, from_device, bytes, stream, false);
}

}  // extern "C"
