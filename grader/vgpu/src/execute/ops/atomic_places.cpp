// Where a warp's atomic operations go, when nothing is wrong with them: put into the shadow and
// counted all at once. Whatever may be wrong is left to locate() (execute/checked_access.h), which
// does one lane after the other what is done here, and says so.
#include "execute/ops/families.h"
#include "execute/ops/shadow_lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

/// Updates the shadow of all lanes, of which several may change one word: each is compared with
/// what was before the instruction. Where that is no suspicion, it leaves what lanes in turn would.
template <Shadowing shadowing>
[[gnu::always_inline]] inline bool shadow_atomics(Warp& w, const Insn& i, Region& region,
                                                  Mask active, const Offsets& offsets,
                                                  const Reach& reach, const Pages& pages,
                                                  u32 bytes) {
    if (region.pages) open_lanes_pages(w, region, active, offsets, reach, pages, true);
    return shadow_at_once<shadowing>(event_of(w, i, region), active, 0, offsets, bytes);
}

/// The same where other workers may want the pages: each lane holds its own meanwhile. What is
/// suspicious stays as it was.
template <Shadowing shadowing>
[[gnu::always_inline]] inline bool shadow_held(Warp& w, Region& region, Mask active,
                                               const Offsets& offsets, u32 bytes) {
    const AccessEpoch v = epoch_of(w, region);
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto l = unsigned(__builtin_ctz(rest));
        const u64 offset = offsets.lane[l];
        const PageLock hold(w.execution->pages, region, offset, bytes);
        if (region.written && !all_written(region.written, offset, bytes)) return false;
        open_pages(w, region, offset, bytes, true);
        for (u64 word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
            const ShadowUpdate s = next_shadow<shadowing>(current(region.shadow[word], v), v,
                                                          u64{w.index} * kWarpSize + l, 0);
            if (s.bad != 0) return false;
            region.shadow[word] = s.next;
        }
    }
    return true;
}

/// Sectors or wavefronts: computed anew only when the lanes' distances change.
[[gnu::always_inline]] inline u32 cost_of(Warp& w, const Insn& i, const Region& region, Mask active,
                                          const Offsets& offsets, u32 bytes) {
    AccessPattern& pattern = w.execution->patterns[i.access];
    alignas(64) u32 distance[kWarpSize];
    if (!take_pattern(pattern, region.space, active, offsets, distance)) return pattern.cost;
    alignas(64) u32 place[kWarpSize], sector[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) {
        place[l] = distance[l] / 2;  // below 2^31, and different where addresses are
        sector[l] = distance[l] / 32;
    }
    if (region.space == Space::shared)
        pattern.cost =
            i.one_by_one ? retry_wavefronts(distance, active) : wavefronts(distance, active, bytes);
    else if (i.one_by_one && duplicate_lanes(place, active) != 0)
        pattern.cost = sectors_one_by_one(distance, active);
    else
        pattern.cost = lane_count(active) - lane_count(duplicate_lanes(sector, active));
    return pattern.cost;
}

template <Shadowing shadowing>
[[gnu::always_inline]] inline bool shadow_all(Warp& w, const Insn& i, Region& region, Mask active,
                                              const Offsets& offsets, u32 bytes) {
    const Reach reach = reach_of(active, offsets, bytes);
    if (!is_alone(w.execution->pages, region) && !reach.is_near())
        return shadow_held<shadowing>(w, region, active, offsets, bytes);
    const PageLock hold(w.execution->pages, region, reach.begin, reach.bytes);
    const Pages pages = look_at_pages<true>(w, region, offsets, reach);
    return (pages.are_whole || all_lanes_written(region, offsets, active, bytes)) &&
           shadow_atomics<shadowing>(w, i, region, active, offsets, reach, pages, bytes);
}

}  // namespace

bool place_atomics(Warp& w, const Insn& i, Mask active, const Addresses& at, u32 bytes,
                   HostPointers& where) {
    Offsets offsets;
    Region* region = common_region<true>(w, i, active, at, bytes, offsets);
    if (!region || region->guard || !has_shadow(*region) || w.execution->checker) return false;
    const bool is_global = region->space == Space::global;
    if (!is_global && region->space != Space::shared) return false;
    const bool is_fine =
        i.in_block && is_global
            ? shadow_all<Shadowing::strong_in_block>(w, i, *region, active, offsets, bytes)
            : shadow_all<Shadowing::strong>(w, i, *region, active, offsets, bytes);
    if (!is_fine) return false;
    const u32 cost = cost_of(w, i, *region, active, offsets, bytes);
    Tally& tally = w.execution->tallies[i.pc];
    if (is_global) {
        w.polled = 0;
        ++tally.global_requests;
        tally.global_sectors += cost;
        tally.global_lanes += lane_count(active);
    } else {
        ++tally.shared_requests;
        tally.shared_wavefronts += cost;
        tally.shared_lanes += lane_count(active);
    }
    for (unsigned l = 0; l < kWarpSize; ++l) {
        where.lane[l] = region->data + offsets.lane[l];
        where.page[l] = region->pages ? &region->pages[offsets.lane[l] >> kPageShift] : nullptr;
    }
    return true;
}

}  // namespace vgpu::VGPU_ISA
