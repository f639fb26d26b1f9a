// Questions about a kernel that need no run: its resources, and the number of its blocks that fit.
#include <algorithm>

#include "runtime/client/program/program.h"
#include "runtime/client/runtime.h"
#include "vgpu/occupancy.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;
using vgpu::model::modelled_gpu;

namespace {

vgpu::model::KernelResources resources(const wire::KernelFacts& facts) {
    return {facts.registers, facts.static_shared_bytes, facts.max_dynamic_shared_bytes,
            facts.max_threads_per_block};
}

/// The kernel's facts with real registers instead of estimated ones, where they can be known.
const wire::KernelFacts& measured(Runtime& rt, Function& f) {
    if (f.is_measured) return f.facts;
    wire::Request request = rt.request(wire::Op::measure_kernel);
    request.kernel = *f.kernel;
    const wire::Reply reply = rt.exchange(request);
    if (reply.error == cudaSuccess) f.facts = reply.facts;
    f.is_measured = reply.error == cudaSuccess;
    return f.facts;
}

/// Runs `body` with the kernel behind `function`.
template <typename Body>
cudaError_t with_function(const char* name, const void* function, Body body) {
    return call(name, [&](Runtime& rt) -> Status {
        Status status;
        Function* const found = Program::instance().function(rt, function, status);
        return found == nullptr ? status : body(rt, *found);
    });
}

}  // namespace

extern "C" {

/// Constant memory is that of the module's variables, which
/// is not counted a kernel: 0.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    if (attributes == nullptr) return remember(cudaErrorInvalidValue);
    return with_function(
        "cudaFuncGetAttributes", function, [&](Runtime& rt, Function& f) -> Status {
            *attributes = {};
            measured(rt, f);
            attributes->sharedSizeBytes = f.facts.static_shared_bytes;
            attributes->localSizeBytes = f.facts.local_bytes;
            attributes->maxThreadsPerBlock = static_cast<int>(f.facts.max_threads_per_block);
            attributes->numRegs = static_cast<int>(f.facts.registers);
            attributes->ptxVersion = static_cast<int>(f.facts.ptx_arch);
            attributes->binaryVersion =
                modelled_gpu().compute_major * 10 + modelled_gpu().compute_minor;
            attributes->maxDynamicSharedSizeBytes =
                static_cast<int>(f.facts.max_dynamic_shared_bytes);
            attributes->preferredShmemCarveout = -1;  // the driver's choice
            return {};
        });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return with_function("cudaFuncSetAttribute", function, [&](Runtime& rt, Function& f) -> Status {
        switch (attribute) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize: {
                if (value < 0) return {cudaErrorInvalidValue, "a negative size"};
                wire::Request request = rt.request(wire::Op::limit_shared);
                request.kernel = *f.kernel;
                request.bytes = static_cast<std::uint64_t>(value);
                const wire::Reply reply = rt.exchange(request);
                if (reply.error == cudaSuccess) f.facts = reply.facts;
                return Status(reply);
            }
            case cudaFuncAttributePreferredSharedMemoryCarveout:  // a hint
                if (value >= -1 && value <= 100) return {};
                return {cudaErrorInvalidValue, "a carveout is -1 or 0 to 100 percent"};
            default:
                say("cudaFuncSetAttribute: attribute %d is not available; it would be added in "
                    "grader/vgpu/runtime/client/program/functions.cpp",
                    static_cast<int>(attribute));
                return {cudaErrorNotSupported,
                        "attribute " + std::to_string(attribute) + " is not available"};
        }
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return with_function("cudaFuncSetCacheConfig", function,
                         [](Runtime&, Function&) { return Status(); });  // a hint
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
    return with_function("cudaFuncSetSharedMemConfig", function,
                         [](Runtime&, Function&) { return Status(); });  // see device.cpp
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    if (name == nullptr) return remember(cudaErrorInvalidValue);
    return with_function("cudaFuncGetName", function, [&](Runtime&, Function& f) -> Status {
        *name = f.name.c_str();
        return {};
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
    return with_function("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function,
                         [&](Runtime& rt, Function& f) -> Status {
                             if (blocks == nullptr) return kNull;
                             if (block_size <= 0)
                                 return {cudaErrorInvalidValue, "a block has at least one thread"};
                             if (flags > cudaOccupancyDisableCachingOverride) {
                                 return {cudaErrorInvalidValue, "unknown flags"};
                             }
                             *blocks = static_cast<int>(vgpu::model::blocks_per_multiprocessor(
                                 modelled_gpu(), resources(measured(rt, f)),
                                 static_cast<std::uint32_t>(block_size), dynamic_shared_bytes));
                             return {};
                         });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size,
                                                          size_t dynamic_shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, function, block_size, dynamic_shared_bytes, cudaOccupancyDefault);
}

/// Shared memory that each of `blocks` blocks on a multiprocessor can have, within the kernel's
/// limit.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int block_size) {
    return with_function(
        "cudaOccupancyAvailableDynamicSMemPerBlock", function,
        [&](Runtime&, Function& f) -> Status {
            if (bytes == nullptr) return kNull;
            if (blocks <= 0 || block_size <= 0) {
                return {cudaErrorInvalidValue, "there is at least one block, of one thread"};
            }
            const std::size_t each =
                modelled_gpu().shared_bytes_per_multiprocessor / static_cast<unsigned>(blocks);
            const std::size_t own = f.facts.static_shared_bytes;
            *bytes = std::min<std::size_t>(each > own ? each - own : 0,
                                           f.facts.max_dynamic_shared_bytes);
            return {};
        });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset,
                                 size_t* bytes) {
    return with_function("cudaFuncGetParamInfo", function, [&](Runtime&, Function& f) -> Status {
        if (offset == nullptr) return kNull;
        if (index >= f.parameters.size()) return {cudaErrorInvalidValue, "no such parameter"};
        *offset = f.parameters[index].offset_bytes;
        if (bytes != nullptr) *bytes = f.parameters[index].size_bytes;
        return {};
    });
}

}  // extern "C"
