// Per-thread default streams: nvcc --default-stream per-thread calls variants of the same
// functions, named ..._ptds and ..._ptsz, in which no stream means the calling thread's own.
#pragma once

#include "runtime/client/streams.h"

namespace vgpu::client {

// Variants of deprecated functions are no calls of ours: the programs decide. In the header, as a
// warning belongs to the line that it names, whichever file asks for the variant.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// `function` with the thread's own stream as the default one.
template <auto function>
struct PerThread;

template <typename... Arguments, cudaError_t (*function)(Arguments...)>
struct PerThread<function> {
    static cudaError_t call(Arguments... arguments) {
        const DefaultStreamPerThread here;
        return function(arguments...);
    }
};

#pragma GCC diagnostic pop

}  // namespace vgpu::client

/// Defines `variant`. It has the type of `function` without naming its parameters again, which only
/// a resolver (GNU indirect function) can give.
#define VGPU_ALIAS(variant, function)                     \
    extern "C" {                                          \
    [[gnu::used]] static auto resolve_##variant() {       \
        return &vgpu::client::PerThread<&function>::call; \
    }                                                     \
    }                                                     \
    extern "C" decltype(function) variant __attribute__((ifunc("resolve_" #variant)))
