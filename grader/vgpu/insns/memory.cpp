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

/// The host's copy of [at, at + bytes) if the access may go ahead unseen.
[[gnu::always_inline]] inline std::byte* harmless(Warp& w, const Insn& i, Address at, u32 bytes,
                                                  u32 lane_bytes, Access access) {
    const Region* region = w.memo[i.pc];
    if (!region || !region->contains(at, bytes) || (at & (lane_bytes - 1)) != 0) return nullptr;
    const u64 offset = at - region->base;
    if (region->written) {
        if (access == Access::write)
            mark_written(region->written, offset, bytes);
        else if (!all_written(region->written, offset, bytes))
            return nullptr;
    }
    Counts& counts = w.execution->counts;
    if (region->space == Space::global) {
        const u64 sectors = (at + bytes - 1) / 32 - at / 32 + 1;
        if (access == Access::read) {
            ++counts.global_load_requests;
            counts.global_load_sectors += sectors;
            counts.global_load_bytes += u64{kWarpSize} * lane_bytes;
        } else {
            ++counts.global_store_requests;
            counts.global_store_sectors += sectors;
            counts.global_store_bytes += u64{kWarpSize} * lane_bytes;
        }
    } else if (region->space == Space::shared) {
        ++counts.shared_requests;
    }
    return region->data + offset;
}

/// Where the active lanes' accesses lie in the region that the instruction hit last time; inactive
/// lanes get 0.
struct Offsets {
    alignas(64) u64 lane[kWarpSize];
};

/// That region, if it holds all active lanes' accesses and they are aligned; else null.
[[gnu::always_inline]] inline const Region* common_region(Warp& w, const Insn& i, Mask active,
                                                          const Addresses& at, u32 bytes,
                                                          Offsets& offsets) {
    const Region* region = w.memo[i.pc];
    if (!region || region->size_bytes < bytes || active == 0) return nullptr;
    const u64 base = region->base, last = region->size_bytes - bytes;
    u64 wrong = 0;
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
    u64 missing = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const u64 o = offsets.lane[l];
        const u64 lacks = ~(region.written[o / 64] >> (o % 64)) & ones;
        missing |= (active & kLaneBit[l]) != 0 ? lacks : 0;
    }
    return missing == 0;
}

/// T: the type in memory; R: the lanes of the register.
template <class T, class R>
Flow load(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    addresses(w, i, at);
    const u32 count = i.vector, bytes = u32(sizeof(T)) * count;
    const std::byte* data = nullptr;
    if (active == kAllLanes && has_stride(at, bytes)) {
        if ((data = harmless(w, i, at.lane[0], kWarpSize * bytes, bytes, Access::read))) {
            for (u32 k = 0; k < count; ++k) {
                R* d = w.lanes<R>(i.operand[k]);
                const T* elements = reinterpret_cast<const T*>(data) + k;
                if (count == 1)
                    for (unsigned l = 0; l < kWarpSize; ++l) d[l] = R(elements[l]);
                else
                    for (unsigned l = 0; l < kWarpSize; ++l) d[l] = R(elements[l * count]);
            }
            return Flow::next;
        }
    } else if (active == kAllLanes && has_stride(at, 0)) {
        if ((data = harmless(w, i, at.lane[0], bytes, bytes, Access::read))) {
            for (u32 k = 0; k < count; ++k) {
                const R value = R(reinterpret_cast<const T*>(data)[k]);
                R* d = w.lanes<R>(i.operand[k]);
                for (unsigned l = 0; l < kWarpSize; ++l) d[l] = value;
            }
            return Flow::next;
        }
    }
    Offsets offsets;
    const Region* region = common_region(w, i, active, at, bytes, offsets);
    if (region && all_lanes_written(*region, offsets, active, bytes)) {
        count_access(w.execution->counts, region->space, at, active, bytes, Access::read);
        for (u32 k = 0; k < count; ++k) {
            const std::byte* elements = region->data + k * sizeof(T);
            each_lane(w.lanes<R>(i.operand[k]), active, [&](unsigned l) {
                return R(*reinterpret_cast<const T*>(elements + offsets.lane[l]));
            });
        }
        return Flow::next;
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

template <class T, class R>
Flow store(Warp& w, const Insn& i, Mask active) {
    Addresses at;
    addresses(w, i, at);
    const u32 count = i.vector, bytes = u32(sizeof(T)) * count;
    if (active == kAllLanes && has_stride(at, bytes)) {
        std::byte* data = harmless(w, i, at.lane[0], kWarpSize * bytes, bytes, Access::write);
        if (data) {
            for (u32 k = 0; k < count; ++k) {
                const R* value = w.lanes<R>(i.operand[k]);
                T* elements = reinterpret_cast<T*>(data) + k;
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
    if (const Region* region = common_region(w, i, active, at, bytes, offsets)) {
        count_access(w.execution->counts, region->space, at, active, bytes, Access::write);
        const u64 ones = (u64{1} << bytes) - 1;
        for (Mask rest = active; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            const u64 o = offsets.lane[l];
            put(l, region->data + o);
            if (region->written) region->written[o / 64] |= ones << (o % 64);
        }
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
