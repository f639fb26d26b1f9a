// Finds lanes of a warp with the same number as an earlier lane, for the counts of sectors and of
// common words. Inlined everywhere, as it runs for each access with a new pattern, in code compiled
// for several instruction sets.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <immintrin.h>
#endif

#include "state/inline.h"
#include "state/warp.h"

namespace vgpu {

#ifdef __AVX512CD__
/// The active lanes whose number an active lane before them has, too. Numbers are below 2^31.
VGPU_INLINE Mask duplicate_lanes(const std::uint32_t* number, Mask active) {
    // The processor looks among the lanes of one vector; those of the second are compared with the
    // first, turned by each number of lanes. Inactive lanes get a number that nobody has.
    const __m512i nobodys = _mm512_set1_epi32(-1);
    const auto lanes = [&](unsigned from) {
        return _mm512_mask_loadu_epi32(nobodys, static_cast<__mmask16>(active >> from),
                                       number + from);
    };
    const auto same_within = [](__m512i v) {
        const __m512i before = _mm512_conflict_epi32(v);
        return Mask{_mm512_test_epi32_mask(before, before)};
    };
    const __m512i first = lanes(0), second = lanes(16);
    __mmask16 before = 0;
    __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int k = 0; k < 16; ++k) {
        const __m512i turned = _mm512_maskz_permutexvar_epi32(0xffff, lane, first);
        before = static_cast<__mmask16>(before | _mm512_cmpeq_epi32_mask(second, turned));
        lane = _mm512_add_epi32(lane, _mm512_set1_epi32(1));  // permuting takes it mod 16
    }
    return (same_within(first) | (same_within(second) | before) << 16) & active;
}
#else
/// The active lanes whose number an active lane before them has, too. Numbers are below 2^31.
VGPU_INLINE Mask duplicate_lanes(const std::uint32_t* number, Mask active) {
    // Each lane is compared with the one `back` lanes before it, for all `back`: 31 comparisons of
    // whole vectors. In front, and in place of inactive lanes, stand numbers that nobody has.
    alignas(64) std::uint32_t padded[2 * kWarpSize], same[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) {
        padded[l] = ~0u;
        padded[kWarpSize + l] = (active >> l & 1) != 0 ? number[l] : ~0u;
        same[l] = 0;
    }
    for (unsigned back = 1; back < kWarpSize; ++back)
        for (unsigned l = 0; l < kWarpSize; ++l)
            same[l] |= padded[kWarpSize + l] == padded[kWarpSize + l - back] ? 1u : 0u;
    Mask mask = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) mask |= same[l] << l;
    return mask & active;
}
#endif

/// The lanes whose number is another than that of the lane before them; lane 0: than 0.
#ifdef __AVX512F__
VGPU_INLINE Mask changes(const std::uint32_t* number) {
    const __m512i first = _mm512_loadu_si512(number), second = _mm512_loadu_si512(number + 16);
    const __m512i before_first =
        _mm512_maskz_alignr_epi32(0xffff, first, _mm512_setzero_si512(), 15);
    const __m512i before_second = _mm512_maskz_alignr_epi32(0xffff, second, first, 15);
    return Mask{_mm512_cmpneq_epi32_mask(first, before_first)} |
           Mask{_mm512_cmpneq_epi32_mask(second, before_second)} << 16;
}
#else
VGPU_INLINE Mask changes(const std::uint32_t* number) {
    Mask mask = number[0] != 0 ? 1 : 0;
    for (unsigned l = 1; l < kWarpSize; ++l) mask |= Mask{number[l] != number[l - 1]} << l;
    return mask;
}
#endif

/// Passes through the L1 cache of lanes at these distances, which touch `sectors` sectors: lines of
/// 128 bytes, counted from the first lane on. Lanes that go back to an earlier line count it again.
VGPU_INLINE std::uint32_t passes(const std::uint32_t* distance, Mask active,
                                 std::uint32_t sectors) {
    const std::uint32_t first = distance[__builtin_ctz(active)];
    alignas(64) std::uint32_t line[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) line[l] = (distance[l] - first) >> 7;
    const auto lines = static_cast<std::uint32_t>(__builtin_popcount(changes(line) & active)) + 1;
    return lines < sectors ? lines : sectors;
}

}  // namespace vgpu
