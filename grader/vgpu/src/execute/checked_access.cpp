// Checked access to every kind of memory. See checked_access.h.
#include "execute/checked_access.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "execute/access_events.h"
#include "execute/execution.h"
#include "execute/recorder.h"
#include "execute/unset_values.h"
#include "memory/guard.h"
#include "memory/written_bits.h"
#include "profile/access_cost.h"
#include "profile/duplicate_lanes.h"
#include "race/happens_before_checker.h"
#include "race/shadow_access.h"

namespace vgpu {
namespace {

/// The window of a state space also takes addresses below it, as a negative index gives.
bool in_window(Address at, Address window) {
    return at - (window - kSpaceWindowBytes / 2) < kSpaceWindowBytes;
}

/// Whether an instruction for one state space may reach a region of another. Constant variables
/// lie in global memory; a device function's parameters lie in its thread's local memory.
bool reaches(const Insn& insn, Space space, Access access) {
    if (access != Access::read && (space == Space::constant || space == Space::parameter))
        return false;
    if (insn.generic || insn.space == space) return true;
    if (insn.space == Space::parameter) return space == Space::local;
    return insn.space == Space::global && space == Space::constant;
}

struct Place {
    Region* region = nullptr;
    std::uint64_t offset = 0;
    std::byte* data() const { return region->data + offset; }
};

Page* page_of(const Place& place) {
    Page* pages = place.region->pages;
    return pages ? &pages[place.offset >> kPageShift] : nullptr;
}

/// Whether every byte that the program uses of this access was written.
bool is_written(const Place& place, const Insn& insn, std::uint32_t bytes) {
    const std::uint64_t* written = place.region->written;
    if (!written || all_written(written, place.offset, bytes)) return true;
    if (insn.used_bytes == ~std::uint32_t{0}) return false;
    for (std::uint32_t byte = 0; byte < bytes; ++byte)
        if ((insn.used_bytes >> byte & 1) != 0 && !all_written(written, place.offset + byte, 1))
            return false;
    return true;
}

/// What is right although it reads what nothing has written: copies of objects on the stack that
/// have unset parts, and CUB, whose merges look at one element past their run and do not use it.
/// Not so atomic operations, whose wrappers are in the toolkit's headers, too.
bool may_read_unwritten(const Warp& warp, const Insn& insn, Address at, Access access) {
    return (insn.option == kCopiesObject && space_of(at) == Space::local) ||
           (access != Access::atomic && from_toolkit(warp, insn.pc));
}

/// When such a read came first. Not again for each: allocations may be large.
std::uint64_t bytes_written(Execution& execution, const Region& region) {
    const auto [known, is_new] = execution.written_bytes.try_emplace(&region, 0);
    if (is_new) known->second = count_written(region.written, 0, region.size_bytes);
    return known->second;
}

std::optional<Place> place_in(Region& region, Address at, std::uint64_t bytes) {
    if (!region.live || !region.contains(at, bytes)) return {};
    return Place{&region, at - region.base};
}

std::optional<Place> local_place(Warp& warp, unsigned lane, Address at, std::uint64_t bytes) {
    LocalMemory& local = warp.block->local;
    const std::uint64_t offset = at - kLocalWindow;
    if (offset >= local.bytes_a_thread || bytes > local.bytes_a_thread - offset) return {};
    const std::uint64_t thread = std::uint64_t{warp.index} * kWarpSize + lane;
    return Place{&local.all, thread * local.stride + offset};
}

/// In shared or local memory.
std::optional<Place> place_of_block(Warp& warp, unsigned lane, Address at, std::uint64_t bytes) {
    return space_of(at) == Space::local ? local_place(warp, lane, at, bytes)
                                        : place_in(warp.block->shared, at, bytes);
}

Region* region_at(Warp& warp, Address at, Space space) {
    switch (space) {
        case Space::shared:
            return &warp.block->shared;
        case Space::parameter:
            return &warp.execution->parameters;
        default:
            return warp.execution->memory.find(at);
    }
}

std::optional<Nearest> nearest_shared(const Execution& execution, Address at) {
    const Nearest whole{{kSharedWindow, execution.image.static_shared_bytes, "shared memory"}, 0};
    std::optional<Nearest> best;
    for (Allocation variable : execution.image.shared_variables) {
        if (variable.base == execution.image.dynamic_shared_offset && variable.size_bytes == 0)
            variable.size_bytes = execution.launch.dynamic_shared_bytes;
        variable.base += kSharedWindow;
        const auto past_end = static_cast<std::int64_t>(at - (variable.base + variable.size_bytes));
        const std::int64_t distance =
            at < variable.base ? static_cast<std::int64_t>(at - variable.base) : past_end;
        if (!best || std::abs(distance) < std::abs(best->distance_bytes))
            best = Nearest{variable, distance};
    }
    return best ? best : whole;
}

/// What is wrong with an access that no live region holds, or that is not aligned.
Finding diagnose(Warp& warp, const Insn& insn, unsigned lane, Address at, std::uint32_t bytes,
                 Access access) {
    Execution& execution = *warp.execution;
    Finding finding = finding_at(warp, insn, Check::out_of_bounds, lane);
    finding.address = at;
    finding.access_bytes = bytes;
    finding.space = space_of(at);
    finding.is_write = access != Access::read;
    // The first byte that is not there: an access may begin inside its allocation.
    const auto outside = [&](const Region& region) {
        return region.contains(at, 1) ? region.base + region.size_bytes : at;
    };
    switch (finding.space) {
        case Space::shared:
            finding.nearest = nearest_shared(execution, outside(warp.block->shared));
            break;
        case Space::local: {
            const std::uint64_t size = warp.block->local.bytes_a_thread;
            const auto offset = static_cast<std::int64_t>(at - kLocalWindow);
            const auto past = std::max<std::int64_t>(offset - static_cast<std::int64_t>(size), 0);
            finding.nearest = Nearest{{kLocalWindow, size, "the thread's local memory"},
                                      offset < 0 ? offset : past};
            break;
        }
        case Space::parameter: {
            const Region& all = execution.parameters;
            finding.nearest =
                Nearest{all.allocation(),
                        static_cast<std::int64_t>(outside(all) - all.base - all.size_bytes)};
            break;
        }
        default: {
            const Region* region = execution.memory.find(at);
            if (region && !region->live) {
                finding.check = Check::use_after_free;
                finding.nearest = Nearest{region->allocation(), 0};
            } else if (at < kWindowBegin || at >= kWindowEnd) {
                finding.check = Check::host_pointer;
            } else {
                finding.nearest = execution.memory.nearest(region ? outside(*region) : at);
            }
        }
    }
    const Region* region = region_at(warp, at, finding.space);
    Space held_in = region && finding.space != Space::local ? region->space : finding.space;
    // Past the end of a constant variable, where nothing is: it is that variable's index.
    if (!region && insn.space == Space::constant && finding.nearest) {
        const Region* const near = execution.memory.find(finding.nearest->allocation.base);
        if (near && near->space == Space::constant) held_in = Space::constant;
    }
    if (finding.check == Check::out_of_bounds && !reaches(insn, held_in, access)) {
        finding.check = Check::host_pointer;
        finding.nearest.reset();
        finding.space = held_in;
        const bool read_only = held_in == Space::constant || held_in == Space::parameter;
        using Why = cause::BadPointer::Why;
        finding.cause = cause::BadPointer{
            finding.is_write && read_only ? Why::read_only : Why::other_space, ""};
    }
    return finding;
}

/// Lanes that made the same mistake in one instruction.
struct Offence {
    Check check{};
    Mask lanes = 0;
    Finding finding;
};

class Offences {
public:
    /// `describe` makes the finding, if this is the first lane that offends so.
    template <class Describe>
    void add(unsigned lane, Check check, Describe describe) {
        for (auto& offence : list_) {
            if (offence.check != check) continue;
            offence.lanes |= Mask{1} << lane;
            return;
        }
        list_.push_back({check, Mask{1} << lane, describe()});
    }
    void report_all(Warp& warp, const Insn& insn) {
        UnsetValues* const unset = warp.execution->unset;
        for (auto& offence : list_) {
            if (unset && offence.check == Check::uninitialized_read &&
                unset->follow(warp, insn, offence.lanes, offence.finding))
                continue;
            offence.finding.occurrences = lane_count(offence.lanes);
            report(warp, std::move(offence.finding),
                   static_cast<unsigned>(__builtin_ctz(offence.lanes)));
            if (offence.check == Check::uninitialized_read) continue;
            warp.execution->outcome = offence.check == Check::misaligned
                                          ? Outcome::misaligned_address
                                          : Outcome::illegal_address;
        }
    }

private:
    std::vector<Offence> list_;
};

void update_shadow(Warp& warp, const Insn& insn, const Place& place, unsigned lane,
                   std::uint32_t bytes, Access access) {
    Region& region = *place.region;
    const AccessEvent event = event_of(warp, insn, region);
    const auto loud = [] { return false; };
    // A volatile access of shared memory is no more than a plain one: it orders no lanes.
    const bool strong = insn.strong && (region.pages || access == Access::atomic);
    const bool in_block = insn.in_block && region.space == Space::global;
    open_pages(warp, region, place.offset, bytes, in_block || access != Access::read);
    if (in_block)
        shadow_lane<Shadowing::strong_in_block>(event, lane, place.offset, bytes, loud);
    else if (access == Access::atomic || (strong && access == Access::write))
        shadow_lane<Shadowing::strong>(event, lane, place.offset, bytes, loud);
    else if (access == Access::write)
        shadow_lane<Shadowing::write>(event, lane, place.offset, bytes, loud);
    else if (strong)
        shadow_lane<Shadowing::strong_read>(event, lane, place.offset, bytes, loud);
    else
        shadow_lane<Shadowing::read>(event, lane, place.offset, bytes, loud);
}

/// As the shortcuts say it (execute/ops/shadow_rows.h, Reach).
bool are_pages_apart(Mask lanes, const std::array<Place, kWarpSize>& places, std::uint32_t bytes) {
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t offset = places[static_cast<std::size_t>(__builtin_ctz(rest))].offset;
        lowest = std::min(lowest, offset);
        highest = std::max(highest, offset);
    }
    return ((highest + bytes - 1) >> kPageShift) - (lowest >> kPageShift) >= kFewPages;
}

/// One lane that loads the same place again and again, and does nothing else in memory, waits for
/// another block. How often it looks is up to the order in which blocks run here: a GPU's looks a
/// few times, and they are not what the launch takes.
bool polls_again(Warp& warp, const Insn& insn, Address base, Mask lanes,
                 const std::array<Place, kWarpSize>& places) {
    const bool polls = insn.strong && insn.kind == Kind::load && lane_count(lanes) == 1;
    const Address place =
        polls ? base + places[static_cast<std::size_t>(__builtin_ctz(lanes))].offset : 0;
    return std::exchange(warp.polled, place) == place && polls;
}

/// Each sector once.
void count_uncached(Execution& execution, Mask lanes, Address base,
                    const std::array<Place, kWarpSize>& places) {
    std::array<Address, kWarpSize> seen;
    auto end = seen.begin();
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
        const Address sector = (base + places[lane].offset) / 32 * 32;
        if (std::find(seen.begin(), end, sector) != end) continue;
        *end++ = sector;
        execution.uncached_loads.add(sector, 1, false);
    }
}

/// Counts the accesses of `lanes`, which all lie in `region`.
void count(Warp& warp, const Insn& insn, const Region& region, Mask lanes,
           const std::array<Place, kWarpSize>& places, std::uint32_t bytes) {
    std::array<std::uint32_t, kWarpSize> distance{};
    const std::uint64_t begin =
        places[static_cast<std::size_t>(__builtin_ctz(lanes))].offset & ~std::uint64_t{31};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        distance[lane] = static_cast<std::uint32_t>(places[lane].offset - begin);
    Tally& tally = warp.execution->tallies[insn.pc];
    const std::uint64_t accesses = lane_count(lanes);
    switch (region.space) {
        case Space::global: {
            ++tally.global_requests;
            if (insn.kind == Kind::atomic) {
                tally.global_sectors += insn.one_by_one ? sectors_one_by_one(distance.data(), lanes)
                                                        : sectors(distance.data(), lanes);
            } else {
                const std::uint32_t all = sectors(distance.data(), lanes);
                tally.global_sectors += all;
                tally.global_passes += passes(distance.data(), lanes, all);
                if (are_pages_apart(lanes, places, bytes)) tally.scattered_sectors += all;
            }
            if (!polls_again(warp, insn, region.base, lanes, places) && insn.strong &&
                insn.kind == Kind::load)
                count_uncached(*warp.execution, lanes, region.base, places);
            tally.global_lanes += accesses;
            if (warp.block->is_l1_sample && insn.kind != Kind::atomic) {
                warp.block->l1_sample.begin_request(warp.index);
                for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
                    const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
                    warp.block->l1_sample.add(warp.index, region.base + places[lane].offset,
                                              insn.kind == Kind::store);
                }
            }
            break;
        }
        case Space::shared:
            if (insn.kind == Kind::load) bytes = insn.counted_bytes;
            if (bytes == 0) break;
            ++tally.shared_requests;
            tally.shared_wavefronts += insn.one_by_one ? retry_wavefronts(distance.data(), lanes)
                                                       : wavefronts(distance.data(), lanes, bytes);
            tally.shared_lanes += accesses;
            break;
        case Space::local:
            ++tally.local_requests;
            tally.local_sectors += (accesses * bytes + 31) / 32;
            break;
        default:
            break;
    }
}

}  // namespace

Mask locate(Warp& warp, const Insn& insn, Mask active, const Addresses& at, std::uint32_t bytes,
            Access access, HostPointers& where) {
    if (active == 0) return 0;
    Offences offences;
    Mask fine = 0;
    Execution& execution = *warp.execution;
    Region*& memo = warp.memo[insn.pc];
    std::array<Place, kWarpSize> places;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Address address = at.lane[lane];
        std::optional<Place> place;
        if (memo && memo->contains(address, bytes)) {
            place = Place{memo, address - memo->base};
        } else if (const Space space = space_of(address); space == Space::local) {
            if (reaches(insn, space, access)) place = local_place(warp, lane, address, bytes);
        } else if (Region* region = region_at(warp, address, space);
                   region && reaches(insn, region->space, access)) {
            place = place_in(*region, address, bytes);
            // Loads and stores take no shortcut past a guard; atomic operations have none.
            if (place && (!region->guard || access == Access::atomic)) memo = region;
        }
        const auto simple = [&](Check check) {
            Finding finding = finding_at(warp, insn, check, lane);
            finding.address = address;
            finding.access_bytes = bytes;
            finding.space = space_of(address);
            finding.is_write = access != Access::read && check != Check::uninitialized_read;
            return finding;
        };
        // As on a GPU: an access that begins in memory and is not aligned is that, wherever it
        // ends.
        const auto begins_in_memory = [&] {
            const Region* region = region_at(warp, address, space_of(address));
            return region && region->live && region->contains(address, 1);
        };
        if (!place && !(address % bytes != 0 && begins_in_memory())) {
            const Finding finding = diagnose(warp, insn, lane, address, bytes, access);
            offences.add(lane, finding.check, [&] { return finding; });
            continue;
        }
        if (address % bytes != 0) {
            offences.add(lane, Check::misaligned, [&] { return simple(Check::misaligned); });
            continue;
        }
        if (const Guard* guard = place->region->guard) {
            const Permissions needed{access == Access::read, access == Access::write,
                                     access == Access::atomic};
            if (const auto objection = guard->objection(address, bytes, needed)) {
                offences.add(lane, Check::forbidden, [&] {
                    Finding finding = simple(Check::forbidden);
                    finding.nearest = Nearest{place->region->allocation(), 0};
                    finding.cause = *objection;
                    return finding;
                });
                continue;
            }
        }
        const PageLock hold(execution.pages, *place->region, place->offset, bytes);
        if (access != Access::write && insn.space != Space::parameter && !insn.overwrites &&
            !is_written(*place, insn, bytes) && !may_read_unwritten(warp, insn, address, access)) {
            offences.add(lane, Check::uninitialized_read, [&] {
                Finding finding = simple(Check::uninitialized_read);
                if (memo && memo->contains(address, bytes))
                    finding.nearest = Nearest{memo->allocation(), 0};
                if (place->region->space == Space::global)
                    if (const auto written = bytes_written(execution, *place->region); written != 0)
                        finding.cause = cause::PartlyWritten{written, place->region->size_bytes};
                return finding;
            });
        }
        if (has_shadow(*place->region) && !execution.checker)
            update_shadow(warp, insn, *place, lane, bytes, access);
        else if (access != Access::read)
            open_pages(warp, *place->region, place->offset, bytes, true);
        if (place->region->written && access != Access::read)
            mark_written(place->region->written, place->offset, bytes);
        where.lane[lane] = place->data();
        where.page[lane] = page_of(*place);
        places[lane] = *place;
        fine |= Mask{1} << lane;
    }
    // Nearly always all lanes' accesses lie in one region.
    for (Mask rest = fine; rest != 0;) {
        const Region* region = places[static_cast<std::size_t>(__builtin_ctz(rest))].region;
        Mask here = 0;
        for (Mask other = rest; other != 0; other &= other - 1)
            if (const int lane = __builtin_ctz(other);
                places[static_cast<std::size_t>(lane)].region == region)
                here |= Mask{1} << lane;
        count(warp, insn, *region, here, places, bytes);
        rest &= ~here;
    }
    offences.report_all(warp, insn);
    return fine;
}

Space space_of(Address at) {
    if (in_window(at, kSharedWindow)) return Space::shared;
    if (in_window(at, kLocalWindow)) return Space::local;
    if (in_window(at, kParameterWindow)) return Space::parameter;
    return Space::global;
}

void tell_watchers(Warp& warp, const Insn& insn, Mask active, const Addresses& at,
                   std::uint32_t bytes, Access access, const NewBytes* values) {
    if (Recorder* const recorder = warp.execution->recorder)
        recorder->access(warp, insn, active, at, bytes, access);
    if (!warp.execution->checker) return;
    HappensBeforeChecker& checker = *warp.execution->checker;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Space space = space_of(at.lane[lane]);
        if (space != Space::global && space != Space::shared) continue;
        Region* region = warp.memo[insn.pc];
        if (!region || !region->contains(at.lane[lane], bytes))
            region = region_at(warp, at.lane[lane], space);
        if (!region || !region->live || !region->contains(at.lane[lane], bytes)) continue;
        const std::uint64_t offset = at.lane[lane] - region->base;
        checker.access({warp.block->number, warp.block->index, &warp, &insn, lane, region, offset,
                        bytes, access != Access::write, access != Access::read,
                        access == Access::atomic, values ? values->lane[lane] : nullptr});
    }
}

bool is_of_block(Address at) {
    const Space space = space_of(at);
    return space == Space::shared || space == Space::local;
}

bool is_unset(Warp& warp, unsigned lane, Address at, std::uint32_t bytes) {
    const auto place = place_of_block(warp, lane, at, bytes);
    return place && !all_written(place->region->written, place->offset, bytes);
}

void mark_unset(Warp& warp, unsigned lane, Address at, std::uint32_t bytes) {
    const auto place = place_of_block(warp, lane, at, bytes);
    if (place) mark_unwritten(place->region->written, place->offset, bytes);
}

const std::byte* peek(Warp& warp, unsigned lane, Address at, std::uint64_t bytes) {
    const Space space = space_of(at);
    if (space == Space::local) {
        const auto place = local_place(warp, lane, at, bytes);
        return place ? place->data() : nullptr;
    }
    Region* region = region_at(warp, at, space);
    if (!region) return nullptr;
    const auto place = place_in(*region, at, bytes);
    return place ? place->data() : nullptr;
}

}  // namespace vgpu
