// Loops over the 32 lanes of a warp, in code that is compiled once for each instruction set
// (execute/ops/CMakeLists.txt). All of it lies in a namespace of that name.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <immintrin.h>
#endif

#include "state/code.h"

#ifndef VGPU_ISA
#error "compile this file through execute/ops/CMakeLists.txt, which sets VGPU_ISA"
#endif

namespace vgpu::VGPU_ISA {

using s8 = std::int8_t;
using u8 = std::uint8_t;
using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

alignas(64) inline constexpr u32 kLaneBit[kWarpSize] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/// d[lane] = value(lane) for the active lanes. `value` must be harmless for the others, too.
template <class T, class F>
[[gnu::always_inline]] inline void each_lane(T* d, Mask active, F value) {
    if (active == kAllLanes) {
#pragma GCC ivdep
        for (unsigned l = 0; l < kWarpSize; ++l) d[l] = value(l);
    } else {
#pragma GCC ivdep
        for (unsigned l = 0; l < kWarpSize; ++l) {
            const T v = value(l);
            d[l] = (active & kLaneBit[l]) != 0 ? v : d[l];
        }
    }
}

/// Calls visit(lane) for the active lanes, lowest first. All of them need no search for the next.
template <class Visit>
[[gnu::always_inline]] inline void visit_lanes(Mask active, Visit visit) {
    if (active == kAllLanes) {
        for (unsigned l = 0; l < kWarpSize; ++l) visit(l);
        return;
    }
    for (Mask rest = active; rest != 0; rest &= rest - 1) visit(unsigned(__builtin_ctz(rest)));
}

/// Passes on what was loaded from an address of its own. Keeps compilers from making a vector
/// instruction of the loop, which takes the addresses out of vectors and puts the values into them
/// again: slower than 32 loads.
template <class T>
[[gnu::always_inline]] inline T one_by_one(T loaded) {
    asm("" : "+r"(loaded));
    return loaded;
}

/// The lanes for which `holds(lane)`. Compilers do not find the instruction that gathers the signs
/// of a vector by themselves.
template <class F>
[[gnu::always_inline]] inline Mask mask_of(F holds) {
    alignas(64) s32 all[kWarpSize];
#pragma GCC ivdep
    for (unsigned l = 0; l < kWarpSize; ++l) all[l] = holds(l) ? -1 : 0;
    Mask mask = 0;
#if defined(__AVX512DQ__)
    for (unsigned l = 0; l < kWarpSize; l += 16)
        mask |= Mask(_mm512_movepi32_mask(_mm512_load_si512(all + l))) << l;
#elif defined(__AVX2__)
    for (unsigned l = 0; l < kWarpSize; l += 8)
        mask |= Mask(_mm256_movemask_ps(_mm256_load_ps(reinterpret_cast<const f32*>(all + l))))
                << l;
#elif defined(__SSE__)
    for (unsigned l = 0; l < kWarpSize; l += 4)
        mask |= Mask(_mm_movemask_ps(_mm_load_ps(reinterpret_cast<const f32*>(all + l)))) << l;
#else
    for (unsigned l = 0; l < kWarpSize; ++l) mask |= Mask(all[l]) & kLaneBit[l];
#endif
    return mask;
}

/// Where the active lanes' accesses lie in one region; inactive lanes have the first active one's.
/// Only its page may be looked at, as others may be another worker's just now.
struct Offsets {
    alignas(64) u64 lane[kWarpSize];
};

}  // namespace vgpu::VGPU_ISA
