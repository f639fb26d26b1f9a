// What may be asked of a kernel without running it: its needs, and how many of its blocks fit.
#include <algorithm>

#include "vgpu/model/occupancy.h"
#include "vgpu/runtime/client/program.h"
#include "vgpu/runtime/client/runtime.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;
using vgpu::model::h200;

namespace {

const Status kNull{cudaErrorInvalidValue, "the pointer to the result is null"};

vgpu::model::KernelResources resources(const wire::KernelFacts& facts) {
    return {facts.registers, facts.static_shared_bytes, facts.max_dynamic_shared_bytes,
            facts.max_threads_per_block};
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

/// Registers are estimated from the PTX. Constant memory is that of the module's variables, which
/// is not counted a kernel: 0.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    if (attributes == nullptr) return remember(cudaErrorInvalidValue);
    return with_function("cudaFuncGetAttributes", function, [&](Runtime&, Function& f) -> Status {
        *attributes = {};
        attributes->sharedSizeBytes = f.facts.static_shared_bytes;
        attributes->localSizeBytes = f.facts.local_bytes;
        attributes->maxThreadsPerBlock = static_cast<int>(f.facts.max_threads_per_block);
        attributes->numRegs = static_cast<int>(f.facts.registers);
        attributes->ptxVersion = static_cast<int>(f.facts.ptx_arch);
        attributes->binaryVersion = h200().compute_major * 10 + h200().compute_minor;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(f.facts.max_dynamic_shared_bytes);
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
                    "grader/vgpu/runtime/client/functions.cpp",
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
                         [&](Runtime&, Function& f) -> Status {
                             if (blocks == nullptr) return kNull;
                             if (block_size <= 0)
                                 return {cudaErrorInvalidValue, "a block has at least one thread"};
                             if (flags > cudaOccupancyDisableCachingOverride) {
                                 return {cudaErrorInvalidValue, "unknown flags"};
                             }
                             *blocks = static_cast<int>(vgpu::model::blocks_per_multiprocessor(
                                 h200(), resources(f.facts), static_cast<std::uint32_t>(block_size),
                                 dynamic_shared_bytes));
                             return {};
                         });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size,
                                                          size_t dynamic_shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, function, block_size, dynamic_shared_bytes, cudaOccupancyDefault);
}

}  // extern "C"
