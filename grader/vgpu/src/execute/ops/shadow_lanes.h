// Opens the pages of a warp's loads and stores and updates their shadow words.
#pragma once

#include "execute/ops/lane_pages.h"

// The caller holds the pages (PageLock), and keeps them until the data are read or written, too: so
// blocks that run in parallel never touch one page at the same time.

namespace vgpu::VGPU_ISA {

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
    const AccessEvent event = event_of(w, i, region);
    open_pages(w, region, offset, bytes, kWrites);
    if (kWrites && region.written) mark_written(region.written, offset, bytes);
    ShadowWord* first = region.shadow + offset / 4;
    const u32 words = u32((offset + bytes - 1) / 4 - offset / 4 + 1);
    if (!shadow_row<shadowing, false>(event, first, words, lane_bytes)) [[likely]]
        return;
    // An event of its own: passed on, the one above would have to lie in memory from the start.
    suspect_row<shadowing>(event_of(w, i, region), offset, first, words, lane_bytes, is_silent);
    shadow_row<shadowing, true>(event, first, words, lane_bytes);
}

/// One place that all lanes read.
[[gnu::always_inline]] inline void shadow_broadcast(Warp& w, const Insn& i, Region& region,
                                                    u64 offset, u32 bytes) {
    if (!has_shadow(region) || w.execution->checker) return;
    open_pages(w, region, offset, bytes, false);
    const AccessEvent event = event_of(w, i, region);
    const AccessEpoch& v = event.epoch;
    for (u64 word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const ShadowWord e = current(region.shadow[word], v);
        if (is_read_shared(e, v)) continue;
        // The last lane reads after the first, which makes it a word that several lanes read.
        const u64 thread = event.thread(0);
        const ShadowUpdate one = after_read(e, v, thread, 0);
        const ShadowUpdate all = after_read(one.next, v, thread + kWarpSize - 1, 0);
        region.shadow[word] = all.next;
        if ((one.bad | all.bad) != 0) event.suspect(4 * word);
    }
}

/// Updates the shadow of one lane's access, and marks what it writes.
template <Shadowing shadowing, class Silent>
[[gnu::always_inline]] inline void shadow_one(Warp& w, const Insn& i, Region& region, unsigned lane,
                                              u64 offset, u32 bytes, Silent is_silent) {
    constexpr bool kWrites = shadowing == Shadowing::write;
    const bool is_checked = has_shadow(region) && !w.execution->checker;
    if (is_checked || kWrites) open_pages(w, region, offset, bytes, kWrites);
    if (is_checked)
        shadow_lane<shadowing>(event_of(w, i, region), lane, offset, bytes,
                               [&] { return is_silent(lane); });
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
        shadow_at_once<shadowing>(event_of(w, i, region), active, shared, offsets, bytes)) {
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
        const PageLock hold(w.execution->pages, region, offset, bytes);
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
