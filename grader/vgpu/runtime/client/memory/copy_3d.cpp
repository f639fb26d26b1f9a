// Copies of boxes: a box is a stack of rectangles, each copied as cudaMemcpy2D does.
#include <string>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/memory/arrays.h"
#include "runtime/client/memory/copy.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;

namespace {

constexpr Refusal kNullParameters{cudaErrorInvalidValue, "the parameters are a null pointer"};

/// One side of the copy: its first byte, and how far rows and layers are apart.
struct Side3D {
    std::byte* begin = nullptr;
    std::size_t pitch = 0, layer = 0;
};

/// Of an array, x counts elements.
Side3D side(const cudaArray& array, const cudaPos& at) {
    return {array.at(at.x * array.element_bytes, at.y, at.z), array.row_bytes, array.layer_bytes()};
}

Side3D side(const cudaPitchedPtr& memory, const cudaPos& at) {
    const std::size_t layer = memory.pitch * memory.ysize;
    return {static_cast<std::byte*>(memory.ptr) + at.z * layer + at.y * memory.pitch + at.x,
            memory.pitch, layer};
}

bool fits(const cudaPitchedPtr& memory, const cudaPos& at, const cudaExtent& extent) {
    return at.x <= memory.pitch && extent.width <= memory.pitch - at.x &&
           (extent.depth <= 1 || (at.y <= memory.ysize && extent.height <= memory.ysize - at.y));
}

bool fits(const cudaArray& array, const cudaPos& at, const cudaExtent& extent) {
    return array.holds(at.x * array.element_bytes, at.y, extent.width, extent.height) &&
           at.z <= array.layers && extent.depth <= array.layers - at.z;
}

Status copy(Runtime& rt, const cudaMemcpy3DParms& p, cudaStream_t stream, bool waits) {
    if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
    if (const auto captured = capture(stream, cudaGraphNodeTypeMemcpy, p)) return *captured;
    const cudaArray* const from_array = array_of(p.srcArray);
    const cudaArray* const to_array = array_of(p.dstArray);
    if ((p.srcArray != nullptr && from_array == nullptr) ||
        (p.dstArray != nullptr && to_array == nullptr)) {
        return {cudaErrorInvalidResourceHandle, "not an array, or one that was freed"};
    }
    // The width counts elements if an array takes part, and bytes otherwise.
    cudaExtent box = p.extent;
    if (from_array != nullptr || to_array != nullptr) {
        box.width *= (from_array != nullptr ? from_array : to_array)->element_bytes;
    }
    if (box.width == 0 || box.height == 0 || box.depth == 0) return {};
    if ((from_array == nullptr && p.srcPtr.ptr == nullptr) ||
        (to_array == nullptr && p.dstPtr.ptr == nullptr)) {
        return {cudaErrorInvalidValue, "a side of the copy is a null pointer"};
    }
    const auto has_room = [&](const cudaArray* array, const cudaPitchedPtr& memory,
                              const cudaPos& at) {
        return array == nullptr ? fits(memory, at, box) : fits(*array, at, box);
    };
    if (!has_room(from_array, p.srcPtr, p.srcPos) || !has_room(to_array, p.dstPtr, p.dstPos)) {
        return {cudaErrorInvalidPitchValue,
                "the box does not fit into the array, the pitch or the height of a side"};
    }
    const Side3D from =
        from_array != nullptr ? side(*from_array, p.srcPos) : side(p.srcPtr, p.srcPos);
    const Side3D to = to_array != nullptr ? side(*to_array, p.dstPos) : side(p.dstPtr, p.dstPos);
    for (std::size_t z = 0; z < box.depth; ++z) {
        Block layer{to.begin + z * to.layer,
                    to.pitch,
                    from.begin + z * from.layer,
                    from.pitch,
                    box.width,
                    box.height};
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
        return parameters == nullptr ? kNullParameters : copy(rt, *parameters, stream, waits);
    });
}

/// Between devices, of which there is one.
cudaError_t copy(const char* function, const cudaMemcpy3DPeerParms* p, cudaStream_t stream,
                 bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        if (p == nullptr) return kNullParameters;
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
