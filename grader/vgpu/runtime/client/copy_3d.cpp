// Copies of boxes: a box is a stack of rectangles, each copied as cudaMemcpy2D does.
#include <string>

#include "vgpu/runtime/client/alias.h"
#include "vgpu/runtime/client/copy.h"
#include "vgpu/runtime/client/streams.h"

using namespace vgpu::client;

namespace {

const Status kNull{cudaErrorInvalidValue, "the parameters are a null pointer"};

/// One side of the copy: its first byte, and how far rows and layers are apart.
struct Side {
    std::byte* begin = nullptr;
    std::size_t pitch = 0, layer = 0;
};

Side side(const cudaPitchedPtr& memory, const cudaPos& at) {
    const std::size_t layer = memory.pitch * memory.ysize;
    return {static_cast<std::byte*>(memory.ptr) + at.z * layer + at.y * memory.pitch + at.x,
            memory.pitch, layer};
}

bool fits(const cudaPitchedPtr& memory, const cudaPos& at, const cudaExtent& extent) {
    return at.x <= memory.pitch && extent.width <= memory.pitch - at.x &&
           (extent.depth <= 1 || (at.y <= memory.ysize && extent.height <= memory.ysize - at.y));
}

Status copy(Runtime& rt, const cudaMemcpy3DParms& p, cudaStream_t stream, bool waits) {
    if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
    if (p.srcArray != nullptr || p.dstArray != nullptr) {
        return {cudaErrorInvalidValue, "not an array of the virtual GPU, which has none"};
    }
    if (p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0) return {};
    if (p.srcPtr.ptr == nullptr || p.dstPtr.ptr == nullptr) {
        return {cudaErrorInvalidValue, "a side of the copy is a null pointer"};
    }
    if (!fits(p.srcPtr, p.srcPos, p.extent) || !fits(p.dstPtr, p.dstPos, p.extent)) {
        return {cudaErrorInvalidPitchValue,
                "the box does not fit into the pitch or the height of a side"};
    }
    const Side from = side(p.srcPtr, p.srcPos), to = side(p.dstPtr, p.dstPos);
    for (std::size_t z = 0; z < p.extent.depth; ++z) {
        Block layer{
            to.begin + z * to.layer, to.pitch,       from.begin + z * from.layer, from.pitch,
            p.extent.width,          p.extent.height};
        layer.stream = stream_number(rt, stream);
        layer.waits = waits;
        if (Status status = copy_block(rt, layer, p.kind); status.failed()) return status;
    }
    if (waits) rt.flush_printed();
    return {};
}

cudaError_t copy(const char* function, const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                 bool waits) {
    return call(function, [&](Runtime& rt) {
        return parameters == nullptr ? kNull : copy(rt, *parameters, stream, waits);
    });
}

/// Between devices, of which there is one.
cudaError_t copy(const char* function, const cudaMemcpy3DPeerParms* p, cudaStream_t stream,
                 bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        if (p == nullptr) return kNull;
        if (p->srcDevice != 0 || p->dstDevice != 0) {
            return {cudaErrorInvalidDevice, "there is only device 0"};
        }
        return copy(rt,
                    {p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr,
                     p->extent, cudaMemcpyDeviceToDevice},
                    stream, waits);
    });
}

/// One call of cudaMemset2D a layer.
template <typename Fill>
cudaError_t fill(const cudaPitchedPtr& memory, const cudaExtent& extent, Fill fill_layer) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error =
            fill_layer(static_cast<std::byte*>(memory.ptr) + z * memory.pitch * memory.ysize);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    return copy("cudaMemcpy3D", parameters, nullptr, true);
}
VGPU_ALIAS(cudaMemcpy3D_ptds, cudaMemcpy3D);

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return copy("cudaMemcpy3DAsync", parameters, stream, false);
}
VGPU_ALIAS(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
    return copy("cudaMemcpy3DPeer", parameters, nullptr, true);
}
VGPU_ALIAS(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
    return copy("cudaMemcpy3DPeerAsync", parameters, stream, false);
}
VGPU_ALIAS(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    return fill(memory, extent, [&](void* layer) {
        return cudaMemset2D(layer, memory.pitch, value, extent.width, extent.height);
    });
}
VGPU_ALIAS(cudaMemset3D_ptds, cudaMemset3D);

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                              cudaStream_t stream) {
    return fill(memory, extent, [&](void* layer) {
        return cudaMemset2DAsync(layer, memory.pitch, value, extent.width, extent.height, stream);
    });
}
VGPU_ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

}  // extern "C"
