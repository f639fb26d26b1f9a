// The memory that a warp's load or store touches, and its cost: the part of an access that needs no
// more than addresses.
#pragma once

#include "execute/access_events.h"
#include "execute/checked_access.h"
#include "execute/execution.h"
#include "execute/ops/lanes.h"
#include "memory/page_lock.h"
#include "memory/written_bits.h"
#include "profile/access_cost.h"
#include "profile/access_pattern.h"
#include "profile/duplicate_lanes.h"

// Accesses of right kernels are fast here: all lanes side by side, all at one place, or anywhere in
// the region that the instruction hit last time. All others go through locate() (checked_access.h),
// which finds the mistake if there is one.

namespace vgpu::VGPU_ISA {

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
    // Two lanes are enough to rule out most others.
    if (at.lane[1] - at.lane[0] != stride || at.lane[31] - at.lane[0] != 31 * stride) return false;
    u64 difference = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) difference |= at.lane[l] ^ (at.lane[0] + l * stride);
    return difference == 0;
}

/// `passes`: through the L1 cache, or over shared memory's banks.
[[gnu::always_inline]] inline void count_request(Warp& w, const Insn& i, const Region& region,
                                                 u32 lanes, u64 sectors, u32 passes) {
    Tally& tally = w.execution->tallies[i.pc];
    if (region.space == Space::global) {
        ++tally.global_requests;
        tally.global_sectors += sectors;
        tally.global_passes += passes;
        tally.global_lanes += lanes;
    } else if (region.space == Space::shared) {
        if (i.counted_bytes == 0) return;
        ++tally.shared_requests;
        tally.shared_wavefronts += passes;
        tally.shared_lanes += lanes;
    } else if (region.space == Space::local) {
        // Local memory is interleaved on a GPU: lanes that access the same of their own words share
        // sectors.
        ++tally.local_requests;
        tally.local_sectors += (u64{lanes} * i.access_bytes + 31) / 32;
    }
}

/// Lanes side by side, or at one place, in a block whose lines are looked at (profile/l1_sample.h).
[[gnu::always_inline]] inline void sample_row(Warp& w, const Insn& i, const Region& region,
                                              u64 offset, u32 bytes) {
    if (!w.block->is_l1_sample || region.space != Space::global) [[likely]]
        return;
    w.block->l1_sample.begin_request(w.index);
    for (u64 line = offset / 128; line <= (offset + bytes - 1) / 128; ++line)
        w.block->l1_sample.add(w.index, region.base + line * 128, i.kind == Kind::store);
}

/// Of lanes side by side.
[[gnu::always_inline]] inline u32 row_passes(const Insn& i) {
    return i.counted_bytes <= 4 ? 1 : i.counted_bytes / 4;
}

/// The region that this instruction hit last time, if all of [at, at + bytes) lies in it.
[[gnu::always_inline]] inline Region* region_of_range(Warp& w, const Insn& i, Address at, u32 bytes,
                                                      u32 lane_bytes) {
    Region* region = w.memo[i.pc];
    if (!region || !region->contains(at, bytes) || (at & (lane_bytes - 1)) != 0) return nullptr;
    return i.strong && region->pages ? nullptr : region;
}

/// The region that holds all active lanes' accesses, if they are aligned and it is the one that the
/// instruction hit last time, or their own local memory; else null. What is volatile or atomic in
/// global memory is put into the shadow otherwise: only for `any`.
template <bool any = false>
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
            offsets.lane[l] = first_thread + u64{l} * local.stride + offset;
            wrong |= u64{offset > last} | (offset & (bytes - 1));
        }
        return wrong == 0 ? &local.all : nullptr;
    }
    Region* region = w.memo[i.pc];
    if (!region || region->size_bytes < bytes || (!any && i.strong && region->pages))
        return nullptr;
    const u64 base = region->base, last = region->size_bytes - bytes;
    const Address first = at.lane[__builtin_ctz(active)];
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 offset = ((active & kLaneBit[l]) != 0 ? at.lane[l] : first) - base;
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
    for (unsigned l = 0; l < kWarpSize; ++l) words[l] = one_by_one(written[offsets.lane[l] >> 6]);
    u64 missing = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 lacks = ~(words[l] >> (offsets.lane[l] & 63)) & ones;
        missing |= (active & kLaneBit[l]) != 0 ? lacks : 0;
    }
    return missing == 0;
}

/// The distances between the lanes; false when they are those of last time. Else they are kept, and
/// what they cost is to be found.
[[gnu::always_inline]] inline bool take_pattern(AccessPattern& pattern, Space space, Mask active,
                                                const Offsets& offsets, u32* distance) {
    const u64 begin = offsets.lane[__builtin_ctz(active)] & ~u64{31};
    u32 changed = (pattern.active ^ active) | (pattern.space != space ? 1u : 0u);
    for (unsigned l = 0; l < kWarpSize; ++l) {
        distance[l] = (active & kLaneBit[l]) != 0 ? u32(offsets.lane[l] - begin) : 0;
        changed |= distance[l] ^ pattern.distance[l];
    }
    if (changed == 0) return false;
    pattern.active = active;
    pattern.space = space;
    for (unsigned l = 0; l < kWarpSize; ++l) pattern.distance[l] = distance[l];
    return true;
}

/// What an access costs, from the distances between its lanes: computed anew only when they change.
[[gnu::always_inline]] inline void look_at_pattern(Warp& w, const Insn& i, const Region& region,
                                                   Mask active, const Offsets& offsets) {
    AccessPattern& pattern = w.execution->patterns[i.access];
    alignas(64) u32 distance[kWarpSize];
    if (!take_pattern(pattern, region.space, active, offsets, distance)) return;
    alignas(64) u32 sector[kWarpSize], word[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) {
        sector[l] = distance[l] >> 5;
        word[l] = distance[l] >> 2;
    }
    const Mask repeated = duplicate_lanes(sector, active);
    pattern.shared = 0;
    if (repeated != 0)
        for (Mask rest = duplicate_lanes(word, active); rest != 0; rest &= rest - 1) {
            const u32 mine = word[__builtin_ctz(rest)];
            pattern.shared |= mask_of([&](unsigned l) { return word[l] == mine; }) & active;
        }
    pattern.cost = region.space == Space::shared ? wavefronts(distance, active, i.counted_bytes)
                                                 : lane_count(active) - lane_count(repeated);
    pattern.passes =
        region.space == Space::shared ? pattern.cost : passes(distance, active, pattern.cost);
}

[[gnu::always_inline]] inline void count_pattern(Warp& w, const Insn& i, const Region& region,
                                                 Mask active, const Offsets& offsets,
                                                 bool is_near) {
    const AccessPattern& pattern = w.execution->patterns[i.access];
    count_request(w, i, region, lane_count(active), pattern.cost, pattern.passes);
    if (!is_near && region.space == Space::global)
        w.execution->tallies[i.pc].scattered_sectors += pattern.cost;
    if (w.block->is_l1_sample && region.space == Space::global) [[unlikely]] {
        w.block->l1_sample.begin_request(w.index);
        for (Mask rest = active; rest != 0; rest &= rest - 1)
            w.block->l1_sample.add(w.index, region.base + offsets.lane[__builtin_ctz(rest)],
                                   i.kind == Kind::store);
    }
}

}  // namespace vgpu::VGPU_ISA
