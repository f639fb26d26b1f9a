// Loads and stores. Operands: [0] to [3] the elements, [4] the base address.
//
// Three ways, fastest first: all lanes side by side or at one place; anywhere in the region that
// this instruction hit last time; and locate() (execute/checked_access.h) for the rest, and for
// whatever is wrong.
#include "execute/ops/families.h"
#include "execute/ops/shadow_lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

/// The elements of a load or store, whatever their type.
struct AnyElements {
    Warp& w;
    const Insn& i;
    const u32 bytes;  // a lane

    AnyElements(Warp& warp, const Insn& insn, std::size_t element)
        : w(warp), i(insn), bytes(u32(element) * insn.vector) {}

    /// Lanes side by side, from `from` on.
    virtual void load_row(const std::byte* from) const = 0;
    virtual void store_row(std::byte* to) const = 0;
    /// One place for all.
    virtual void load_everywhere(const std::byte* from) const = 0;
    virtual void load_lanes(const Region&, Mask active, const Offsets&) const = 0;
    virtual void store_lanes(const Region&, Mask active, const Offsets&) const = 0;
    virtual void load_lane(unsigned l, const std::byte* from) const = 0;
    virtual void store_lane(unsigned l, std::byte* to) const = 0;
    /// Whether a lane would store what is there already.
    virtual bool is_silent(unsigned l, const std::byte* there) const = 0;
    /// What the lanes are about to store, as it will lie in memory.
    void pack(NewBytes& packed) const {
        for (unsigned l = 0; l < kWarpSize; ++l) store_lane(l, packed.lane[l]);
    }

protected:
    ~AnyElements() = default;
};

/// T: the type in memory; R: the lanes of the register. Whoever knows this type inlines its
/// functions.
template <class T, class R>
struct Elements final : AnyElements {
    Elements(Warp& warp, const Insn& insn) : AnyElements(warp, insn, sizeof(T)) {}

    [[gnu::always_inline]] void load_row(const std::byte* from) const override {
        const u32 count = i.vector;
        for (u32 k = 0; k < count; ++k) {
            R* d = w.lanes<R>(i.operand[k]);
            const T* elements = reinterpret_cast<const T*>(from) + k;
            if (count == 1)
                for (unsigned l = 0; l < kWarpSize; ++l) d[l] = R(elements[l]);
            else
                for (unsigned l = 0; l < kWarpSize; ++l) d[l] = R(elements[l * count]);
        }
    }
    [[gnu::always_inline]] void store_row(std::byte* to) const override {
        const u32 count = i.vector;
        for (u32 k = 0; k < count; ++k) {
            const R* value = w.lanes<R>(i.operand[k]);
            T* elements = reinterpret_cast<T*>(to) + k;
            if (count == 1)
                for (unsigned l = 0; l < kWarpSize; ++l) elements[l] = T(value[l]);
            else
                for (unsigned l = 0; l < kWarpSize; ++l) elements[l * count] = T(value[l]);
        }
    }
    [[gnu::always_inline]] void load_everywhere(const std::byte* from) const override {
        for (u32 k = 0; k < i.vector; ++k) {
            const R value = R(reinterpret_cast<const T*>(from)[k]);
            R* d = w.lanes<R>(i.operand[k]);
            for (unsigned l = 0; l < kWarpSize; ++l) d[l] = value;
        }
    }
    [[gnu::always_inline]] void load_lanes(const Region& region, Mask active,
                                           const Offsets& offsets) const override {
        for (u32 k = 0; k < i.vector; ++k) {
            const std::byte* elements = region.data + k * sizeof(T);
            each_lane(w.lanes<R>(i.operand[k]), active, [&](unsigned l) {
                return R(*reinterpret_cast<const T*>(elements + offsets.lane[l]));
            });
        }
    }
    [[gnu::always_inline]] void store_lanes(const Region& region, Mask active,
                                            const Offsets& offsets) const override {
        for (u32 k = 0; k < i.vector; ++k) {
            const R* value = w.lanes<R>(i.operand[k]);
            std::byte* elements = region.data + k * sizeof(T);
            visit_lanes(active, [&](unsigned l) {
                *reinterpret_cast<T*>(elements + offsets.lane[l]) = T(value[l]);
            });
        }
    }
    void load_lane(unsigned l, const std::byte* from) const override {
        for (u32 k = 0; k < i.vector; ++k)
            w.lanes<R>(i.operand[k])[l] = R(reinterpret_cast<const T*>(from)[k]);
    }
    void store_lane(unsigned l, std::byte* to) const override {
        for (u32 k = 0; k < i.vector; ++k)
            reinterpret_cast<T*>(to)[k] = T(w.lanes<R>(i.operand[k])[l]);
    }
    bool is_silent(unsigned l, const std::byte* there) const override {
        for (u32 k = 0; k < i.vector; ++k)
            if (reinterpret_cast<const T*>(there)[k] != T(w.lanes<R>(i.operand[k])[l]))
                return false;
        return true;
    }
};

/// Whether all of a range was written; of shared memory's read-shared rows that is known.
[[gnu::always_inline]] inline bool is_range_written(const Warp& w, const Region& region, u64 offset,
                                                    u32 bytes) {
    return !region.written || is_read_shared_row(w, region, offset, bytes) ||
           all_written(region.written, offset, bytes);
}

constexpr auto kNeverSilent = [](unsigned) { return false; };

template <class SomeElements>
[[gnu::always_inline]] inline Flow load_elements(const SomeElements& elements, Mask active) {
    Warp& w = elements.w;
    const Insn& i = elements.i;
    const u32 bytes = elements.bytes;
    Addresses at;
    addresses(w, i, at);
    if (w.execution->is_watched()) [[unlikely]]
        tell_watchers(w, i, active, at, bytes, Access::read, nullptr);
    if (active == kAllLanes && has_stride(at, bytes)) {
        const u32 all = kWarpSize * bytes;
        if (Region* region = region_of_range(w, i, at.lane[0], all, bytes)) {
            const u64 offset = at.lane[0] - region->base;
            const PageLock hold(w.execution->pages, *region, offset, all);
            if (is_range_written(w, *region, offset, all)) {
                shadow_range<Shadowing::read>(w, i, *region, offset, all, bytes, kNeverSilent);
                count_request(w, i, *region, kWarpSize, (offset + all - 1) / 32 - offset / 32 + 1,
                              row_passes(i));
                sample_row(w, i, *region, offset, all);
                elements.load_row(region->data + offset);
                return Flow::next;
            }
        }
    } else if (active == kAllLanes && has_stride(at, 0)) {
        if (Region* region = region_of_range(w, i, at.lane[0], bytes, bytes)) {
            const u64 offset = at.lane[0] - region->base;
            const PageLock hold(w.execution->pages, *region, offset, bytes);
            if (is_range_written(w, *region, offset, bytes)) {
                shadow_broadcast(w, i, *region, offset, bytes);
                count_request(w, i, *region, kWarpSize, 1, i.counted_bytes <= 8 ? 1 : 2);
                sample_row(w, i, *region, offset, bytes);
                elements.load_everywhere(region->data + offset);
                return Flow::next;
            }
        }
    }
    Offsets offsets;
    if (Region* region = common_region(w, i, active, at, bytes, offsets)) {
        const Reach reach = reach_of(active, offsets, bytes);
        if (reach.is_far()) fetch(*region, offsets);
        look_at_pattern(w, i, *region, active, offsets);
        if (is_alone(w.execution->pages, *region) || reach.is_near()) {
            const PageLock hold(w.execution->pages, *region, reach.begin, reach.bytes);
            const Pages pages = look_at_pages<false>(w, *region, offsets, reach);
            if (pages.are_whole || all_lanes_written(*region, offsets, active, bytes)) {
                count_pattern(w, i, *region, active, offsets, reach.is_near());
                shadow_lanes<Shadowing::read>(w, i, *region, active, offsets, reach, pages, bytes,
                                              kNeverSilent, [](unsigned) {});
                elements.load_lanes(*region, active, offsets);
                return Flow::next;
            }
        } else if (each_lane_held<Shadowing::read>(
                       w, i, *region, active, offsets, bytes, kNeverSilent, [&](unsigned l) {
                           elements.load_lane(l, region->data + offsets.lane[l]);
                       }) == 0) {
            count_pattern(w, i, *region, active, offsets, reach.is_near());
            return Flow::next;
        }
    }
    HostPointers where;
    const Mask fine = locate(w, i, active, at, bytes, Access::read, where);
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const auto l = unsigned(__builtin_ctz(rest));
        const PageLock hold(w.execution->pages, where.page[l]);
        elements.load_lane(l, where.lane[l]);
    }
    return fine == active ? Flow::next : Flow::stop;
}

template <class SomeElements>
[[gnu::always_inline]] inline Flow store_elements(const SomeElements& elements, Mask active) {
    Warp& w = elements.w;
    const Insn& i = elements.i;
    const u32 bytes = elements.bytes;
    Addresses at;
    addresses(w, i, at);
    if (w.execution->is_watched()) [[unlikely]] {
        NewBytes values;
        elements.pack(values);
        tell_watchers(w, i, active, at, bytes, Access::write, &values);
    }
    if (active == kAllLanes && has_stride(at, bytes)) {
        const u32 all = kWarpSize * bytes;
        if (Region* region = region_of_range(w, i, at.lane[0], all, bytes)) {
            const u64 offset = at.lane[0] - region->base;
            const PageLock hold(w.execution->pages, *region, offset, all);
            shadow_range<Shadowing::write>(w, i, *region, offset, all, bytes, [&](unsigned l) {
                return elements.is_silent(l, region->data + offset + l * bytes);
            });
            count_request(w, i, *region, kWarpSize, (offset + all - 1) / 32 - offset / 32 + 1,
                          row_passes(i));
            sample_row(w, i, *region, offset, all);
            elements.store_row(region->data + offset);
            return Flow::next;
        }
    }
    Offsets offsets;
    if (Region* region = common_region(w, i, active, at, bytes, offsets)) {
        const Reach reach = reach_of(active, offsets, bytes);
        if (reach.is_far()) fetch(*region, offsets);
        look_at_pattern(w, i, *region, active, offsets);
        count_pattern(w, i, *region, active, offsets, reach.is_near());
        const auto is_silent = [&](unsigned l) {
            return elements.is_silent(l, region->data + offsets.lane[l]);
        };
        // Where several lanes write the same place, the last one wins.
        const auto put = [&](unsigned l) {
            elements.store_lane(l, region->data + offsets.lane[l]);
        };
        if (is_alone(w.execution->pages, *region) || reach.is_near()) {
            const PageLock hold(w.execution->pages, *region, reach.begin, reach.bytes);
            const Pages pages = look_at_pages<true>(w, *region, offsets, reach);
            if (shadow_lanes<Shadowing::write>(w, i, *region, active, offsets, reach, pages, bytes,
                                               is_silent, put))
                elements.store_lanes(*region, active, offsets);
        } else {
            each_lane_held<Shadowing::write>(w, i, *region, active, offsets, bytes, is_silent, put);
        }
        return Flow::next;
    }
    HostPointers where;
    const Mask fine = locate(w, i, active, at, bytes, Access::write, where);
    for (Mask rest = fine; rest != 0; rest &= rest - 1) {
        const auto l = unsigned(__builtin_ctz(rest));
        const PageLock hold(w.execution->pages, where.page[l]);
        elements.store_lane(l, where.lane[l]);
    }
    return fine == active ? Flow::next : Flow::stop;
}

/// For types that kernels access often.
template <class T, class R>
Flow load(Warp& w, const Insn& i, Mask active) {
    return load_elements(Elements<T, R>(w, i), active);
}
template <class T, class R>
Flow store(Warp& w, const Insn& i, Mask active) {
    return store_elements(Elements<T, R>(w, i), active);
}

/// For all others together: a compiler takes some 3 s for each instance of what is above.
[[gnu::noinline]] Flow load_any(const AnyElements& elements, Mask active) {
    return load_elements(elements, active);
}
[[gnu::noinline]] Flow store_any(const AnyElements& elements, Mask active) {
    return store_elements(elements, active);
}
template <class T, class R>
Flow load_other(Warp& w, const Insn& i, Mask active) {
    return load_any(Elements<T, R>(w, i), active);
}
template <class T, class R>
Flow store_other(Warp& w, const Insn& i, Mask active) {
    return store_any(Elements<T, R>(w, i), active);
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

/// T in memory, R in the register, whose width alone matters.
template <class T, class R>
constexpr FormRow row(Job job, Handler execute) {
    constexpr Value kRegister = register_value(sizeof(R));
    if (job == Job::store) return {{job, kValue<T>, kRegister}, execute};
    return {{job, kRegister, kValue<T>}, execute};
}

constexpr FormRow kForms[] = {
    row<u8, u32>(Job::load, load_other<u8, u32>),
    row<s8, s32>(Job::load, load_other<s8, s32>),
    row<u16, u32>(Job::load, load_other<u16, u32>),
    row<s16, s32>(Job::load, load_other<s16, s32>),
    row<u32, u32>(Job::load, load<u32, u32>),
    row<u8, u64>(Job::load, load_other<u8, u64>),
    row<s8, s64>(Job::load, load_other<s8, s64>),
    row<u16, u64>(Job::load, load_other<u16, u64>),
    row<s16, s64>(Job::load, load_other<s16, s64>),
    row<u32, u64>(Job::load, load_other<u32, u64>),
    row<s32, s64>(Job::load, load_other<s32, s64>),
    row<u64, u64>(Job::load, load<u64, u64>),
    row<u8, u32>(Job::store, store_other<u8, u32>),
    row<u16, u32>(Job::store, store_other<u16, u32>),
    row<u32, u32>(Job::store, store<u32, u32>),
    row<u8, u64>(Job::store, store_other<u8, u64>),
    row<u16, u64>(Job::store, store_other<u16, u64>),
    row<u32, u64>(Job::store, store_other<u32, u64>),
    row<u64, u64>(Job::store, store<u64, u64>),
    row<u8, u32>(Job::load_parameter, load_parameter<u8, u32>),
    row<s8, s32>(Job::load_parameter, load_parameter<s8, s32>),
    row<u16, u32>(Job::load_parameter, load_parameter<u16, u32>),
    row<s16, s32>(Job::load_parameter, load_parameter<s16, s32>),
    row<u32, u32>(Job::load_parameter, load_parameter<u32, u32>),
    row<u8, u64>(Job::load_parameter, load_parameter<u8, u64>),
    row<s8, s64>(Job::load_parameter, load_parameter<s8, s64>),
    row<u16, u64>(Job::load_parameter, load_parameter<u16, u64>),
    row<s16, s64>(Job::load_parameter, load_parameter<s16, s64>),
    row<u32, u64>(Job::load_parameter, load_parameter<u32, u64>),
    row<s32, s64>(Job::load_parameter, load_parameter<s32, s64>),
    row<u64, u64>(Job::load_parameter, load_parameter<u64, u64>),
};

}  // namespace

FormRows access_forms() {
    return {kForms, std::size(kForms)};
}

}  // namespace vgpu::VGPU_ISA
