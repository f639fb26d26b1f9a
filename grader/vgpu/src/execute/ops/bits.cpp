// Logic, shifts and bit fields: and, or, xor, not, cnot, lop3, shl, shr, shf, prmt, bfe, bfi,
// bfind, popc, clz, brev, bmsk, szext, fns. PTX clamps shift amounts: shifting by the width or more
// leaves nothing but signs.
#include "execute/ops/families.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

template <class T>
constexpr u32 kBits = 8 * sizeof(T);

template <class T>
T bit_and(T a, T b) {
    return T(a & b);
}
template <class T>
T bit_or(T a, T b) {
    return T(a | b);
}
template <class T>
T bit_xor(T a, T b) {
    return T(a ^ b);
}
template <class T>
T bit_not(T a) {
    return T(~a);
}
template <class T>
T cnot(T a) {
    return a == 0 ? T(1) : T(0);
}
template <class T>
T shl(T a, u32 n) {
    return n >= kBits<T> ? T(0) : T(Lane<T>(a) << (n & 63));
}
template <class T>
T shr(T a, u32 n) {
    const u32 most = kBits<T> - 1;
    if (std::is_signed_v<T>) return T(a >> (n > most ? most : n));
    return n > most ? T(0) : T(a >> (n & most));
}
u32 lop3(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 row = 0; row < 8; ++row) {
        const u32 term =
            ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
        if ((table >> row & 1) != 0) result |= term;
    }
    return result;
}
/// The 64-bit value hi:lo shifted; the result is its high (left) or low (right) half.
u32 shf_left(u32 lo, u32 hi, u32 n) {
    return u32(((u64{hi} << 32 | lo) << n) >> 32);
}
u32 shf_right(u32 lo, u32 hi, u32 n) {
    return u32((u64{hi} << 32 | lo) >> n);
}
u32 shf_l_wrap(u32 lo, u32 hi, u32 n) {
    return shf_left(lo, hi, n & 31);
}
u32 shf_r_wrap(u32 lo, u32 hi, u32 n) {
    return shf_right(lo, hi, n & 31);
}
u32 shf_l_clamp(u32 lo, u32 hi, u32 n) {
    return shf_left(lo, hi, n > 32 ? 32 : n);
}
u32 shf_r_clamp(u32 lo, u32 hi, u32 n) {
    return shf_right(lo, hi, n > 32 ? 32 : n);
}

u32 byte_of(u64 bytes, u32 selector) {
    const u32 value = u32(bytes >> (8 * (selector & 7))) & 0xff;
    if ((selector & 8) == 0) return value;
    return (value & 0x80) != 0 ? 0xff : 0;  // replicates the byte's sign
}
u32 prmt(u32 a, u32 b, u32 selectors) {
    const u64 bytes = u64{b} << 32 | a;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) result |= byte_of(bytes, selectors >> (4 * i) & 15) << (8 * i);
    return result;
}
/// prmt's modes choose four bytes by two bits of c.
template <const u16* selectors>
u32 prmt_mode(u32 a, u32 b, u32 c) {
    return prmt(a, b, selectors[c & 3]);
}
constexpr u16 kForward4[] = {0x3210, 0x4321, 0x5432, 0x6543};
constexpr u16 kBackward4[] = {0x5670, 0x6701, 0x7012, 0x0123};
constexpr u16 kReplicate8[] = {0x0000, 0x1111, 0x2222, 0x3333};
constexpr u16 kEdgeLeft[] = {0x3210, 0x3211, 0x3222, 0x3333};
constexpr u16 kEdgeRight[] = {0x0000, 0x1110, 0x2210, 0x3210};
constexpr u16 kReplicate16[] = {0x1010, 0x3232, 0x1010, 0x3232};

template <class T>
T bfe(T a, u32 position, u32 length) {
    using U = std::make_unsigned_t<T>;
    position &= 0xff;
    length &= 0xff;
    const u32 most = kBits<T> - 1;
    if (length == 0) return 0;
    const u32 end = position + length - 1 > most ? most : position + length - 1;
    const U sign = std::is_signed_v<T> ? U(a) >> end & 1 : 0;
    const U field = position > most ? U(0) : U(U(a) >> position);
    const U ones = length > most ? U(~U(0)) : U((U(1) << length) - 1);
    // Bits beyond the value's own end show the sign; so do those beyond the field.
    const u32 present = position > most ? 0 : kBits<T> - position;
    const U held = present > most ? U(~U(0)) : U((U(1) << present) - 1);
    const U valid = ones & held;
    return T((field & valid) | (sign != 0 ? U(~valid) : U(0)));
}
template <class T>
T bfi(T a, T b, u32 position, u32 length) {
    position &= 0xff;
    length &= 0xff;
    if (position >= kBits<T> || length == 0) return b;
    const T ones = length >= kBits<T> ? T(~T(0)) : T((T(1) << length) - 1);
    const T field = T(ones << position);
    return T((b & ~field) | ((a << position) & field));
}
template <class T>
u32 clz(T a) {
    return a == 0 ? kBits<T> : u32(sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(u32(a)));
}
template <class T>
u32 bfind(T a) {
    using U = std::make_unsigned_t<T>;
    const U magnitude = U(std::is_signed_v<T> && a < 0 ? ~a : a);
    return magnitude == 0 ? ~u32{0} : kBits<T> - 1 - clz<U>(magnitude);
}
template <class T>
u32 bfind_shift(T a) {
    const u32 position = bfind(a);
    return position == ~u32{0} ? position : kBits<T> - 1 - position;
}
template <class T>
u32 popc(T a) {
    return u32(__builtin_popcountll(a));
}
u32 brev32(u32 a) {
    a = (a >> 1 & 0x5555'5555) | (a & 0x5555'5555) << 1;
    a = (a >> 2 & 0x3333'3333) | (a & 0x3333'3333) << 2;
    a = (a >> 4 & 0x0f0f'0f0f) | (a & 0x0f0f'0f0f) << 4;
    return __builtin_bswap32(a);
}
u64 brev64(u64 a) {
    return u64{brev32(u32(a))} << 32 | brev32(u32(a >> 32));
}
/// A field of ones at `position`.
u32 bmsk(u32 position, u32 length, bool wrap) {
    if (wrap) position &= 31, length &= 31;
    const u64 ones = length >= 32 ? 0xffff'ffffull : (u64{1} << length) - 1;
    return position >= 32 ? 0 : u32(ones << position);
}
u32 bmsk_clamp(u32 position, u32 length) {
    return bmsk(position, length, false);
}
u32 bmsk_wrap(u32 position, u32 length) {
    return bmsk(position, length, true);
}

/// The low `length` bits of a, as a number with or without sign.
template <class T, bool wrap>
T szext(T a, u32 length) {
    if (length >= 32 && !wrap) return a;
    length &= 31;
    if (length == 0) return 0;
    return T(u32(a) << (32 - length)) >> (32 - length);
}
/// The position of the n-th set bit at or above `base`, for negative n at or below it.
u32 fns(u32 mask, u32 base, s32 n) {
    s32 left = n < 0 ? -n : n == 0 ? 1 : n;
    const s32 step = n < 0 ? -1 : 1;
    for (s32 at = s32(base); at >= 0 && at < 32; at += step) {
        if ((mask >> at & 1) != 0 && --left == 0) return u32(at);
        if (n == 0) break;
    }
    return ~u32{0};
}

/// Predicates are whole masks: one operation serves all lanes.
template <Mask (*function)(Mask, Mask)>
Flow on_predicates(Warp& w, const Insn& i, Mask active) {
    Mask& d = w.predicate(i.operand[0]);
    const Mask value = function(w.predicate(i.operand[1]), w.predicate(i.operand[2]));
    d = (d & ~active) | (value & active);
    return Flow::next;
}
constexpr Row predicate_row(std::string_view name, Handler execute, u8 operands) {
    return {name, execute, {{Cell::predicate, Cell::predicate, Cell::predicate}, operands}};
}
Mask mask_not(Mask a, Mask) {
    return ~a;
}
Mask mask_same(Mask a, Mask) {
    return a;
}

constexpr Row kRows[] = {
    lanewise<bit_and<u16>>("and.b16"),
    lanewise<bit_and<u32>>("and.b32"),
    lanewise<bit_and<u64>>("and.b64"),
    lanewise<bit_or<u16>>("or.b16"),
    lanewise<bit_or<u32>>("or.b32"),
    lanewise<bit_or<u64>>("or.b64"),
    lanewise<bit_xor<u16>>("xor.b16"),
    lanewise<bit_xor<u32>>("xor.b32"),
    lanewise<bit_xor<u64>>("xor.b64"),
    lanewise<bit_not<u16>>("not.b16"),
    lanewise<bit_not<u32>>("not.b32"),
    lanewise<bit_not<u64>>("not.b64"),
    lanewise<cnot<u16>>("cnot.b16"),
    lanewise<cnot<u32>>("cnot.b32"),
    lanewise<cnot<u64>>("cnot.b64"),
    predicate_row("and.pred", on_predicates<bit_and<Mask>>, 3),
    predicate_row("or.pred", on_predicates<bit_or<Mask>>, 3),
    predicate_row("xor.pred", on_predicates<bit_xor<Mask>>, 3),
    predicate_row("not.pred", on_predicates<mask_not>, 2),
    predicate_row("mov.pred", on_predicates<mask_same>, 2),
    lanewise<lop3>("lop3.b32"),

    lanewise<shl<u16>>("shl.b16"),
    lanewise<shl<u32>>("shl.b32"),
    lanewise<shl<u64>>("shl.b64"),
    lanewise<shr<u16>>("shr.b16"),
    lanewise<shr<u32>>("shr.b32"),
    lanewise<shr<u64>>("shr.b64"),
    lanewise<shr<u16>>("shr.u16"),
    lanewise<shr<u32>>("shr.u32"),
    lanewise<shr<u64>>("shr.u64"),
    lanewise<shr<s16>>("shr.s16"),
    lanewise<shr<s32>>("shr.s32"),
    lanewise<shr<s64>>("shr.s64"),
    lanewise<shf_l_wrap>("shf.l.wrap.b32"),
    lanewise<shf_r_wrap>("shf.r.wrap.b32"),
    lanewise<shf_l_clamp>("shf.l.clamp.b32"),
    lanewise<shf_r_clamp>("shf.r.clamp.b32"),

    lanewise<prmt>("prmt.b32"),
    lanewise<prmt_mode<kForward4>>("prmt.b32.f4e"),
    lanewise<prmt_mode<kBackward4>>("prmt.b32.b4e"),
    lanewise<prmt_mode<kReplicate8>>("prmt.b32.rc8"),
    lanewise<prmt_mode<kEdgeLeft>>("prmt.b32.ecl"),
    lanewise<prmt_mode<kEdgeRight>>("prmt.b32.ecr"),
    lanewise<prmt_mode<kReplicate16>>("prmt.b32.rc16"),

    lanewise<bfe<s32>>("bfe.s32"),
    lanewise<bfe<u32>>("bfe.u32"),
    lanewise<bfe<s64>>("bfe.s64"),
    lanewise<bfe<u64>>("bfe.u64"),
    lanewise<bfi<u32>>("bfi.b32"),
    lanewise<bfi<u64>>("bfi.b64"),
    lanewise<bfind<s32>>("bfind.s32"),
    lanewise<bfind<u32>>("bfind.u32"),
    lanewise<bfind<s64>>("bfind.s64"),
    lanewise<bfind<u64>>("bfind.u64"),
    lanewise<bfind_shift<s32>>("bfind.shiftamt.s32"),
    lanewise<bfind_shift<u32>>("bfind.shiftamt.u32"),
    lanewise<bfind_shift<s64>>("bfind.shiftamt.s64"),
    lanewise<bfind_shift<u64>>("bfind.shiftamt.u64"),
    lanewise<popc<u32>>("popc.b32"),
    lanewise<popc<u64>>("popc.b64"),
    lanewise<clz<u32>>("clz.b32"),
    lanewise<clz<u64>>("clz.b64"),
    lanewise<brev32>("brev.b32"),
    lanewise<brev64>("brev.b64"),
    lanewise<bmsk_clamp>("bmsk.clamp.b32"),
    lanewise<bmsk_wrap>("bmsk.wrap.b32"),
    lanewise<szext<s32, false>>("szext.clamp.s32"),
    lanewise<szext<u32, false>>("szext.clamp.u32"),
    lanewise<szext<s32, true>>("szext.wrap.s32"),
    lanewise<szext<u32, true>>("szext.wrap.u32"),
    lanewise<fns>("fns.b32"),
};

}  // namespace

Rows bits_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
