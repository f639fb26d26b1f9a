// Checked access to every kind of memory. See access.h.
#include "vgpu/machine/access.h"

#include <algorithm>
#include <array>

#include "vgpu/machine/execution.h"
#include "vgpu/machine/written_bits.h"

namespace vgpu {
namespace {

/// The window of a state space also takes addresses below it, as a negative index gives.
bool in_window(Address at, Address window) {
    return at - (window - kSpaceWindowBytes / 2) < kSpaceWindowBytes;
}

Space space_of(Address at) {
    if (in_window(at, kSharedWindow)) return Space::shared;
    if (in_window(at, kLocalWindow)) return Space::local;
    if (in_window(at, kParameterWindow)) return Space::parameter;
    return Space::global;
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
    std::byte* data = nullptr;
    std::uint64_t* written = nullptr;
    std::uint64_t offset = 0;
};

/// Whether every byte that the program uses of this access was written.
bool is_written(const Place& place, const Insn& insn, std::uint32_t bytes) {
    if (!place.written || all_written(place.written, place.offset, bytes)) return true;
    if (insn.used_bytes == ~std::uint32_t{0}) return false;
    for (std::uint32_t byte = 0; byte < bytes; ++byte)
        if ((insn.used_bytes >> byte & 1) != 0 &&
            !all_written(place.written, place.offset + byte, 1))
            return false;
    return true;
}

std::optional<Place> place_in(const Region& region, Address at, std::uint64_t bytes) {
    if (!region.live || !region.contains(at, bytes)) return {};
    return Place{region.data + (at - region.base), region.written, at - region.base};
}

std::optional<Place> local_place(Warp& warp, unsigned lane, Address at, std::uint64_t bytes) {
    LocalMemory& local = warp.block->local;
    const std::uint64_t offset = at - kLocalWindow;
    if (offset >= local.bytes_a_thread || bytes > local.bytes_a_thread - offset) return {};
    const std::uint64_t thread = std::uint64_t{warp.index} * kWarpSize + lane;
    const std::uint64_t begin = thread * local.stride + offset;
    return Place{local.data.data() + begin, local.written.data(), begin};
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
    const Space held_in = region && finding.space != Space::local ? region->space : finding.space;
    if (finding.check == Check::out_of_bounds && !reaches(insn, held_in, access)) {
        finding.check = Check::host_pointer;
        finding.nearest.reset();
        finding.space = held_in;
        const bool read_only = held_in == Space::constant || held_in == Space::parameter;
        finding.detail = finding.is_write && read_only
                             ? "constant memory and parameters cannot be written"
                             : "the address belongs to another state space";
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
    void report_all(const Warp& warp) {
        for (auto& offence : list_) {
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

std::uint32_t count_sectors(const Addresses& at, Mask active) {
    std::array<std::uint64_t, kWarpSize> sectors;
    std::uint32_t count = 0;
    bool ascending = true;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t sector = at.lane[__builtin_ctz(rest)] / 32;
        if (count != 0 && sector == sectors[count - 1]) continue;
        ascending = ascending && (count == 0 || sector > sectors[count - 1]);
        sectors[count++] = sector;
    }
    if (ascending) return count;
    std::sort(sectors.begin(), sectors.begin() + count);
    return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.begin() + count) -
                                      sectors.begin());
}

}  // namespace

void count_access(Counts& counts, Space space, const Addresses& at, Mask active,
                  std::uint32_t bytes, Access access) {
    if (space == Space::shared) ++counts.shared_requests;
    if (space != Space::global) return;
    const auto lanes = lane_count(active);
    if (access == Access::atomic) {
        counts.global_atomics += lanes;
        return;
    }
    const bool read = access == Access::read;
    ++(read ? counts.global_load_requests : counts.global_store_requests);
    (read ? counts.global_load_sectors : counts.global_store_sectors) += count_sectors(at, active);
    (read ? counts.global_load_bytes : counts.global_store_bytes) += lanes * bytes;
}

Mask locate(Warp& warp, const Insn& insn, Mask active, const Addresses& at, std::uint32_t bytes,
            Access access, HostPointers& where) {
    if (active == 0) return 0;
    Offences offences;
    Mask fine = 0;
    Region*& memo = warp.memo[insn.pc];
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Address address = at.lane[lane];
        std::optional<Place> place;
        if (memo && memo->contains(address, bytes)) {
            place = Place{memo->data + (address - memo->base), memo->written, address - memo->base};
        } else if (const Space space = space_of(address); space == Space::local) {
            if (reaches(insn, space, access)) place = local_place(warp, lane, address, bytes);
        } else if (Region* region = region_at(warp, address, space);
                   region && reaches(insn, region->space, access)) {
            place = place_in(*region, address, bytes);
            if (place) memo = region;
        }
        const auto simple = [&](Check check) {
            Finding finding = finding_at(warp, insn, check, lane);
            finding.address = address;
            finding.access_bytes = bytes;
            finding.space = space_of(address);
            finding.is_write = access != Access::read && check != Check::uninitialized_read;
            return finding;
        };
        if (!place) {
            const Finding finding = diagnose(warp, insn, lane, address, bytes, access);
            offences.add(lane, finding.check, [&] { return finding; });
            continue;
        }
        if (address % bytes != 0) {
            offences.add(lane, Check::misaligned, [&] { return simple(Check::misaligned); });
            continue;
        }
        if (access != Access::write && insn.space != Space::parameter &&
            !is_written(*place, insn, bytes)) {
            offences.add(lane, Check::uninitialized_read, [&] {
                Finding finding = simple(Check::uninitialized_read);
                if (memo && memo->contains(address, bytes))
                    finding.nearest = Nearest{memo->allocation(), 0};
                return finding;
            });
        }
        if (place->written && access != Access::read)
            mark_written(place->written, place->offset, bytes);
        where.lane[lane] = place->data;
        fine |= Mask{1} << lane;
    }
    const auto first = static_cast<unsigned>(__builtin_ctz(active));
    const Space space =
        memo && memo->contains(at.lane[first], 1) ? memo->space : space_of(at.lane[first]);
    count_access(warp.execution->counts, space, at, active, bytes, access);
    offences.report_all(warp);
    return fine;
}

const std::byte* peek(Warp& warp, unsigned lane, Address at, std::uint64_t bytes) {
    const Space space = space_of(at);
    if (space == Space::local) {
        const auto place = local_place(warp, lane, at, bytes);
        return place ? place->data : nullptr;
    }
    Region* region = region_at(warp, at, space);
    if (!region) return nullptr;
    const auto place = place_in(*region, at, bytes);
    return place ? place->data : nullptr;
}

}  // namespace vgpu
