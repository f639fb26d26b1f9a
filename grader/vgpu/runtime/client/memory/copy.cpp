#include "runtime/client/memory/copy.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/memory/memory.h"
#include "runtime/client/program/program.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

/// Why host memory is where a copy says device: a variable of the device has an address on the
/// host, too, which stands for it and is not where it lies.
std::string not_on_device(const char* which, const void* pointer, const char* instead) {
    if (const Variable* const variable = Program::instance().named(pointer)) {
        return std::string("the ") + which + " is " + variable->name +
               ", a variable of the device: host code may use its name in " + instead +
               " (or get its address from cudaGetSymbolAddress)";
    }
    return std::string("the ") + which +
           " is host memory, but the kind of the copy says device. Are the destination, the source "
           "and the kind in order, and is that memory from cudaMalloc?";
}

/// What `kind` says must hold for the two pointers. An H200 checks the device's side only, and lets
/// cudaMemcpyHostToHost copy anything.
Status check_direction(const Block& b, cudaMemcpyKind kind) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return {cudaErrorInvalidMemcpyDirection, "no such cudaMemcpyKind"};
    }
    if (b.to == nullptr) return {cudaErrorInvalidValue, "the destination is a null pointer"};
    if (b.from == nullptr) return {cudaErrorInvalidValue, "the source is a null pointer"};
    if (to_device && !is_device_address(b.to)) {
        return {cudaErrorInvalidValue, not_on_device("destination", b.to, "cudaMemcpyToSymbol")};
    }
    if (from_device && !is_device_address(b.from)) {
        return {cudaErrorInvalidValue, not_on_device("source", b.from, "cudaMemcpyFromSymbol")};
    }
    return {};
}

/// Cuts the block into parts that fit into the staging area: whole rows, or pieces of one row.
/// `part(row, column, bytes, rows)` handles one and says how that went.
template <typename Part>
Status in_parts(std::size_t capacity, const Block& b, Part part) {
    const std::size_t rows_a_time = std::max<std::size_t>(1, capacity / b.width);
    for (std::size_t row = 0; row < b.height; row += rows_a_time) {
        const std::size_t rows = std::min(rows_a_time, b.height - row);
        for (std::size_t column = 0; column < b.width; column += capacity) {
            const std::size_t bytes = std::min(capacity, b.width - column);
            if (Status status = part(row, column, bytes, rows); status.failed()) return status;
        }
    }
    return {};
}

Status host_to_device(Runtime& rt, const Block& b) {
    return in_parts(rt.staging().size(), b, [&](auto row, auto column, auto bytes, auto rows) {
        const auto* from = static_cast<const std::byte*>(b.from) + row * b.from_pitch + column;
        for (std::size_t i = 0; i < rows; ++i) {
            std::memcpy(rt.staging().data() + i * bytes, from + i * b.from_pitch, bytes);
        }
        wire::Request request = rt.request(wire::Op::write);
        request.to = reinterpret_cast<std::uint64_t>(b.to) + row * b.to_pitch + column;
        request.bytes = bytes;
        request.rows = rows;
        request.to_pitch = b.to_pitch;
        request.staged_bytes = static_cast<std::uint32_t>(bytes * rows);
        request.continues = row + column > 0;
        request.waits = b.waits;
        request.stream = b.stream;
        return Status(rt.exchange(request));
    });
}

Status device_to_host(Runtime& rt, const Block& b) {
    return in_parts(rt.staging().size(), b, [&](auto row, auto column, auto bytes, auto rows) {
        wire::Request request = rt.request(wire::Op::read);
        request.from = reinterpret_cast<std::uint64_t>(b.from) + row * b.from_pitch + column;
        request.bytes = bytes;
        request.rows = rows;
        request.from_pitch = b.from_pitch;
        request.continues = row + column > 0;
        request.waits = b.waits;
        request.stream = b.stream;
        const wire::Reply reply = rt.exchange(request);
        if (reply.error != cudaSuccess) return Status(reply);
        auto* to = static_cast<std::byte*>(b.to) + row * b.to_pitch + column;
        for (std::size_t i = 0; i < rows; ++i) {
            std::memcpy(to + i * b.to_pitch, rt.staging().data() + i * bytes, bytes);
        }
        return Status(reply);
    });
}

Status on_device(Runtime& rt, const Block& b) {
    wire::Request request = rt.request(wire::Op::copy);
    request.to = reinterpret_cast<std::uint64_t>(b.to);
    request.from = reinterpret_cast<std::uint64_t>(b.from);
    request.bytes = b.width;
    request.rows = b.height;
    request.to_pitch = b.to_pitch;
    request.from_pitch = b.from_pitch;
    request.stream = b.stream;
    request.waits = b.waits;
    return Status(rt.exchange(request));
}

Status on_host(Runtime& rt, const Block& b) {
    wire::Request before = rt.request(wire::Op::synchronize);
    before.value = static_cast<std::uint32_t>(wire::Scope::stream);
    before.stream = b.stream;
    if (const wire::Reply reply = rt.exchange(before); reply.error != cudaSuccess) {
        return Status(reply);
    }
    for (std::size_t row = 0; row < b.height; ++row) {
        std::memmove(static_cast<std::byte*>(b.to) + row * b.to_pitch,
                     static_cast<const std::byte*>(b.from) + row * b.from_pitch, b.width);
    }
    return {};
}

/// No address space is larger. A number of elements below 0 makes such sizes.
Status check_size(std::size_t bytes) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 47;
    if (bytes <= kMostBytes) return {};
    return {cudaErrorInvalidValue, "a size of " + std::to_string(bytes) +
                                       " bytes: was a negative number of bytes computed?"};
}

Status check_pitch(const Block& b) {
    const bool is_empty = b.width == 0 || b.height == 0;
    if (is_empty || (b.to_pitch >= b.width && b.from_pitch >= b.width)) return {};
    return {b.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue,
            "the width of a row is larger than its pitch"};
}

/// Registered host memory by the address under which the device knows it, so that it is copied as
/// pinned memory is; anything else as it is.
const void* as_pinned(const void* begin, std::size_t bytes) {
    const void* const device = registered_for_device(begin);
    const auto* const last = static_cast<const std::byte*>(begin) + bytes - 1;
    return device != nullptr && registered_for_device(last) != nullptr ? device : begin;
}

cudaError_t copy(const char* function, Block block, cudaMemcpyKind kind, cudaStream_t stream,
                 bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        const Replay again = [=](cudaStream_t s) { return copy(function, block, kind, s, false); };
        if (const auto captured = capture(stream, cudaGraphNodeTypeMemcpy, again)) return *captured;
        block.stream = stream_number(rt, stream);
        block.waits = waits;
        Status status = check_pitch(block);
        if (!status.failed()) status = check_size(block.width);
        if (!status.failed()) status = copy_block(rt, block, kind);
        if (waits) rt.flush_printed();
        return status;
    });
}

Status fill(Runtime& rt, void* to, std::size_t pitch, int value, std::size_t width,
            std::size_t height, std::uint32_t stream, bool waits) {
    if (width == 0 || height == 0) return {};
    if (Status status = check_size(width); status.failed()) return status;
    if (pitch < width && height > 1) {
        return {cudaErrorInvalidValue, "the width of a row is larger than its pitch"};
    }
    if (!is_device_address(to))
        return {cudaErrorInvalidValue, "the destination is no device memory"};
    wire::Request request = rt.request(wire::Op::fill);
    request.to = reinterpret_cast<std::uint64_t>(to);
    request.to_pitch = pitch;
    request.bytes = width;
    request.rows = height;
    request.value = static_cast<std::uint32_t>(value) & 0xFF;
    request.stream = stream;
    request.waits = waits;
    return Status(rt.exchange(request));
}

cudaError_t fill(const char* function, void* to, std::size_t pitch, int value, std::size_t width,
                 std::size_t height, cudaStream_t stream, bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        const Replay again = [=](cudaStream_t s) {
            return fill(function, to, pitch, value, width, height, s, false);
        };
        if (const auto captured = capture(stream, cudaGraphNodeTypeMemset, again)) return *captured;
        return fill(rt, to, pitch, value, width, height, stream_number(rt, stream), waits);
    });
}

}  // namespace

Status vgpu::client::copy_block(Runtime& rt, Block b, cudaMemcpyKind kind) {
    if (b.width == 0 || b.height == 0) return {};
    b.to = const_cast<void*>(as_pinned(b.to, (b.height - 1) * b.to_pitch + b.width));
    b.from = as_pinned(b.from, (b.height - 1) * b.from_pitch + b.width);
    if (Status status = check_direction(b, kind); status.failed()) return status;
    if (b.height > 1 && b.to_pitch == b.width && b.from_pitch == b.width) {
        b.width *= b.height;  // no gaps: one long row
        b.height = 1;
    }
    const bool to_device = is_device_address(b.to), from_device = is_device_address(b.from);
    if (to_device && from_device) return on_device(rt, b);
    if (to_device) return host_to_device(rt, b);
    if (from_device) return device_to_host(rt, b);
    return on_host(rt, b);
}

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return copy("cudaMemcpy", {to, bytes, from, bytes, bytes, 1}, kind, nullptr, true);
}
VGPU_ALIAS(cudaMemcpy_ptds, cudaMemcpy);

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return copy("cudaMemcpyAsync", {to, bytes, from, bytes, bytes, 1}, kind, stream, false);
}
VGPU_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
    return copy("cudaMemcpy2D", {to, to_pitch, from, from_pitch, width, height}, kind, nullptr,
                true);
}
VGPU_ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return copy("cudaMemcpy2DAsync", {to, to_pitch, from, from_pitch, width, height}, kind, stream,
                false);
}
VGPU_ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return fill("cudaMemset", to, bytes, value, bytes, 1, nullptr, true);
}
VGPU_ALIAS(cudaMemset_ptds, cudaMemset);

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return fill("cudaMemsetAsync", to, bytes, value, bytes, 1, stream, false);
}
VGPU_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return fill("cudaMemset2D", to, pitch, value, width, height, nullptr, true);
}
VGPU_ALIAS(cudaMemset2D_ptds, cudaMemset2D);

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return fill("cudaMemset2DAsync", to, pitch, value, width, height, stream, false);
}
VGPU_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);

}  // extern "C"
