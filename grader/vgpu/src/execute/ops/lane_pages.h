// The pages that the lanes of a warp access, made ready together.
#pragma once

#include "execute/block.h"
#include "execute/ops/access_pattern.h"
#include "race/shadow_rows.h"

namespace vgpu::VGPU_ISA {

/// The bytes between the first and the last that the lanes access.
struct Reach {
    u64 begin, bytes;
    bool is_near() const {
        return ((begin + bytes - 1) >> kPageShift) - (begin >> kPageShift) < kFewPages;
    }
    /// Wider than what a host's core has at hand, with shadow words of twice the size (chosen).
    bool is_far() const { return bytes > 256 << 10; }
};
[[gnu::always_inline]] inline Reach reach_of(Mask active, const Offsets& offsets, u32 bytes) {
    const u64 some = offsets.lane[__builtin_ctz(active)];
    u64 lowest = some, highest = some;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 o = (active & kLaneBit[l]) != 0 ? offsets.lane[l] : some;
        lowest = o < lowest ? o : lowest;
        highest = o > highest ? o : highest;
    }
    return {lowest, highest - lowest + bytes};
}

/// Asks for what lanes far apart are about to touch, of which most is in none of the host's caches:
/// it comes while the pattern is looked at. Shadow words first, for they are needed first.
[[gnu::always_inline]] inline void fetch(const Region& region, const Offsets& offsets) {
    constexpr int kToWrite = 1;
    if (has_shadow(region))
        for (unsigned l = 0; l < kWarpSize; ++l)
            __builtin_prefetch(region.shadow + offsets.lane[l] / 4, kToWrite);
    for (unsigned l = 0; l < kWarpSize; ++l)
        __builtin_prefetch(region.data + offsets.lane[l], kToWrite);
}

/// What open_pages() notes, for lanes whose pages are ready.
[[gnu::always_inline]] inline void note_lanes(Warp& w, Region& region, Mask active,
                                              const Offsets& offsets, bool writes) {
    u32 sampled = 0;
    for (unsigned l = 0; l < kWarpSize; ++l)
        sampled |= is_sampled(offsets.lane[l] >> kPageShift) ? kLaneBit[l] : 0;
    for (Mask rest = sampled & active; rest != 0; rest &= rest - 1) {
        const u64 offset = offsets.lane[__builtin_ctz(rest)];
        note_visit(region.visits, offset >> kPageShift, offset, 1, writes, w.block->visit_bit);
    }
}

/// What is known of the pages that lanes access: all are ready, all were found written.
struct Pages {
    bool are_ready, are_whole;
};

/// Looks at them; whoever does holds them.
template <bool writes>
[[gnu::always_inline]] inline Pages look_at_pages(const Warp& w, const Region& region,
                                                  const Offsets& offsets, const Reach& reach) {
    const LaunchPages& launch = w.execution->pages;
    if (!region.pages) return {true, false};
    // The runs to compare lie side by side, so that one load has both.
    static_assert(offsetof(Page, whole) == offsetof(Page, touched) + 4);
    static_assert(offsetof(Page, saved) == offsetof(Page, whole) + 4);
    constexpr std::size_t kFirst = writes ? offsetof(Page, whole) : offsetof(Page, touched);
    constexpr u64 kWhole = writes ? ~u64{0} >> 32 : ~u64{0} << 32;
    const auto runs_of = [&](u64 page) __attribute__((always_inline)) {
        u64 runs;
        __builtin_memcpy(&runs, reinterpret_cast<const std::byte*>(&region.pages[page]) + kFirst,
                         sizeof runs);
        return runs;
    };
    const u64 these = u64{launch.run} << 32 | launch.run;
    u64 others = 0;
    if (reach.is_near()) {
        for (u64 page = reach.begin >> kPageShift;
             page <= (reach.begin + reach.bytes - 1) >> kPageShift; ++page)
            others |= runs_of(page) ^ these;
    } else if (launch.is_open(region, writes) && launch.is_whole(region)) {
        return {true, true};
    } else {
        Numbers runs;
        for (unsigned l = 0; l < kWarpSize; ++l)
            runs.lane[l] = one_by_one(runs_of(offsets.lane[l] >> kPageShift));
        for (unsigned l = 0; l < kWarpSize; ++l) others |= runs.lane[l] ^ these;
    }
    return {(others & ~kWhole) == 0, (others & kWhole) == 0};
}

/// Makes the pages of all lanes ready, if they are not, and notes the visit.
[[gnu::always_inline]] inline void open_lanes_pages(Warp& w, Region& region, Mask active,
                                                    const Offsets& offsets, const Reach& reach,
                                                    const Pages& pages, bool writes) {
    if (!pages.are_ready) [[unlikely]] {
        if (reach.is_near())
            // Pages in between that no lane accesses are opened as well: that harms nobody.
            open_pages<false>(w, region, reach.begin, reach.bytes, writes);
        else
            for (Mask rest = active; rest != 0; rest &= rest - 1)
                open_pages<false>(w, region, offsets.lane[__builtin_ctz(rest)], 1, writes);
    }
    const u64 first = reach.begin >> kPageShift,
              last = (reach.begin + reach.bytes - 1) >> kPageShift;
    if (is_sampled(first) || first / kPagesASample != last / kPagesASample)
        note_lanes(w, region, active, offsets, writes);
}

}  // namespace vgpu::VGPU_ISA
