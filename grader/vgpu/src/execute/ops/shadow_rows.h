// Shadow words (shadow_word.h) of a warp's loads and stores, all lanes at once where possible.
#pragma once

#include "execute/ops/access_pattern.h"

// The caller holds the pages (PageLock), and keeps them until the data are read or written, too: so
// blocks that run in parallel never touch one page at the same time.

namespace vgpu::VGPU_ISA {

/// Whether [offset, offset + bytes) is a row of shared memory whose words were all found settled at
/// this very time: nothing about reading it is new.
[[gnu::always_inline]] inline bool is_read_shared_row(const Warp& w, const Region& region,
                                                      u64 offset, u32 bytes) {
    return region.space == Space::shared && bytes == kRowBytes && offset % kRowBytes == 0 &&
           w.block->read_shared_rows[offset / kRowBytes] == read_shared_now(w);
}

/// Updates the shadow of `words` words from `first` on, touched by the warp's lanes in order: word
/// k by the thread of lane k >> shift (k << -shift for less than a word a lane). A suspicious row
/// stays as it was, unless `anyway`; returns whether there was one.
template <Shadowing shadowing, bool anyway>
[[gnu::always_inline]] inline bool shadow_row(Warp& w, const Region& region, ShadowWord* first,
                                              u32 words, u32 bytes) {
    const AccessEpoch v = epoch_of(w, region);
    const u64 thread = u64{w.index} * kWarpSize;
    constexpr u32 kRow = kWarpSize;
    ShadowWord bad = 0;
    if (bytes >= 4) {
        const u32 shift = bytes == 4 ? 0 : bytes == 8 ? 1 : 2;
        for (u32 row = 0; row < words; row += kRow) {
            ShadowWord* e = first + row;
            const u64 begin = thread + (row >> shift);
            ShadowWord settled = ~ShadowWord{0}, any = 0;
            for (u32 k = 0; k < kRow; ++k) {
                const ShadowWord now = current(e[k], v);
                any |= now;
                if constexpr (shadowing == Shadowing::read) settled &= is_read_shared(now, v);
            }
            if (shadowing == Shadowing::read && settled != 0) {
                if (region.space == Space::shared && (e - region.shadow) % kRow == 0)
                    w.block->read_shared_rows[u64(e - region.shadow) / kRow] = read_shared_now(w);
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
[[gnu::noinline]] void suspect_row(Warp& w, const Insn& i, const Region& region, u64 offset,
                                   const ShadowWord* before, u32 words, u32 bytes,
                                   Silent is_silent) {
    const AccessEpoch v = epoch_of(w, region);
    for (u32 k = 0; k < words; ++k) {
        const u32 lane = bytes >= 4 ? k * 4 / bytes : k * (4 / bytes);
        const ShadowUpdate s = next_shadow<shadowing>(
            current(before[k], v), v, u64{w.index} * kWarpSize + lane, bytes < 4 ? 5 : 0);
        if (s.bad != 0 && !is_silent(lane)) suspect(w, i, region, offset + 4 * u64{k});
    }
}

/// [offset, offset + bytes), read or written by all lanes in order.
template <Shadowing shadowing, class Silent>
[[gnu::always_inline]] inline void shadow_range(Warp& w, const Insn& i, Region& region, u64 offset,
                                                u32 bytes, u32 lane_bytes, Silent is_silent) {
    constexpr bool kWrites = shadowing == Shadowing::write;
    if (!has_shadow(region) || w.execution->checker) {
        if (!kWrites) return;
        open_pages(w, region, offset, bytes, true);
        if (region.written) mark_written(region.written, offset, bytes);
        return;
    }
    if (!kWrites && is_read_shared_row(w, region, offset, bytes)) return;
    open_pages(w, region, offset, bytes, kWrites);
    if (kWrites && region.written) mark_written(region.written, offset, bytes);
    ShadowWord* first = region.shadow + offset / 4;
    const u32 words = u32((offset + bytes - 1) / 4 - offset / 4 + 1);
    if (!shadow_row<shadowing, false>(w, region, first, words, lane_bytes)) [[likely]]
        return;
    suspect_row<shadowing>(w, i, region, offset, first, words, lane_bytes, is_silent);
    shadow_row<shadowing, true>(w, region, first, words, lane_bytes);
}

/// One place that all lanes read.
[[gnu::always_inline]] inline void shadow_broadcast(Warp& w, const Insn& i, Region& region,
                                                    u64 offset, u32 bytes) {
    if (!has_shadow(region) || w.execution->checker) return;
    open_pages(w, region, offset, bytes, false);
    const AccessEpoch v = epoch_of(w, region);
    for (u64 word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const ShadowWord e = current(region.shadow[word], v);
        if (is_read_shared(e, v)) continue;
        // The last lane reads after the first, which makes it a word that several lanes read.
        const u64 thread = u64{w.index} * kWarpSize;
        const ShadowUpdate one = after_read(e, v, thread, 0);
        const ShadowUpdate all = after_read(one.next, v, thread + kWarpSize - 1, 0);
        region.shadow[word] = all.next;
        if ((one.bad | all.bad) != 0) suspect(w, i, region, 4 * word);
    }
}

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
    const Execution& execution = *w.execution;
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
    const u64 these = u64{execution.run} << 32 | execution.run;
    u64 others = 0;
    if (reach.is_near()) {
        for (u64 page = reach.begin >> kPageShift;
             page <= (reach.begin + reach.bytes - 1) >> kPageShift; ++page)
            others |= runs_of(page) ^ these;
    } else if (execution.is_open(region, writes) && execution.is_whole(region)) {
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

/// Updates the shadow of all lanes at once: reads, writes that have no word in common, atomic
/// operations. `shared`: lanes that read one in common. False when one is suspicious (and nothing
/// was done).
template <Shadowing shadowing>
[[gnu::always_inline]] inline bool shadow_at_once(Warp& w, Region& region, Mask active, Mask shared,
                                                  const Offsets& offsets, u32 bytes) {
    constexpr bool kWrites = shadowing != Shadowing::read;
    const AccessEpoch v = epoch_of(w, region);
    if (!region.pages && kWrites && region.space == Space::shared)
        for (Mask rest = active; rest != 0; rest &= rest - 1)
            forget_read_shared(*w.block, offsets.lane[__builtin_ctz(rest)], bytes);
    const u64 thread = u64{w.index} * kWarpSize;
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

/// Updates the shadow of one lane's access, and marks what it writes.
template <Shadowing shadowing, class Silent>
[[gnu::always_inline]] inline void shadow_one(Warp& w, const Insn& i, Region& region, unsigned lane,
                                              u64 offset, u32 bytes, Silent is_silent) {
    constexpr bool kWrites = shadowing == Shadowing::write;
    if (has_shadow(region) && !w.execution->checker)
        shadow_lane<shadowing>(w, i, region, epoch_of(w, region), lane, offset, bytes,
                               [&] { return is_silent(lane); });
    else if (kWrites)
        open_pages(w, region, offset, bytes, true);
    if (kWrites && region.written)
        region.written[offset / 64] |= ((u64{1} << bytes) - 1) << (offset % 64);
}

/// Updates the shadow of the active lanes' accesses, and marks what they write. Returns whether
/// that is all; if not, lanes have to take turns: put(l) was called for each of them, when it had
/// come.
template <Shadowing shadowing, class Silent, class Put>
[[gnu::always_inline]] inline bool shadow_lanes(Warp& w, const Insn& i, Region& region, Mask active,
                                                const Offsets& offsets, const Reach& reach,
                                                const Pages& pages, u32 bytes, Silent is_silent,
                                                Put put) {
    constexpr bool kWrites = shadowing == Shadowing::write;
    const Mask shared = w.execution->patterns[i.access].shared;
    const bool is_checked = has_shadow(region) && !w.execution->checker;
    if (is_checked && region.pages)
        open_lanes_pages(w, region, active, offsets, reach, pages, kWrites);
    if (is_checked && (!kWrites || shared == 0) &&
        shadow_at_once<shadowing>(w, region, active, shared, offsets, bytes)) {
        if (kWrites && region.written && !pages.are_whole &&
            !all_lanes_written(region, offsets, active, bytes))
            for (Mask rest = active; rest != 0; rest &= rest - 1) {
                const u64 o = offsets.lane[__builtin_ctz(rest)];
                region.written[o / 64] |= ((u64{1} << bytes) - 1) << (o % 64);
            }
        return true;
    }
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto l = unsigned(__builtin_ctz(rest));
        shadow_one<shadowing>(w, i, region, l, offsets.lane[l], bytes, is_silent);
        put(l);
    }
    return false;
}

/// The same where pages are many and others may want them: each lane holds its own for its turn.
/// Returns the lanes that read what was never written.
template <Shadowing shadowing, class Silent, class Put>
[[gnu::always_inline]] inline Mask each_lane_held(Warp& w, const Insn& i, Region& region,
                                                  Mask active, const Offsets& offsets, u32 bytes,
                                                  Silent is_silent, Put put) {
    Mask unwritten = 0;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto l = unsigned(__builtin_ctz(rest));
        const u64 offset = offsets.lane[l];
        const PageLock hold(*w.execution, region, offset, bytes);
        if (shadowing == Shadowing::read && region.written &&
            !all_written(region.written, offset, bytes)) {
            unwritten |= kLaneBit[l];
            continue;
        }
        shadow_one<shadowing>(w, i, region, l, offset, bytes, is_silent);
        put(l);
    }
    return unwritten;
}

}  // namespace vgpu::VGPU_ISA
