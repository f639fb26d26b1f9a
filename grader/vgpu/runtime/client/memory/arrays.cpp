// Arrays, and copies into and out of them. See arrays.h. Some functions are deprecated, and still
// called.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "runtime/client/memory/arrays.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>
#include <string>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/memory/copy.h"
#include "runtime/client/memory/memory.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

constexpr Refusal kNoArray{cudaErrorInvalidResourceHandle, "not an array, or one that was freed"};

/// Guarded by the runtime's lock; never destroyed, as programs may call until their very end.
std::set<cudaArray_const_t>& arrays() {
    static std::set<cudaArray_const_t>& all = *new std::set<cudaArray_const_t>;
    return all;
}

/// One, two or four channels of the same width; 0 when it is no such format.
std::size_t bytes_of(const cudaChannelFormatDesc& f) {
    const int channels = f.w != 0 ? 4 : f.z != 0 ? 3 : f.y != 0 ? 2 : 1;
    const bool is_even = (channels < 2 || f.y == f.x) && (channels < 3 || f.z == f.x) &&
                         (channels < 4 || f.w == f.x);
    const bool is_width = f.x == 8 || f.x == 16 || f.x == 32;
    const bool is_kind = f.f == cudaChannelFormatKindSigned ||
                         f.f == cudaChannelFormatKindUnsigned ||
                         (f.f == cudaChannelFormatKindFloat && f.x != 8);
    if (!is_even || !is_width || !is_kind || channels == 3) return 0;
    return static_cast<std::size_t>(f.x) / 8 * static_cast<std::size_t>(channels);
}

Status create(Runtime& rt, cudaArray_t* array, const cudaChannelFormatDesc* format,
              const cudaExtent& extent, unsigned flags) {
    constexpr unsigned kKnown = cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore |
                                cudaArrayTextureGather | cudaArrayDefault;
    if (array == nullptr || format == nullptr) return kNull;
    *array = nullptr;
    if ((flags & ~kKnown) != 0) {
        return {cudaErrorNotSupported,
                "an array with these flags is not available; it would be added in "
                "grader/vgpu/runtime/client/memory/arrays.cpp"};
    }
    cudaArray made;
    made.format = *format;
    made.extent = extent;
    made.flags = flags;
    made.element_bytes = bytes_of(*format);
    if (made.element_bytes == 0) {
        return {cudaErrorInvalidChannelDescriptor,
                "elements have 1, 2 or 4 channels of 8, 16 or 32 bits, all of one width"};
    }
    made.rows = std::max<std::size_t>(extent.height, 1);
    made.layers = std::max<std::size_t>(extent.depth, 1);
    std::size_t total = 0;
    if (extent.width == 0 ||
        __builtin_mul_overflow(extent.width, made.element_bytes, &made.row_bytes) ||
        __builtin_mul_overflow(made.row_bytes, made.rows, &total) ||
        __builtin_mul_overflow(total, made.layers, &total)) {
        return {cudaErrorInvalidValue, "an array of no elements, or of too many"};
    }
    if ((flags & cudaArrayCubemap) != 0 &&
        (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0)) {
        return {cudaErrorInvalidValue, "a cube map has square faces, and six of them"};
    }
    if (auto refused = refuse_unsafe()) return *refused;
    void* memory = nullptr;
    const Status status = allocate(rt, &memory, total);
    if (status.failed()) return status;
    made.begin = static_cast<std::byte*>(memory);
    *array = new cudaArray(made);
    arrays().insert(*array);
    return status;
}

/// A rectangle of an array as one side of a copy.
struct Side {
    std::byte* begin = nullptr;
    std::size_t pitch = 0;
};

Status side(Side& result, cudaArray_const_t handle, std::size_t x, std::size_t y, std::size_t width,
            std::size_t height) {
    const cudaArray* const array = array_of(handle);
    if (array == nullptr) return kNoArray;
    if (!array->holds(x, y, width, height)) {
        return {cudaErrorInvalidValue,
                "a rectangle of " + std::to_string(width) + " bytes by " + std::to_string(height) +
                    " rows from byte " + std::to_string(x) + " of row " + std::to_string(y) +
                    " on does not lie in the array, whose " + std::to_string(array->rows) +
                    " rows have " + std::to_string(array->row_bytes) + " bytes"};
    }
    result = {array->at(x, y), array->row_bytes};
    return {};
}

Status copy(Runtime& rt, const Side& to, const Side& from, std::size_t width, std::size_t height,
            cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
    if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
    if (height > 1 && (to.pitch < width || from.pitch < width)) {
        return {cudaErrorInvalidPitchValue, "the width of a row is larger than its pitch"};
    }
    Block block{to.begin, to.pitch, from.begin, from.pitch, width, height};
    block.stream = stream_number(rt, stream);
    block.waits = waits;
    const Status status = copy_block(rt, block, kind);
    if (waits) rt.flush_printed();
    return status;
}

Side outside(const void* memory, std::size_t pitch) {
    return {static_cast<std::byte*>(const_cast<void*>(memory)), pitch};
}

cudaError_t copy_in(const char* function, cudaArray_t to, std::size_t x, std::size_t y,
                    const void* from, std::size_t pitch, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        const Replay again = [=](cudaStream_t s) {
            return copy_in(function, to, x, y, from, pitch, width, height, kind, s, false);
        };
        if (const auto captured = capture(stream, cudaGraphNodeTypeMemcpy, again)) return *captured;
        Side inside;
        if (Status status = side(inside, to, x, y, width, height); status.failed()) return status;
        return copy(rt, inside, outside(from, pitch), width, height, kind, stream, waits);
    });
}

cudaError_t copy_out(const char* function, void* to, std::size_t pitch, cudaArray_const_t from,
                     std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                     cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        const Replay again = [=](cudaStream_t s) {
            return copy_out(function, to, pitch, from, x, y, width, height, kind, s, false);
        };
        if (const auto captured = capture(stream, cudaGraphNodeTypeMemcpy, again)) return *captured;
        Side inside;
        if (Status status = side(inside, from, x, y, width, height); status.failed()) return status;
        return copy(rt, outside(to, pitch), inside, width, height, kind, stream, waits);
    });
}

/// The deprecated copies count bytes from one row into the next.
struct Rows {
    std::size_t width = 0, height = 0;
};
Rows rows_of(cudaArray_const_t handle, std::size_t bytes) {
    const cudaArray* const array = array_of(handle);
    if (array == nullptr || bytes <= array->row_bytes || bytes % array->row_bytes != 0) {
        return {bytes, 1};
    }
    return {array->row_bytes, bytes / array->row_bytes};
}

}  // namespace

const cudaArray* vgpu::client::array_of(cudaArray_const_t handle) {
    return arrays().contains(handle) ? handle : nullptr;
}

void vgpu::client::forget_arrays() {
    arrays().clear();  // not deleted: a handle must never be mistaken for a later one
}

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
    return call("cudaMallocArray", [&](Runtime& rt) {
        return create(rt, array, format, {width, height, 0}, flags);
    });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
    return call("cudaMalloc3DArray",
                [&](Runtime& rt) { return create(rt, array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    return call("cudaFreeArray", [&](Runtime& rt) -> Status {
        if (array == nullptr) return {};
        if (array_of(array) == nullptr) return kNoArray;
        wire::Request request = rt.request(wire::Op::release);
        request.to = reinterpret_cast<std::uint64_t>(array->begin);
        const Status status(rt.exchange(request));
        arrays().erase(array);
        delete array;
        return status;
    });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    return call("cudaArrayGetInfo", [&](Runtime&) -> Status {
        const cudaArray* const known = array_of(array);
        if (known == nullptr) return kNoArray;
        if (format != nullptr) *format = known->format;
        if (extent != nullptr) *extent = known->extent;
        if (flags != nullptr) *flags = known->flags;
        return {};
    });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    return call("cudaGetChannelDesc", [&](Runtime&) -> Status {
        const cudaArray* const known = array_of(array);
        if (format == nullptr) return kNull;
        if (known == nullptr) return kNoArray;
        *format = known->format;
        return {};
    });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_in("cudaMemcpy2DToArray", to, x, y, from, pitch, width, height, kind, nullptr,
                   true);
}
VGPU_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return copy_in("cudaMemcpy2DToArrayAsync", to, x, y, from, pitch, width, height, kind, stream,
                   false);
}
VGPU_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_out("cudaMemcpy2DFromArray", to, pitch, from, x, y, width, height, kind, nullptr,
                    true);
}
VGPU_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return copy_out("cudaMemcpy2DFromArrayAsync", to, pitch, from, x, y, width, height, kind,
                    stream, false);
}
VGPU_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
    const Rows rows = rows_of(to, bytes);
    return copy_in("cudaMemcpyToArray", to, x, y, from, rows.width, rows.width, rows.height, kind,
                   nullptr, true);
}
VGPU_ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    const Rows rows = rows_of(to, bytes);
    return copy_in("cudaMemcpyToArrayAsync", to, x, y, from, rows.width, rows.width, rows.height,
                   kind, stream, false);
}
VGPU_ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    const Rows rows = rows_of(from, bytes);
    return copy_out("cudaMemcpyFromArray", to, rows.width, from, x, y, rows.width, rows.height,
                    kind, nullptr, true);
}
VGPU_ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    const Rows rows = rows_of(from, bytes);
    return copy_out("cudaMemcpyFromArrayAsync", to, rows.width, from, x, y, rows.width, rows.height,
                    kind, stream, false);
}
VGPU_ALIAS(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
    return call("cudaMemcpy2DArrayToArray", [&](Runtime& rt) -> Status {
        Side target, origin;
        Status status = side(target, to, to_x, to_y, width, height);
        if (!status.failed()) status = side(origin, from, from_x, from_y, width, height);
        if (status.failed()) return status;
        return copy(rt, target, origin, width, height, kind, nullptr, true);
    });
}
VGPU_ALIAS(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);

}  // extern "C"
