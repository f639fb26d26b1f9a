// mov: between registers, and packing a vector of small registers into a large one and back.
#include "execute/ops/families.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

template <class T>
T same(T a) {
    return a;
}

/// D = {e0, e1, ...}, e0 lowest; each element has `bits` bits in a 4-byte lane. Elements: [1], [2],
/// ...
template <class D, u32 count, u32 bits>
Flow pack(Warp& w, const Insn& i, Mask active) {
    const u32* e[count];
    for (u32 k = 0; k < count; ++k) e[k] = w.lanes<u32>(i.operand[k + 1]);
    constexpr u64 ones = (u64{1} << bits) - 1;
    each_lane(w.lanes<D>(i.operand[0]), active, [&](unsigned l) {
        D value = 0;
        for (u32 k = 0; k < count; ++k) value |= D(D(e[k][l] & ones) << (k * bits));
        return value;
    });
    return Flow::next;
}

/// {e0, e1, ...} = S; elements [0], [1], ..., the source [4]. The source is read whole first: its
/// register may be one of the elements'.
template <class S, u32 count, u32 bits>
Flow unpack(Warp& w, const Insn& i, Mask active) {
    S a[kWarpSize];
    const S* source = w.lanes<S>(i.operand[4]);
    for (unsigned l = 0; l < kWarpSize; ++l) a[l] = source[l];
    constexpr u64 ones = (u64{1} << bits) - 1;
    for (u32 k = 0; k < count; ++k)
        each_lane(w.lanes<u32>(i.operand[k]), active,
                  [&](unsigned l) { return u32(a[l] >> (k * bits) & ones); });
    return Flow::next;
}

constexpr Row kRows[] = {
    lanewise<same<f32>>("mov.f32"),
    lanewise<same<f64>>("mov.f64"),
};

/// Between a register of D and `count` smaller ones.
template <class D, u32 count>
constexpr Form form(Job job) {
    constexpr Value kLarge = register_value(sizeof(D));
    return {job, kLarge, {}, count};
}

constexpr FormRow kForms[] = {
    {form<u32, 1>(Job::move), lanewise<same<u32>>("mov").execute},
    {form<u64, 1>(Job::move), lanewise<same<u64>>("mov").execute},
    {form<u32, 2>(Job::pack), pack<u32, 2, 16>},
    {form<u64, 2>(Job::pack), pack<u64, 2, 32>},
    {form<u64, 4>(Job::pack), pack<u64, 4, 16>},
    {form<u32, 4>(Job::pack), pack<u32, 4, 8>},
    {form<u32, 2>(Job::unpack), unpack<u32, 2, 16>},
    {form<u64, 2>(Job::unpack), unpack<u64, 2, 32>},
    {form<u64, 4>(Job::unpack), unpack<u64, 4, 16>},
    {form<u32, 4>(Job::unpack), unpack<u32, 4, 8>},
};

}  // namespace

Rows move_rows() {
    return {kRows, std::size(kRows)};
}

FormRows move_forms() {
    return {kForms, std::size(kForms)};
}

}  // namespace vgpu::VGPU_ISA
