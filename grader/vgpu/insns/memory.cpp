// Loads and stores. Operands: [0] to [3] the elements, [4] the base address.
//
// What accesses of a right kernel look like is handled here: inside the region that this
// instruction hit last time, aligned and written; fastest where all lanes are active and each is
// next to the one before, or all at the same place. Everything else goes through locate()
// (machine/access.h), which knows what is wrong if something is.
#include "vgpu/insns/families.h"
#include "vgpu/insns/lanes.h"
#include "vgpu/machine/access.h"
#include "vgpu/machine/execution.h"
#include "vgpu/machine/shading.h"
#include "vgpu/machine/written_bits.h"

namespace vgpu::VGPU_ISA {
namespace {

[[gnu::always_inline]] inline void addresses(Warp& w, const Insn& i, Addresses& at) {
    if (i.wide_address) {
        const u64* base = w.lanes<u64>(i.operand[4]);
        for (unsigned l = 0; l < kWarpSize; ++l) at.lane[l] = base[l] + u64(i.immediate);
    } else {
        // 32-bit addresses are of shared or local memory; signed, so that -4 lies before its begin.
        const s32* base = w.lanes<s32>(i.operand[4]);
        for (unsigned l = 0; l < kWarpSize; ++l) at.lane[l] = u64(s64(base[l])) + u64(i.immediate);
    }
}

/// Whether lane l accesses at.lane[0] + l * stride for all l.
[[gnu::always_inline]] inline bool has_stride(const Addresses& at, u64 stride) {
    u64 difference = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) difference |= at.lane[l] ^ (at.lane[0] + l * stride);
    return difference == 0;
}

[[gnu::always_inline]] inline void count_request(Warp& w, const Insn& i, const Region& region,
                                                 u32 lanes, u64 sectors, u32 wavefronts) {
    Tally& tally = w.execution->tallies[i.pc];
    if (region.space == Space::global) {
        ++tally.global_requests;
        tally.global_sectors += sectors;
        tally.global_lanes += lanes;
    } else if (region.space == Space::shared) {
        ++tally.shared_requests;
        tally.shared_wavefronts += wavefronts;
        tally.shared_lanes += lanes;
    } else if (region.space == Space::local) {
        // Local memory is interleaved on a GPU: lanes that access the same of their own words share
        // sectors.
        ++tally.local_requests;
        tally.local_sectors += (u64{lanes} * i.access_bytes + 31) / 32;
    }
}

/// Whether [offset, offset + bytes) is a row of shared memory whose words were all found settled at
/// this very time: nothing about reading it is new.
[[gnu::always_inline]] inline bool is_settled_row(const Warp& w, const Region& region, u64 offset,
                                                  u32 bytes) {
    return region.space == Space::shared && bytes == kRowBytes && offset % kRowBytes == 0 &&
           w.block->settled_rows[offset / kRowBytes] == settled_now(w);
}

/// The region that this instruction hit last time, if all of [at, at + bytes) lies in it and, for a
/// read, was written.
[[gnu::always_inline]] inline Region* region_of_range(Warp& w, const Insn& i, Address at, u32 bytes,
                                                      u32 lane_bytes, Access access) {
    Region* region = w.memo[i.pc];
    if (!region || !region->contains(at, bytes) || (at & (lane_bytes - 1)) != 0) return nullptr;
    if (i.strong && region->pages) return nullptr;
    const u64 offset = at - region->base;
    if (access == Access::read && region->written && !is_settled_row(w, *region, offset, bytes) &&
        !all_written(region->written, offset, bytes))
        return nullptr;
    return region;
}

/// Shades `words` words from `first` on, touched by the warp's lanes in order: word k by the thread
/// of lane k >> shift (k << -shift for less than a word a lane).
/// A suspicious row stays as it was, unless `anyway`; returns whether there was one.
template <Shading shading, bool anyway>
[[gnu::always_inline]] inline bool shade_row(Warp& w, const Region& region, Shade* first, u32 words,
                                             u32 bytes) {
    const Viewpoint v = viewpoint(w, region);
    const u64 thread = u64{w.index} * kWarpSize;
    constexpr u32 kRow = kWarpSize;
    Shade bad = 0;
    if (bytes >= 4) {
        const u32 shift = bytes == 4 ? 0 : bytes == 8 ? 1 : 2;
        for (u32 row = 0; row < words; row += kRow) {
            Shade* e = first + row;
            const u64 begin = thread + (row >> shift);
            Shade settled = ~Shade{0}, any = 0;
            for (u32 k = 0; k < kRow; ++k) {
                const Shade now = current(e[k], v);
                any |= now;
                if constexpr (shading == Shading::read) settled &= is_settled(now, v);
            }
            if (shading == Shading::read && settled != 0) {
                if (region.space == Space::shared && (e - region.shadow) % kRow == 0)
                    w.block->settled_rows[u64(e - region.shadow) / kRow] = settled_now(w);
                continue;
            }
            if (any == 0) {  // nobody was here before
                for (u32 k = 0; k < kRow; ++k)
                    e[k] = shade_word<shading>(0, v, begin + (k >> shift), 0).next;
                continue;
            }
            Shade next[kRow];
#pragma GCC ivdep
            for (u32 k = 0; k < kRow; ++k) {
                const Shaded s = shade_word<shading>(current(e[k], v), v, begin + (k >> shift), 0);
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
        const Shaded s = shade_word<shading>(current(first[k], v), v, thread + k * lanes_a_word, 5);
        bad |= s.bad;
        if (bad != 0 && !anyway) return true;
        first[k] = s.next;
    }
    return bad != 0;
}

/// Which words of a row were suspicious: their shades as they were, looked at one by one.
template <Shading shading, class Silent>
[[gnu::noinline]] void suspect_row(Warp& w, const Insn& i, const Region& region, u64 offset,
                                   const Shade* before, u32 words, u32 bytes, Silent is_silent) {
    const Viewpoint v = viewpoint(w, region);
    for (u32 k = 0; k < words; ++k) {
        const u32 lane = bytes >= 4 ? k * 4 / bytes : k * (4 / bytes);
        const Shaded s = shade_word<shading>(current(before[k], v), v,
                                             u64{w.index} * kWarpSize + lane, bytes < 4 ? 5 : 0);
        if (s.bad != 0 && !is_silent(lane)) suspect(w, i, region, offset + 4 * u64{k});
    }
}

template <Shading shading, class Silent>
[[gnu::always_inline]] inline void shade_range(Warp& w, const Insn& i, Region& region, u64 offset,
                                               u32 bytes, u32 lane_bytes, Silent is_silent) {
    if (!is_shaded(region)) return;
    if (shading == Shading::read && is_settled_row(w, region, offset, bytes)) return;
    const Hold hold(*w.execution, region, offset, bytes);
    open_pages(w, region, offset, bytes, shading == Shading::write);
    if (shading == Shading::write && region.written) mark_written(region.written, offset, bytes);
    Shade* first = region.shadow + offset / 4;
    const u32 words = u32((offset + bytes - 1) / 4 - offset / 4 + 1);
    if (!shade_row<shading, false>(w, region, first, words, lane_bytes)) [[likely]]
        return;
    suspect_row<shading>(w, i, region, offset, first, words, lane_bytes, is_silent);
    shade_row<shading, true>(w, region, first, words, lane_bytes);
}

/// One place for all lanes.
[[gnu::always_inline]] inline void shade_broadcast(Warp& w, const Insn& i, Region& region,
                                                   u64 offset, u32 bytes) {
    if (!is_shaded(region)) return;
    const Hold hold(*w.execution, region, offset, bytes);
    open_pages(w, region, offset, bytes, false);
    const Viewpoint v = viewpoint(w, region);
    for (u64 word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const Shade e = current(region.shadow[word], v);
        if (is_settled(e, v)) continue;
        // The last lane reads after the first, which makes it a word that several lanes read.
        const u64 thread = u64{w.index} * kWarpSize;
        const Shaded one = after_read(e, v, thread, 0);
        const Shaded all = after_read(one.next, v, thread + kWarpSize - 1, 0);
        region.shadow[word] = all.next;
        if ((one.bad | all.bad) != 0) suspect(w, i, region, 4 * word);
    }
}

/// Where the active lanes' accesses lie in one region; inactive lanes get 0.
struct Offsets {
    alignas(64) u64 lane[kWarpSize];
};

/// The region that holds all active lanes' accesses, if they are aligned and it is the one that the
/// instruction hit last time, or their own local memory; else null.
[[gnu::always_inline]] inline Region* common_region(Warp& w, const Insn& i, Mask active,
                                                    const Addresses& at, u32 bytes,
                                                    Offsets& offsets) {
    if (active == 0) return nullptr;
    u64 wrong = 0;
    LocalMemory& local = w.block->local;
    if (local.bytes_a_thread >= bytes &&
        at.lane[__builtin_ctz(active)] - kLocalWindow < local.bytes_a_thread &&
        (i.generic || i.space == Space::local)) {
        const u64 last = local.bytes_a_thread - bytes;
        const u64 first_thread = u64{w.index} * kWarpSize * local.stride;
        for (unsigned l = 0; l < kWarpSize; ++l) {
            const bool on = (active & kLaneBit[l]) != 0;
            const u64 offset = on ? at.lane[l] - kLocalWindow : 0;
            offsets.lane[l] = on ? first_thread + u64{l} * local.stride + offset : 0;
            wrong |= u64{offset > last} | (offset & (bytes - 1));
        }
        return wrong == 0 ? &local.all : nullptr;
    }
    Region* region = w.memo[i.pc];
    if (!region || region->size_bytes < bytes || (i.strong && region->pages)) return nullptr;
    const u64 base = region->base, last = region->size_bytes - bytes;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 offset = (active & kLaneBit[l]) != 0 ? at.lane[l] - base : 0;
        offsets.lane[l] = offset;
        wrong |= u64{offset > last} | (offset & (bytes - 1));
    }
    return wrong == 0 ? region : nullptr;
}

/// Whether all of the accesses' bytes were written. An aligned access of up to 16 bytes has its
/// bits in one word.
[[gnu::always_inline]] inline bool all_lanes_written(const Region& region, const Offsets& offsets,
                                                     Mask active, u32 bytes) {
    if (!region.written) return true;
    const u64 ones = (u64{1} << bytes) - 1;
    const u64* written = region.written;
    alignas(64) u64 words[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) words[l] = written[offsets.lane[l] >> 6];
    u64 missing = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 lacks = ~(words[l] >> (offsets.lane[l] & 63)) & ones;
        missing |= (active & kLaneBit[l]) != 0 ? lacks : 0;
    }
    return missing == 0;
}

/// Sectors that the lanes touch, and which lanes have a word in common.
[[gnu::always_inline]] inline void compare_lanes(Pattern& pattern, const u32* distance,
                                                 Mask active) {
    alignas(64) u32 sector[kWarpSize], word[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) {
        sector[l] = distance[l] >> 5;
        word[l] = distance[l] >> 2;
    }
    u32 sectors = 0;
    pattern.shared = 0;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = unsigned(__builtin_ctz(rest));
        const Mask with = mask_of([&](unsigned l) { return sector[l] == sector[lane]; }) & active;
        sectors += (with & (kLaneBit[lane] - 1)) == 0 ? 1 : 0;
        if (with == kLaneBit[lane]) continue;
        const Mask same = mask_of([&](unsigned l) { return word[l] == word[lane]; }) & active;
        if (same != kLaneBit[lane]) pattern.shared |= kLaneBit[lane];
    }
    pattern.cost = sectors;
}

/// What an access costs, from the distances between its lanes: computed anew only when they change.
[[gnu::always_inline]] inline void look_at_pattern(Warp& w, const Insn& i, const Region& region,
                                                   Mask active, const Offsets& offsets, u32 bytes) {
    Pattern& pattern = w.execution->patterns[i.access];
    const u64 begin = offsets.lane[__builtin_ctz(active)] & ~u64{31};
    alignas(64) u32 distance[kWarpSize];
    u32 changed = pattern.active ^ active;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        distance[l] = (active & kLaneBit[l]) != 0 ? u32(offsets.lane[l] - begin) : 0;
        changed |= distance[l] ^ pattern.distance[l];
    }
    if (changed == 0) return;
    // Lanes that go where they like go where the cache has nothing yet: ask for it all at once.
    for (unsigned l = 0; region.pages != nullptr && l < kWarpSize; ++l) {
        __builtin_prefetch(region.shadow + (offsets.lane[l] >> 2), 1, 2);
        __builtin_prefetch(region.data + offsets.lane[l], 1, 2);
    }
    pattern.active = active;
    for (unsigned l = 0; l < kWarpSize; ++l) pattern.distance[l] = distance[l];
    compare_lanes(pattern, distance, active);
    if (region.space == Space::shared) pattern.cost = wavefronts(distance, active, bytes);
}

[[gnu::always_inline]] inline void count_pattern(Warp& w, const Insn& i, const Region& region,
                                                 Mask active) {
    const u32 cost = w.execution->patterns[i.access].cost;
    count_request(w, i, region, lane_count(active), cost, cost);
}

/// One 64-bit number a lane. Loops below first fill such arrays, then compute with them: compilers
/// make vector instructions of either, not of both at once.
struct Numbers {
    alignas(64) u64 lane[kWarpSize];
};

/// Of each lane, the shade of its word at `offset + k`; inactive lanes have the region's first.
[[gnu::always_inline]] inline void gather_shades(const Region& region, const Offsets& offsets,
                                                 u32 k, Numbers& shades) {
    const Shade* shadow = region.shadow;
    for (unsigned l = 0; l < kWarpSize; ++l) shades.lane[l] = shadow[(offsets.lane[l] + k) >> 2];
}

/// All ones for active lanes.
[[gnu::always_inline]] inline void spread_mask(Mask active, Numbers& on) {
    for (unsigned l = 0; l < kWarpSize; ++l) on.lane[l] = (active & kLaneBit[l]) != 0 ? ~u64{0} : 0;
}

/// Whether reading all these words changes no shade and looks harmless.
[[gnu::always_inline]] inline bool all_settled(const Warp& w, const Region& region, Mask active,
                                               const Offsets& offsets, u32 bytes) {
    const Viewpoint v = viewpoint(w, region);
    u32 stale = 0;
    if (region.pages) {
        const u32 run = w.execution->run;
        const Page* pages = region.pages;
        u32 touched[kWarpSize];
        for (unsigned l = 0; l < kWarpSize; ++l)
            touched[l] = pages[offsets.lane[l] >> kPageShift].touched;
        for (unsigned l = 0; l < kWarpSize; ++l)
            stale |= (active & kLaneBit[l]) != 0 ? touched[l] ^ run : 0;
        if (stale != 0) return false;
    }
    Numbers on, shades;
    spread_mask(active, on);
    u64 unsettled = 0;
    for (u32 k = 0; k < bytes; k += 4) {
        gather_shades(region, offsets, k, shades);
        for (unsigned l = 0; l < kWarpSize; ++l)
            unsettled |= on.lane[l] & ~is_settled(current(shades.lane[l], v), v);
    }
    return unsettled == 0;
}

/// Makes the pages of all lanes ready: a few neighbours most of the time.
[[gnu::always_inline]] inline void open_lanes_pages(Warp& w, Region& region, Mask active,
                                                    const Offsets& offsets, bool writes) {
    constexpr u64 kFew = 4;
    const u64 some = offsets.lane[__builtin_ctz(active)];
    u64 lowest = some, highest = some;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 o = (active & kLaneBit[l]) != 0 ? offsets.lane[l] : some;
        lowest = o < lowest ? o : lowest;
        highest = o > highest ? o : highest;
    }
    const u32 run = w.execution->run;
    const auto open = [&](u64 number) {
        const Page& page = region.pages[number];
        if (page.touched != run || (writes && page.saved != run)) [[unlikely]]
            open_page(*w.execution, region, number, writes);
    };
    // Pages in between that no lane accesses are opened as well: that harms nobody.
    if ((highest >> kPageShift) - (lowest >> kPageShift) < kFew)
        for (u64 page = lowest >> kPageShift; page <= highest >> kPageShift; ++page) open(page);
    else
        for (Mask rest = active; rest != 0; rest &= rest - 1)
            open(offsets.lane[__builtin_ctz(rest)] >> kPageShift);
}

/// Shades all lanes at once: reads, or writes that have no word in common. `shared`: lanes that
/// have one. False when one is suspicious (and nothing was done).
template <Shading shading>
[[gnu::always_inline]] inline bool shade_at_once(Warp& w, Region& region, Mask active, Mask shared,
                                                 const Offsets& offsets, u32 bytes) {
    constexpr bool kWrites = shading == Shading::write;
    const Viewpoint v = viewpoint(w, region);
    if (region.pages)
        open_lanes_pages(w, region, active, offsets, kWrites);
    else if (kWrites && region.space == Space::shared)
        for (Mask rest = active; rest != 0; rest &= rest - 1)
            unsettle(*w.block, offsets.lane[__builtin_ctz(rest)], bytes);
    const u64 thread = u64{w.index} * kWarpSize;
    Numbers on, lanes, shades;
    spread_mask(active, on);
    spread_mask(shared, lanes);
    for (u32 k = 0; k < bytes; k += 4) {
        gather_shades(region, offsets, k, shades);
        if constexpr (!kWrites) {
            u64 unsettled = 0;
            for (unsigned l = 0; l < kWarpSize; ++l)
                unsettled |= on.lane[l] & ~is_settled(current(shades.lane[l], v), v);
            if (unsettled == 0) continue;
        }
        Shade next[kWarpSize], bad = 0;
        if (bytes >= 4) {
            for (unsigned l = 0; l < kWarpSize; ++l) {
                const Shaded s = shade_word<shading>(current(shades.lane[l], v), v, thread + l, 0);
                next[l] = s.next;
                bad |= on.lane[l] & s.bad;
            }
        } else {
            for (unsigned l = 0; l < kWarpSize; ++l) {
                const Shaded s = shade_word<shading>(current(shades.lane[l], v), v, thread + l, 5);
                next[l] = s.next;
                bad |= on.lane[l] & s.bad;
            }
        }
        // Which shade of a word that several lanes read stays is all the same, but not that there
        // were several; and another block's word may have been left as it was.
        if (!kWrites && shared != 0)
            for (unsigned l = 0; l < kWarpSize; ++l)
                next[l] |= mask_if(next[l] >> kOwnerAt == v.owner >> kOwnerAt) & lanes.lane[l] &
                           kShadeLanes;
        if (bad != 0) return false;  // words before it are shaded twice then: the same again
        for (Mask rest = active; rest != 0; rest &= rest - 1) {
            const auto l = unsigned(__builtin_ctz(rest));
            region.shadow[(offsets.lane[l] + k) / 4] = next[l];
        }
    }
    return true;
}

/// Shades the active lanes' accesses, and marks what they write.
/// put(l) writes lane l's value, when its turn has come.
template <Shading shading, class Silent, class Put>
[[gnu::always_inline]] inline void shade_scattered(Warp& w, const Insn& i, Region& region,
                                                   Mask active, const Offsets& offsets, u32 bytes,
                                                   Silent is_silent, Put put) {
    constexpr bool kWrites = shading == Shading::write;
    const u64 ones = (u64{1} << bytes) - 1;
    const auto mark = [&](u64 o) {
        if (kWrites && region.written) region.written[o / 64] |= ones << (o % 64);
    };
    Execution& execution = *w.execution;
    const bool shades = is_shaded(region) && !execution.witness;
    const Mask shared = execution.patterns[i.access].shared;
    if (shades && (!kWrites || shared == 0) && !execution.is_parallel &&
        shade_at_once<shading>(w, region, active, shared, offsets, bytes)) {
        for (Mask rest = active; kWrites && rest != 0; rest &= rest - 1) {
            const auto l = unsigned(__builtin_ctz(rest));
            mark(offsets.lane[l]);
            put(l);
        }
        return;
    }
    const Viewpoint v = viewpoint(w, region);
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto l = unsigned(__builtin_ctz(rest));
        const u64 o = offsets.lane[l];
        const Hold hold(execution, region, o, bytes);
        if (shades)
            shade_lane<shading>(w, i, region, v, l, o, bytes, [&] { return is_silent(l); });
        else if (kWrites)
            open_pages(w, region, o, bytes, true);
        mark(o);
        put(l);
    }
}

/// T: the type in memory; R: the lanes of the register.
template <class T, class R>
Flow load(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    addresses(w, i, at);
    const u32 count = i.vector, bytes = u32(sizeof(T)) * count;
    if (w.execution->witness) [[unlikely]]
        witness_access(w, i, active, at, bytes, Access::read, nullptr);
    if (active == kAllLanes && has_stride(at, bytes)) {
        const u32 all = kWarpSize * bytes;
        if (Region* region = region_of_range(w, i, at.lane[0], all, bytes, Access::read)) {
            const u64 offset = at.lane[0] - region->base;
            if (!w.execution->witness)
                shade_range<Shading::read>(w, i, *region, offset, all, bytes,
                                           [](unsigned) { return false; });
            count_request(w, i, *region, kWarpSize, (offset + all - 1) / 32 - offset / 32 + 1,
                          bytes <= 4 ? 1 : bytes / 4);
            for (u32 k = 0; k < count; ++k) {
                R* d = w.lanes<R>(i.operand[k]);
                const T* elements = reinterpret_cast<const T*>(region->data + offset) + k;
                if (count == 1)
                    for (unsigned l = 0; l < kWarpSize; ++l) d[l] = R(elements[l]);
                else
                    for (unsigned l = 0; l < kWarpSize; ++l) d[l] = R(elements[l * count]);
            }
            return Flow::next;
        }
    } else if (active == kAllLanes && has_stride(at, 0)) {
        if (Region* region = region_of_range(w, i, at.lane[0], bytes, bytes, Access::read)) {
            const u64 offset = at.lane[0] - region->base;
            if (!w.execution->witness) shade_broadcast(w, i, *region, offset, bytes);
            count_request(w, i, *region, kWarpSize, 1, bytes <= 8 ? 1 : 2);
            for (u32 k = 0; k < count; ++k) {
                const R value = R(reinterpret_cast<const T*>(region->data + offset)[k]);
                R* d = w.lanes<R>(i.operand[k]);
                for (unsigned l = 0; l < kWarpSize; ++l) d[l] = value;
            }
            return Flow::next;
        }
    }
    Offsets offsets;
    if (Region* region = common_region(w, i, active, at, bytes, offsets)) {
        look_at_pattern(w, i, *region, active, offsets, bytes);
        if (all_lanes_written(*region, offsets, active, bytes)) {
            count_pattern(w, i, *region, active);
            if (is_shaded(*region) &&
                !(w.execution->is_parallel && all_settled(w, *region, active, offsets, bytes)))
                shade_scattered<Shading::read>(
                    w, i, *region, active, offsets, bytes, [](unsigned) { return false; },
                    [](unsigned) {});
            for (u32 k = 0; k < count; ++k) {
                const std::byte* elements = region->data + k * sizeof(T);
                each_lane(w.lanes<R>(i.operand[k]), active, [&](unsigned l) {
                    return R(*reinterpret_cast<const T*>(elements + offsets.lane[l]));
                });
            }
            return Flow::next;
        }
    }
    HostPointers where;
    const Mask fine = locate(w, i, active, at, bytes, Access::read, where);
    for (u32 k = 0; k < count; ++k) {
        R* d = w.lanes<R>(i.operand[k]);
        for (Mask rest = fine; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            d[l] = R(reinterpret_cast<const T*>(where.lane[l])[k]);
        }
    }
    return fine == active ? Flow::next : Flow::stop;
}

/// What the lanes are about to store, as it will lie in memory.
template <class T, class R>
[[gnu::always_inline]] inline void pack(const Warp& w, const Insn& i, NewBytes& bytes) {
    for (u32 k = 0; k < i.vector; ++k)
        for (unsigned l = 0; l < kWarpSize; ++l)
            reinterpret_cast<T*>(bytes.lane[l])[k] = T(w.lanes<R>(i.operand[k])[l]);
}

template <class T, class R>
Flow store(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    addresses(w, i, at);
    const u32 count = i.vector, bytes = u32(sizeof(T)) * count;
    if (w.execution->witness) [[unlikely]] {
        NewBytes values;
        pack<T, R>(w, i, values);
        witness_access(w, i, active, at, bytes, Access::write, &values);
    }
    // Whether a lane would store what is there already.
    const auto is_silent = [&](unsigned l, const std::byte* there) {
        for (u32 k = 0; k < count; ++k)
            if (reinterpret_cast<const T*>(there)[k] != T(w.lanes<R>(i.operand[k])[l]))
                return false;
        return true;
    };
    if (active == kAllLanes && has_stride(at, bytes)) {
        const u32 all = kWarpSize * bytes;
        if (Region* region = region_of_range(w, i, at.lane[0], all, bytes, Access::write)) {
            const u64 offset = at.lane[0] - region->base;
            if (w.execution->witness || !is_shaded(*region)) {
                open_pages(w, *region, offset, all, true);
                if (region->written) mark_written(region->written, offset, all);
            } else {
                shade_range<Shading::write>(w, i, *region, offset, all, bytes, [&](unsigned l) {
                    return is_silent(l, region->data + offset + l * bytes);
                });
            }
            count_request(w, i, *region, kWarpSize, (offset + all - 1) / 32 - offset / 32 + 1,
                          bytes <= 4 ? 1 : bytes / 4);
            for (u32 k = 0; k < count; ++k) {
                const R* value = w.lanes<R>(i.operand[k]);
                T* elements = reinterpret_cast<T*>(region->data + offset) + k;
                if (count == 1)
                    for (unsigned l = 0; l < kWarpSize; ++l) elements[l] = T(value[l]);
                else
                    for (unsigned l = 0; l < kWarpSize; ++l) elements[l * count] = T(value[l]);
            }
            return Flow::next;
        }
    }
    // Lane by lane: where several write the same place, the last one wins.
    const auto put = [&](int l, std::byte* at_host) {
        for (u32 k = 0; k < count; ++k)
            reinterpret_cast<T*>(at_host)[k] = T(w.lanes<R>(i.operand[k])[l]);
    };
    Offsets offsets;
    if (Region* region = common_region(w, i, active, at, bytes, offsets)) {
        look_at_pattern(w, i, *region, active, offsets, bytes);
        count_pattern(w, i, *region, active);
        shade_scattered<Shading::write>(
            w, i, *region, active, offsets, bytes,
            [&](unsigned l) { return is_silent(l, region->data + offsets.lane[l]); },
            [&](unsigned l) { put(int(l), region->data + offsets.lane[l]); });
        return Flow::next;
    }
    HostPointers where;
    const Mask fine = locate(w, i, active, at, bytes, Access::write, where);
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        put(l, where.lane[l]);
    }
    return fine == active ? Flow::next : Flow::stop;
}

/// A kernel's parameter by name: the same for all, and known to be there. Insn::immediate: offset.
template <class T, class R>
Flow load_parameter(Warp& w, const Insn& i, Mask active) {
    const std::byte* data = w.execution->parameters.data + i.immediate;
    for (u32 k = 0; k < i.vector; ++k) {
        const R value = R(reinterpret_cast<const T*>(data)[k]);
        each_lane(w.lanes<R>(i.operand[k]), active, [&](unsigned) { return value; });
    }
    return Flow::next;
}

constexpr Row kRows[] = {
    {"ld:u8:4", load<u8, u32>},
    {"ld:s8:4", load<s8, s32>},
    {"ld:u16:4", load<u16, u32>},
    {"ld:s16:4", load<s16, s32>},
    {"ld:u32:4", load<u32, u32>},
    {"ld:u8:8", load<u8, u64>},
    {"ld:s8:8", load<s8, s64>},
    {"ld:u16:8", load<u16, u64>},
    {"ld:s16:8", load<s16, s64>},
    {"ld:u32:8", load<u32, u64>},
    {"ld:s32:8", load<s32, s64>},
    {"ld:u64:8", load<u64, u64>},
    {"st:u8:4", store<u8, u32>},
    {"st:u16:4", store<u16, u32>},
    {"st:u32:4", store<u32, u32>},
    {"st:u8:8", store<u8, u64>},
    {"st:u16:8", store<u16, u64>},
    {"st:u32:8", store<u32, u64>},
    {"st:u64:8", store<u64, u64>},
    {"parameter:u8:4", load_parameter<u8, u32>},
    {"parameter:s8:4", load_parameter<s8, s32>},
    {"parameter:u16:4", load_parameter<u16, u32>},
    {"parameter:s16:4", load_parameter<s16, s32>},
    {"parameter:u32:4", load_parameter<u32, u32>},
    {"parameter:u8:8", load_parameter<u8, u64>},
    {"parameter:s8:8", load_parameter<s8, s64>},
    {"parameter:u16:8", load_parameter<u16, u64>},
    {"parameter:s16:8", load_parameter<s16, s64>},
    {"parameter:u32:8", load_parameter<u32, u64>},
    {"parameter:s32:8", load_parameter<s32, s64>},
    {"parameter:u64:8", load_parameter<u64, u64>},
};

}  // namespace

Rows memory_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
