// Integer arithmetic: add, sub, mul, mad, div, rem, min, max, sad, abs, neg and their carries; sums
// of products of bytes (dp4a, dp2a) and of their differences (vabsdiff4).
//
// PTX wraps around on overflow. Division by zero gives all ones and the smallest integer by -1
// gives itself, as the hardware's division routine does.
#include "execute/ops/families.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<Lane<T>>;
template <class T>
struct Twice;
template <>
struct Twice<s16> {
    using type = s32;
};
template <>
struct Twice<u16> {
    using type = u32;
};
template <>
struct Twice<s32> {
    using type = s64;
};
template <>
struct Twice<u32> {
    using type = u64;
};
template <>
struct Twice<s64> {
    __extension__ using type = __int128;
};
template <>
struct Twice<u64> {
    __extension__ using type = unsigned __int128;
};
template <class T>
using Wide = typename Twice<T>::type;

template <class T>
T add(T a, T b) {
    return T(Unsigned<T>(a) + Unsigned<T>(b));
}
template <class T>
T sub(T a, T b) {
    return T(Unsigned<T>(a) - Unsigned<T>(b));
}
template <class T>
T mul_lo(T a, T b) {
    return T(Unsigned<T>(a) * Unsigned<T>(b));
}
template <class T>
T mul_hi(T a, T b) {
    return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
}
template <class T>
Wide<T> mul_wide(T a, T b) {
    return Wide<T>(a) * Wide<T>(b);
}
template <class T>
T mad_lo(T a, T b, T c) {
    return add(mul_lo(a, b), c);
}
template <class T>
T mad_hi(T a, T b, T c) {
    return add(mul_hi(a, b), c);
}
template <class T>
Wide<T> mad_wide(T a, T b, Wide<T> c) {
    return add<Wide<T>>(mul_wide(a, b), c);
}
template <class T>
T clamp(s64 x) {
    return T(x < std::numeric_limits<T>::min()   ? std::numeric_limits<T>::min()
             : x > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max()
                                                 : x);
}
s32 add_sat(s32 a, s32 b) {
    return clamp<s32>(s64{a} + b);
}
s32 sub_sat(s32 a, s32 b) {
    return clamp<s32>(s64{a} - b);
}
s32 mad_hi_sat(s32 a, s32 b, s32 c) {
    return add_sat(mul_hi(a, b), c);
}

/// The low 24 bits of an operand, with its sign.
template <class T>
T low24(T a) {
    return std::is_signed_v<T> ? T(s32(u32(a) << 8) >> 8) : T(u32(a) & 0xff'ffff);
}
template <class T>
T mul24_lo(T a, T b) {
    return T(Wide<T>(low24(a)) * Wide<T>(low24(b)));
}
template <class T>
T mul24_hi(T a, T b) {
    return T((Wide<T>(low24(a)) * Wide<T>(low24(b))) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
    return add(mul24_lo(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
    return add(mul24_hi(a, b), c);
}
s32 mad24_hi_sat(s32 a, s32 b, s32 c) {
    return add_sat(mul24_hi(a, b), c);
}

template <class T>
bool overflows(T a, T b) {
    return std::is_signed_v<T> && b == T(-1) && a == std::numeric_limits<T>::min();
}
template <class T>
T div(T a, T b) {
    if (b == 0) return T(~T(0));
    return overflows(a, b) ? a : T(a / b);
}
template <class T>
T rem(T a, T b) {
    if (b == 0) return T(~T(0));
    return overflows(a, b) ? T(0) : T(a % b);
}
template <class T>
T min(T a, T b) {
    return a < b ? a : b;
}
template <class T>
T max(T a, T b) {
    return a < b ? b : a;
}
/// .relu: what is negative becomes zero.
template <class T>
T min_relu(T a, T b) {
    return max<T>(min(a, b), 0);
}
template <class T>
T max_relu(T a, T b) {
    return max<T>(max(a, b), 0);
}
/// The same for both 16-bit numbers of a register.
template <auto function>
struct InPairs;
template <class T, T (*function)(T, T)>
struct InPairs<function> {
    static u32 apply(u32 a, u32 b) {
        const auto low = u16(function(T(a), T(b)));
        return low | u32(u16(function(T(a >> 16), T(b >> 16)))) << 16;
    }
};
template <class T>
T neg(T a) {
    return sub<T>(0, a);
}
template <class T>
T abs(T a) {
    return a < 0 ? neg(a) : a;
}
template <class T>
T sad(T a, T b, T c) {
    return add<T>(c, a < b ? sub(b, a) : sub(a, b));
}

/// Byte or 16-bit field k of x, with the sign that T has.
template <class T, u32 bits>
s32 field(T x, u32 k) {
    const u32 high = u32(x) << (32 - bits - bits * k);
    return std::is_signed_v<T> ? s32(high) >> (32 - bits) : s32(high >> (32 - bits));
}
/// The sum of four products of bytes.
template <class A, class B, class C>
C dp4a(A a, B b, C c) {
    u32 sum = u32(c);
    for (u32 k = 0; k < 4; ++k) sum += u32(field<A, 8>(a, k) * field<B, 8>(b, k));
    return C(sum);
}
/// Of two products, of 16 bits and the bytes of one half of b.
template <class A, class B, class C, u32 first>
C dp2a(A a, B b, C c) {
    u32 sum = u32(c);
    for (u32 k = 0; k < 2; ++k) sum += u32(field<A, 16>(a, k) * field<B, 8>(b, first + k));
    return C(sum);
}
template <class T>
u32 byte_difference(T a, T b, u32 k) {
    const s32 difference = field<T, 8>(a, k) - field<T, 8>(b, k);
    return u32(difference < 0 ? -difference : difference);
}
template <class T>
u32 vabsdiff4(T a, T b, u32) {
    u32 bytes = 0;
    for (u32 k = 0; k < 4; ++k) bytes |= byte_difference(a, b, k) << (8 * k);
    return bytes;
}
template <class T>
u32 vabsdiff4_add(T a, T b, u32 c) {
    for (u32 k = 0; k < 4; ++k) c += byte_difference(a, b, k);
    return c;
}

/// What the .cc forms do: `Insn::option` holds these bits.
constexpr u8 kCarryIn = 1, kCarryOut = 2;

/// a + b + carry and the carry out of it, lane by lane. Subtraction adds the complement and 1, or
/// the carry instead: the flag is 1 where nothing is borrowed, also for an addc that follows (as
/// nvcc's 128-bit division has it; seen on an H200).
template <class T, bool subtract>
Flow add_carry(Warp& w, const Insn& i, Mask active) {
    T* d = w.lanes<T>(i.operand[0]);
    const T* a = w.lanes<T>(i.operand[1]);
    const T* b = w.lanes<T>(i.operand[2]);
    Mask& flag = w.predicate(i.operand[3]);
    const Mask without = subtract ? ~Mask{0} : 0;
    const Mask in = (i.option & kCarryIn) != 0 ? flag : without;
    Mask out = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        const T y = subtract ? T(~b[l]) : b[l];
        T sum, total;
        const bool c1 = __builtin_add_overflow(a[l], y, &sum);
        const bool c2 = __builtin_add_overflow(sum, T(in >> l & 1), &total);
        if (c1 || c2) out |= kLaneBit[l];
        if ((active & kLaneBit[l]) != 0) d[l] = total;
    }
    if ((i.option & kCarryOut) != 0) flag = (flag & ~active) | (out & active);
    return Flow::next;
}

/// The half of a * b that is wanted, plus c, plus carry.
template <class T, bool high>
Flow mad_carry(Warp& w, const Insn& i, Mask active) {
    T* d = w.lanes<T>(i.operand[0]);
    const T* a = w.lanes<T>(i.operand[1]);
    const T* b = w.lanes<T>(i.operand[2]);
    const T* c = w.lanes<T>(i.operand[3]);
    Mask& flag = w.predicate(i.operand[4]);
    const Mask in = (i.option & kCarryIn) != 0 ? flag : 0;
    Mask out = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) {
        // Signed and unsigned forms differ in the high half only; rows name the right one.
        const T product = high ? T(mul_hi(a[l], b[l])) : T(mul_lo(a[l], b[l]));
        std::make_unsigned_t<T> sum, total;
        using U = std::make_unsigned_t<T>;
        const bool c1 = __builtin_add_overflow(U(product), U(c[l]), &sum);
        const bool c2 = __builtin_add_overflow(sum, U(in >> l & 1), &total);
        if (c1 || c2) out |= kLaneBit[l];
        if ((active & kLaneBit[l]) != 0) d[l] = T(total);
    }
    if ((i.option & kCarryOut) != 0) flag = (flag & ~active) | (out & active);
    return Flow::next;
}

constexpr Row kRows[] = {
    lanewise<add<s16>>("add.s16"),
    lanewise<add<u16>>("add.u16"),
    lanewise<add<s32>>("add.s32"),
    lanewise<add<u32>>("add.u32"),
    lanewise<add<s64>>("add.s64"),
    lanewise<add<u64>>("add.u64"),
    lanewise<sub<s16>>("sub.s16"),
    lanewise<sub<u16>>("sub.u16"),
    lanewise<sub<s32>>("sub.s32"),
    lanewise<sub<u32>>("sub.u32"),
    lanewise<sub<s64>>("sub.s64"),
    lanewise<sub<u64>>("sub.u64"),
    lanewise<add_sat>("add.s32:sat"),
    lanewise<sub_sat>("sub.s32:sat"),

    lanewise<mul_lo<s16>>("mul.lo.s16"),
    lanewise<mul_lo<u16>>("mul.lo.u16"),
    lanewise<mul_lo<s32>>("mul.lo.s32"),
    lanewise<mul_lo<u32>>("mul.lo.u32"),
    lanewise<mul_lo<s64>>("mul.lo.s64"),
    lanewise<mul_lo<u64>>("mul.lo.u64"),
    lanewise<mul_hi<s16>>("mul.hi.s16"),
    lanewise<mul_hi<u16>>("mul.hi.u16"),
    lanewise<mul_hi<s32>>("mul.hi.s32"),
    lanewise<mul_hi<u32>>("mul.hi.u32"),
    lanewise<mul_hi<s64>>("mul.hi.s64"),
    lanewise<mul_hi<u64>>("mul.hi.u64"),
    lanewise<mul_wide<s16>>("mul.wide.s16"),
    lanewise<mul_wide<u16>>("mul.wide.u16"),
    lanewise<mul_wide<s32>>("mul.wide.s32"),
    lanewise<mul_wide<u32>>("mul.wide.u32"),

    lanewise<mad_lo<s16>>("mad.lo.s16"),
    lanewise<mad_lo<u16>>("mad.lo.u16"),
    lanewise<mad_lo<s32>>("mad.lo.s32"),
    lanewise<mad_lo<u32>>("mad.lo.u32"),
    lanewise<mad_lo<s64>>("mad.lo.s64"),
    lanewise<mad_lo<u64>>("mad.lo.u64"),
    lanewise<mad_hi<s16>>("mad.hi.s16"),
    lanewise<mad_hi<u16>>("mad.hi.u16"),
    lanewise<mad_hi<s32>>("mad.hi.s32"),
    lanewise<mad_hi<u32>>("mad.hi.u32"),
    lanewise<mad_hi<s64>>("mad.hi.s64"),
    lanewise<mad_hi<u64>>("mad.hi.u64"),
    lanewise<mad_wide<s16>>("mad.wide.s16"),
    lanewise<mad_wide<u16>>("mad.wide.u16"),
    lanewise<mad_wide<s32>>("mad.wide.s32"),
    lanewise<mad_wide<u32>>("mad.wide.u32"),
    lanewise<mad_hi_sat>("mad.hi.s32:sat"),

    lanewise<mul24_lo<s32>>("mul24.lo.s32"),
    lanewise<mul24_lo<u32>>("mul24.lo.u32"),
    lanewise<mul24_hi<s32>>("mul24.hi.s32"),
    lanewise<mul24_hi<u32>>("mul24.hi.u32"),
    lanewise<mad24_lo<s32>>("mad24.lo.s32"),
    lanewise<mad24_lo<u32>>("mad24.lo.u32"),
    lanewise<mad24_hi<s32>>("mad24.hi.s32"),
    lanewise<mad24_hi<u32>>("mad24.hi.u32"),
    lanewise<mad24_hi_sat>("mad24.hi.s32:sat"),

    lanewise<div<s16>>("div.s16"),
    lanewise<div<u16>>("div.u16"),
    lanewise<div<s32>>("div.s32"),
    lanewise<div<u32>>("div.u32"),
    lanewise<div<s64>>("div.s64"),
    lanewise<div<u64>>("div.u64"),
    lanewise<rem<s16>>("rem.s16"),
    lanewise<rem<u16>>("rem.u16"),
    lanewise<rem<s32>>("rem.s32"),
    lanewise<rem<u32>>("rem.u32"),
    lanewise<rem<s64>>("rem.s64"),
    lanewise<rem<u64>>("rem.u64"),

    lanewise<min<s16>>("min.s16"),
    lanewise<min<u16>>("min.u16"),
    lanewise<min<s32>>("min.s32"),
    lanewise<min<u32>>("min.u32"),
    lanewise<min<s64>>("min.s64"),
    lanewise<min<u64>>("min.u64"),
    lanewise<max<s16>>("max.s16"),
    lanewise<max<u16>>("max.u16"),
    lanewise<max<s32>>("max.s32"),
    lanewise<max<u32>>("max.u32"),
    lanewise<max<s64>>("max.s64"),
    lanewise<max<u64>>("max.u64"),

    lanewise<min_relu<s32>>("min.s32.relu"),
    lanewise<min_relu<s32>>("min.relu.s32"),
    lanewise<max_relu<s32>>("max.s32.relu"),
    lanewise<max_relu<s32>>("max.relu.s32"),

    lanewise<InPairs<add<s16>>::apply>("add.s16x2"),
    lanewise<InPairs<add<u16>>::apply>("add.u16x2"),
    lanewise<InPairs<min<s16>>::apply>("min.s16x2"),
    lanewise<InPairs<min<u16>>::apply>("min.u16x2"),
    lanewise<InPairs<max<s16>>::apply>("max.s16x2"),
    lanewise<InPairs<max<u16>>::apply>("max.u16x2"),
    lanewise<InPairs<min_relu<s16>>::apply>("min.s16x2.relu"),
    lanewise<InPairs<min_relu<s16>>::apply>("min.relu.s16x2"),
    lanewise<InPairs<max_relu<s16>>::apply>("max.s16x2.relu"),
    lanewise<InPairs<max_relu<s16>>::apply>("max.relu.s16x2"),

    lanewise<neg<s16>>("neg.s16"),
    lanewise<neg<s32>>("neg.s32"),
    lanewise<neg<s64>>("neg.s64"),
    lanewise<abs<s16>>("abs.s16"),
    lanewise<abs<s32>>("abs.s32"),
    lanewise<abs<s64>>("abs.s64"),
    lanewise<sad<s16>>("sad.s16"),
    lanewise<sad<u16>>("sad.u16"),
    lanewise<sad<s32>>("sad.s32"),
    lanewise<sad<u32>>("sad.u32"),
    lanewise<sad<s64>>("sad.s64"),
    lanewise<sad<u64>>("sad.u64"),

#define DOT(A, B, C)                                                                              \
    lanewise<dp4a<A, B, C>>("dp4a." #A "." #B), lanewise<dp2a<A, B, C, 0>>("dp2a.lo." #A "." #B), \
        lanewise<dp2a<A, B, C, 2>>("dp2a.hi." #A "." #B)
    DOT(u32, u32, u32),
    DOT(u32, s32, s32),
    DOT(s32, u32, s32),
    DOT(s32, s32, s32),
#undef DOT
    lanewise<vabsdiff4<u32>>("vabsdiff4.u32.u32.u32"),
    lanewise<vabsdiff4_add<u32>>("vabsdiff4.u32.u32.u32.add"),
    lanewise<vabsdiff4<s32>>("vabsdiff4.u32.s32.s32"),
    lanewise<vabsdiff4_add<s32>>("vabsdiff4.u32.s32.s32.add"),
};

constexpr FormRow kForms[] = {
    {{Job::add_carry, kValue<u32>}, add_carry<u32, false>},
    {{Job::add_carry, kValue<u64>}, add_carry<u64, false>},
    {{Job::sub_carry, kValue<u32>}, add_carry<u32, true>},
    {{Job::sub_carry, kValue<u64>}, add_carry<u64, true>},
    {{Job::mad_lo_carry, kValue<u32>}, mad_carry<u32, false>},
    {{Job::mad_lo_carry, kValue<u64>}, mad_carry<u64, false>},
    {{Job::mad_hi_carry, kValue<s32>}, mad_carry<s32, true>},
    {{Job::mad_hi_carry, kValue<u32>}, mad_carry<u32, true>},
    {{Job::mad_hi_carry, kValue<s64>}, mad_carry<s64, true>},
    {{Job::mad_hi_carry, kValue<u64>}, mad_carry<u64, true>},
};

}  // namespace

Rows integer_rows() {
    return {kRows, std::size(kRows)};
}

FormRows carry_forms() {
    return {kForms, std::size(kForms)};
}

}  // namespace vgpu::VGPU_ISA
