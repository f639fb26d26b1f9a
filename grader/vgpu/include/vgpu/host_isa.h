// The instruction sets of the host that lane instructions are compiled for (cmake/HostIsa.cmake).
#pragma once

#include <array>
#include <string_view>

namespace vgpu {

enum class HostIsa { baseline, avx2, avx512 };

/// Best first.
inline constexpr std::array kHostIsas{HostIsa::avx512, HostIsa::avx2, HostIsa::baseline};

/// As LAB_HOST_ISAS and VGPU_HOST_ISA spell it.
constexpr std::string_view to_string(HostIsa isa) {
    switch (isa) {
        case HostIsa::avx512:
            return "avx512";
        case HostIsa::avx2:
            return "avx2";
        case HostIsa::baseline:
            break;
    }
    return "baseline";
}

/// Whether this processor has it.
inline bool has_isa(HostIsa isa) {
#ifdef __x86_64__
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("lzcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (isa == HostIsa::avx512) return avx512;
    if (isa == HostIsa::avx2) return avx2;
#endif
    return isa == HostIsa::baseline;
}

}  // namespace vgpu
