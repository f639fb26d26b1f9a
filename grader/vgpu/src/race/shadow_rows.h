// Shadow words of a warp's loads and stores, all lanes at once where possible. For code that is
// compiled once for each instruction set.
#pragma once

#include "race/shadow_access.h"
#include "state/lane_loops.h"

// The caller holds the pages (PageLock), and keeps them until the data are read or written, too: so
// blocks that run in parallel never touch one page at the same time.

namespace vgpu::VGPU_ISA {

/// Updates the shadow of `words` words from `first` on, touched by the warp's lanes in order: word
/// k by the thread of lane k >> shift (k << -shift for less than a word a lane). A suspicious row
/// stays as it was, unless `anyway`; returns whether there was one.
template <Shadowing shadowing, bool anyway>
[[gnu::always_inline]] inline bool shadow_row(const AccessEvent& event, ShadowWord* first,
                                              u32 words, u32 bytes) {
    const AccessEpoch& v = event.epoch;
    const Region& region = event.region;
    const u64 thread = event.thread(0);
    constexpr u32 kRow = kWarpSize;
    ShadowWord bad = 0;
    if (bytes >= 4) {
        const u32 shift = bytes == 4 ? 0 : bytes == 8 ? 1 : 2;
        for (u32 row = 0; row < words; row += kRow) {
            ShadowWord* e = first + row;
            const u64 begin = thread + (row >> shift);
            ShadowWord read_shared = ~ShadowWord{0}, any = 0;
            for (u32 k = 0; k < kRow; ++k) {
                const ShadowWord now = current(e[k], v);
                any |= now;
                if constexpr (shadowing == Shadowing::read) read_shared &= is_read_shared(now, v);
            }
            if (shadowing == Shadowing::read && read_shared != 0) {
                if (region.space == Space::shared && (e - region.shadow) % kRow == 0)
                    event.rows.note(u64(e - region.shadow) / kRow, read_shared_at(v.owner, v.now));
                continue;
            }
            if (any == 0) {  // nobody was here before
                for (u32 k = 0; k < kRow; ++k)
                    e[k] = next_shadow<shadowing>(0, v, begin + (k >> shift), 0).next;
                continue;
            }
            ShadowWord next[kRow];
#pragma GCC ivdep
            for (u32 k = 0; k < kRow; ++k) {
                const ShadowUpdate s =
                    next_shadow<shadowing>(current(e[k], v), v, begin + (k >> shift), 0);
                next[k] = s.next;
                bad |= s.bad;
            }
            if (bad != 0 && !anyway) return true;
            for (u32 k = 0; k < kRow; ++k) e[k] = next[k];
        }
        return bad != 0;
    }
    const u32 lanes_a_word = 4 / bytes;
    for (u32 k = 0; k < words; ++k) {
        const ShadowUpdate s =
            next_shadow<shadowing>(current(first[k], v), v, thread + k * lanes_a_word, 5);
        bad |= s.bad;
        if (bad != 0 && !anyway) return true;
        first[k] = s.next;
    }
    return bad != 0;
}

/// Which words of a row were suspicious: their shadow words as they were, checked one by one.
template <Shadowing shadowing, class Silent>
[[gnu::noinline]] void suspect_row(AccessEvent event, u64 offset, const ShadowWord* before,
                                   u32 words, u32 bytes, Silent is_silent) {
    const AccessEpoch& v = event.epoch;
    for (u32 k = 0; k < words; ++k) {
        const u32 lane = bytes >= 4 ? k * 4 / bytes : k * (4 / bytes);
        const ShadowUpdate s =
            next_shadow<shadowing>(current(before[k], v), v, event.thread(lane), bytes < 4 ? 5 : 0);
        if (s.bad != 0 && !is_silent(lane)) event.suspect(offset + 4 * u64{k});
    }
}

/// One 64-bit number a lane. Loops below first fill such arrays, then compute with them: compilers
/// make vector instructions of either, not of both at once.
struct Numbers {
    alignas(64) u64 lane[kWarpSize];
};

/// Of each lane, the shadow word of its word at `offset + k`; inactive lanes have the region's
/// first.
[[gnu::always_inline]] inline void gather_shadow(const Region& region, const Offsets& offsets,
                                                 u32 k, Numbers& found) {
    const ShadowWord* shadow = region.shadow;
    for (unsigned l = 0; l < kWarpSize; ++l)
        found.lane[l] = one_by_one(shadow[(offsets.lane[l] + k) >> 2]);
}

/// All ones for active lanes.
[[gnu::always_inline]] inline void spread_mask(Mask active, Numbers& on) {
    for (unsigned l = 0; l < kWarpSize; ++l) on.lane[l] = (active & kLaneBit[l]) != 0 ? ~u64{0} : 0;
}

/// Updates the shadow of all lanes at once: reads, writes that have no word in common, atomic
/// operations. `shared`: lanes that read one in common. False when one is suspicious (and nothing
/// was done).
template <Shadowing shadowing>
[[gnu::always_inline]] inline bool shadow_at_once(const AccessEvent& event, Mask active,
                                                  Mask shared, const Offsets& offsets, u32 bytes) {
    constexpr bool kWrites = shadowing != Shadowing::read;
    const AccessEpoch& v = event.epoch;
    const Region& region = event.region;
    if (!region.pages && kWrites && region.space == Space::shared)
        for (Mask rest = active; rest != 0; rest &= rest - 1)
            event.rows.forget(offsets.lane[__builtin_ctz(rest)], bytes);
    const u64 thread = event.thread(0);
    Numbers on, lanes, found;
    spread_mask(active, on);
    spread_mask(shared, lanes);
    for (u32 k = 0; k < bytes; k += 4) {
        gather_shadow(region, offsets, k, found);
        u64 not_read_shared = 0, any = 0;
        for (unsigned l = 0; l < kWarpSize; ++l) {
            const ShadowWord now = on.lane[l] & current(found.lane[l], v);
            any |= now;
            if (!kWrites) not_read_shared |= on.lane[l] & ~is_read_shared(now, v);
        }
        if (!kWrites && not_read_shared == 0) continue;
        ShadowWord next[kWarpSize], bad = 0;
        if (kWrites && any == 0) {  // nobody was here before
            for (unsigned l = 0; l < kWarpSize; ++l)
                next[l] = next_shadow<shadowing>(0, v, thread + l, 0).next;
        } else if (bytes >= 4) {
            for (unsigned l = 0; l < kWarpSize; ++l) {
                const ShadowUpdate s =
                    next_shadow<shadowing>(current(found.lane[l], v), v, thread + l, 0);
                next[l] = s.next;
                bad |= on.lane[l] & s.bad;
            }
        } else {
            for (unsigned l = 0; l < kWarpSize; ++l) {
                const ShadowUpdate s =
                    next_shadow<shadowing>(current(found.lane[l], v), v, thread + l, 5);
                next[l] = s.next;
                bad |= on.lane[l] & s.bad;
            }
        }
        // Which shadow word of a word that several lanes read stays is all the same, but not that
        // there were several; and another block's word may have been left as it was.
        if (!kWrites && shared != 0)
            for (unsigned l = 0; l < kWarpSize; ++l)
                next[l] |= mask_if(next[l] >> kOwnerAt == v.owner >> kOwnerAt) & lanes.lane[l] &
                           kShadowLanes;
        if (bad != 0) return false;  // words before it are updated twice then: the same again
        for (Mask rest = active; rest != 0; rest &= rest - 1) {
            const auto l = unsigned(__builtin_ctz(rest));
            region.shadow[(offsets.lane[l] + k) / 4] = next[l];
        }
    }
    return true;
}

}  // namespace vgpu::VGPU_ISA
