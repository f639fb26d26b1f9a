// Launches: from the arguments' addresses to the parameter block that the kernel reads.
#include <cstring>
#include <vector>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/program/program.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

struct Configuration {
    dim3 grid, block;
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    bool cooperative = false;
};

/// <<<...>>> pushes, the kernel's host function pops: nested in the arguments' own kernels.
thread_local std::vector<Configuration> pushed;

wire::Extent3 extent(const dim3& d) {
    return {d.x, d.y, d.z};
}

/// What an attribute of cudaLaunchKernelEx asks for. Hints about scheduling and caches change
/// nothing here.
Status apply(const cudaLaunchAttribute& attribute, Configuration& c) {
    switch (attribute.id) {
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributeProgrammaticStreamSerialization:  // may start early, need not
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain:
        case cudaLaunchAttributePreferredSharedMemoryCarveout:
            return {};
        case cudaLaunchAttributeCooperative:
            c.cooperative = attribute.val.cooperative != 0;
            return {};
        case cudaLaunchAttributeClusterDimension: {
            const auto& size = attribute.val.clusterDim;
            if (size.x * size.y * size.z == 1) return {};
            break;
        }
        default:
            break;
    }
    say("cudaLaunchKernelExC: launch attribute %d is not available; it would be added in "
        "grader/vgpu/runtime/client/program/launch.cpp",
        static_cast<int>(attribute.id));
    return {cudaErrorNotSupported,
            "launch attribute " + std::to_string(attribute.id) + " is not available"};
}

/// Says which arguments are the addresses that variables of the device have on the host.
void tell_host_variables(Runtime& rt, const Function& function, void** arguments) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const void* pointer = nullptr;
        if (function.parameters[i].size_bytes != sizeof(pointer)) continue;
        std::memcpy(&pointer, arguments[i], sizeof(pointer));
        const Variable* const variable = Program::instance().named(pointer);
        if (variable == nullptr) continue;
        wire::Request note = rt.request(wire::Op::host_variable);
        note.to = reinterpret_cast<std::uint64_t>(variable->host);
        note.bytes = variable->bytes;
        rt.exchange_text(note, variable->name);
    }
}

Status launch(Runtime& rt, const void* host, const Configuration& c, void** arguments) {
    if (!is_stream(c.stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
    Status status;
    const Function* const function = Program::instance().function(rt, host, status);
    if (function == nullptr) return status;
    if (arguments == nullptr && !function->parameters.empty()) {
        return {cudaErrorInvalidValue, "the array of arguments is null"};
    }
    if (may_capture()) {
        KernelWork work{host,          c.grid, c.block, static_cast<unsigned>(c.shared_bytes),
                        c.cooperative, {}};
        for (std::size_t i = 0; i < function->parameters.size(); ++i) {
            const auto* const from = static_cast<const std::byte*>(arguments[i]);
            work.arguments.emplace_back(from, from + function->parameters[i].size_bytes);
        }
        if (const auto captured = capture(c.stream, cudaGraphNodeTypeKernel, std::move(work)))
            return *captured;
    }
    tell_host_variables(rt, *function, arguments);
    wire::Request request = rt.request(wire::Op::launch);
    request.kernel = *function->kernel;
    request.grid = extent(c.grid);
    request.block = extent(c.block);
    request.dynamic_shared_bytes = c.shared_bytes;
    request.cooperative = c.cooperative;
    request.stream = stream_number(rt, c.stream);
    request.staged_bytes = function->facts.parameter_bytes;
    std::byte* const block = rt.staging().data();
    std::memset(block, 0, request.staged_bytes);
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
        const wire::ParameterPlace& place = function->parameters[i];
        std::memcpy(block + place.offset_bytes, arguments[i], place.size_bytes);
    }
    return Status(rt.exchange(request));
}

/// <<<...>>> has no result: whether the program looks at the error is for it to show.
void note_unseen(cudaError_t error) {
    Call running("cudaLaunchKernel");
    if (running.may_not_connect()) return;
    wire::Request note = running.runtime().request(wire::Op::error_unseen);
    note.error = error;
    running.runtime().exchange(note);
    has_unseen_error() = true;
}

}  // namespace

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     CUstream_st* stream) {
    pushed.push_back({grid, block, shared_bytes, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
    if (pushed.empty()) return remember(cudaErrorMissingConfiguration);
    const Configuration c = pushed.back();
    pushed.pop_back();
    *grid = c.grid;
    *block = c.block;
    *shared_bytes = c.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = c.stream;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
    return call("cudaLaunchKernel", [&](Runtime& rt) {
        return launch(rt, function, {grid, block, shared_bytes, stream}, arguments);
    });
}
VGPU_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
    return call("cudaLaunchCooperativeKernel", [&](Runtime& rt) {
        return launch(rt, function, {grid, block, shared_bytes, stream, true}, arguments);
    });
}
VGPU_ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

/// A kernel's handle is the address of its host function, here as in NVIDIA's runtime.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
    const cudaError_t error =
        cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
    if (error != cudaSuccess) note_unseen(error);
    return error;
}
VGPU_ALIAS(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    if (kernel == nullptr) return remember(cudaErrorInvalidValue);
    return __cudaGetKernel(kernel, function);
}

/// The other name of the same.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
    if (function == nullptr) return remember(cudaErrorInvalidValue);
    return call("cudaGetFuncBySymbol", [&](Runtime& rt) -> Status {
        Status status;
        if (Program::instance().function(rt, symbol, status) == nullptr) return status;
        *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbol));
        return {};
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
    return call("cudaLaunchKernelExC", [&](Runtime& rt) -> Status {
        if (config == nullptr) return {cudaErrorInvalidValue, "the configuration is null"};
        Configuration c{config->gridDim, config->blockDim, config->dynamicSmemBytes,
                        config->stream};
        for (unsigned i = 0; i < config->numAttrs; ++i) {
            if (Status status = apply(config->attrs[i], c); status.failed()) return status;
        }
        return launch(rt, function, c, arguments);
    });
}
VGPU_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

}  // extern "C"
