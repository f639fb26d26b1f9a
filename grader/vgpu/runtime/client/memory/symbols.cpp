// __device__ and __constant__ variables, which host code knows by the address of a host variable.
#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/memory/copy.h"
#include "runtime/client/program/program.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;

namespace {

enum class Towards { symbol, host };

cudaError_t copy(const char* function, Towards towards, const void* symbol, void* host,
                 size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                 bool waits) {
    return call(function, [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        const cudaMemcpyKind wrong =
            towards == Towards::symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
        if (kind == wrong || kind == cudaMemcpyHostToHost) {
            return {cudaErrorInvalidMemcpyDirection,
                    "the kind of the copy contradicts the function"};
        }
        Status status;
        const Variable* const variable = Program::instance().variable(rt, symbol, status);
        if (variable == nullptr) return status;
        if (offset > variable->bytes || bytes > variable->bytes - offset) {
            return {cudaErrorInvalidValue, std::to_string(bytes) + " bytes from byte " +
                                               std::to_string(offset) + " of " + variable->name +
                                               ", which has " + std::to_string(variable->bytes) +
                                               " bytes"};
        }
        const Replay again = [=](cudaStream_t s) {
            return copy(function, towards, symbol, host, bytes, offset, kind, s, false);
        };
        if (const auto captured = capture(stream, cudaGraphNodeTypeMemcpy, again)) return *captured;
        void* const at = reinterpret_cast<void*>(*variable->address + offset);
        Block block = towards == Towards::symbol ? Block{at, bytes, host, bytes, bytes, 1}
                                                 : Block{host, bytes, at, bytes, bytes, 1};
        block.stream = stream_number(rt, stream);
        block.waits = waits;
        status = copy_block(rt, block, kind);
        if (waits) rt.flush_printed();
        return status;
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
    return copy("cudaMemcpyToSymbol", Towards::symbol, symbol, const_cast<void*>(from), bytes,
                offset, kind, nullptr, true);
}
VGPU_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy("cudaMemcpyToSymbolAsync", Towards::symbol, symbol, const_cast<void*>(from), bytes,
                offset, kind, stream, false);
}
VGPU_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
    return copy("cudaMemcpyFromSymbol", Towards::host, symbol, to, bytes, offset, kind, nullptr,
                true);
}
VGPU_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return copy("cudaMemcpyFromSymbolAsync", Towards::host, symbol, to, bytes, offset, kind, stream,
                false);
}
VGPU_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return call("cudaGetSymbolAddress", [&](Runtime& rt) -> Status {
        if (pointer == nullptr) return kNull;
        Status status;
        const Variable* const variable = Program::instance().variable(rt, symbol, status);
        if (variable != nullptr) *pointer = reinterpret_cast<void*>(*variable->address);
        return status;
    });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return call("cudaGetSymbolSize", [&](Runtime& rt) -> Status {
        if (bytes == nullptr) return kNull;
        Status status;
        const Variable* const variable = Program::instance().variable(rt, symbol, status);
        if (variable != nullptr) *bytes = variable->bytes;
        return status;
    });
}

}  // extern "C"
