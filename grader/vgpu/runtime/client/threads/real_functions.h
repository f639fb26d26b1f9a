// The C library's own functions, for those of ours that stand before them.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace vgpu::client {

/// `version`: the one that programs for x86-64 are linked with. Without it, dlsym may choose one
/// for old programs. On 64-bit Arm, where versions before 2.17 do not exist, such functions have
/// only one.
inline void* real_function(std::atomic<void*>& known, const char* name, const char* version) {
    void* function = known.load(std::memory_order_relaxed);
    if (function != nullptr) return function;
    function = dlvsym(RTLD_NEXT, name, version);
    if (function == nullptr) function = dlsym(RTLD_NEXT, name);
    known.store(function, std::memory_order_relaxed);
    return function;
}

/// Needs no guard: it may be asked for before any constructor has run.
#define VGPU_REAL(name, version)                                   \
    reinterpret_cast<decltype(&name)>([] {                         \
        static constinit std::atomic<void*> known = nullptr;       \
        return vgpu::client::real_function(known, #name, version); \
    }())

/// How long until then, at least 0, rounded up to two digits: a program computes `then` from what
/// it wants to wait and a look at the clock, and how long ago that was must not matter.
inline std::uint64_t remaining_ns(clockid_t clock, const timespec& then) {
    timespec now{};
    clock_gettime(clock, &now);
    const std::int64_t left =
        (then.tv_sec - now.tv_sec) * 1'000'000'000 + then.tv_nsec - now.tv_nsec;
    if (left <= 0) return 0;
    const auto ns = static_cast<std::uint64_t>(left);
    std::uint64_t digit = 1;
    while (ns / digit >= 100) digit *= 10;
    return (ns + digit - 1) / digit * digit;
}

}  // namespace vgpu::client
