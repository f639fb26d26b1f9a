// Comparisons and selection: setp, set, selp, slct, testp.
//
// Operands as build_comparison (builders.cpp) lays them out: [0] result, [1] setp's second result,
// [2], [3] what is compared, [4] the predicate it is combined with; Insn::option says how. Of pairs
// of halves, the first result is the lower half's, the second the upper's.
#include "execute/ops/compare.h"

#include "execute/ops/families.h"
#include "execute/ops/half.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

[[gnu::always_inline]] inline Mask combine(u8 option, Mask holds, Mask with) {
    switch (option & kCombineMask) {
        case kCombineAnd:
            return holds & with;
        case kCombineOr:
            return holds | with;
        case kCombineXor:
            return holds ^ with;
        default:
            return holds;
    }
}

void assign(Warp& w, u32 predicate, Mask active, Mask value) {
    Mask& p = w.predicate(predicate);
    p = (p & ~active) | (value & active);
}

constexpr u8 kSet = kSetInteger | kSetFloat | kSetF16 | kSetBf16;

/// What set gives where the comparison holds.
u32 yes(u8 option) {
    return (option & kSetFloat) != 0  ? std::bit_cast<u32>(1.0f)
           : (option & kSetF16) != 0  ? u32{narrow<f16>(1)}
           : (option & kSetBf16) != 0 ? u32{narrow<bf16>(1)}
                                      : ~u32{0};
}

void finish(Warp& w, const Insn& i, Mask active, Mask holds) {
    const Mask with = w.predicate(i.operand[4]) ^ Mask(i.immediate);
    const Mask first = combine(i.option, holds, with);
    if ((i.option & kSet) != 0) {
        const u32 value = yes(i.option);
        each_lane(w.lanes<u32>(i.operand[0]), active,
                  [&](unsigned l) { return (first & kLaneBit[l]) != 0 ? value : 0; });
        return;
    }
    assign(w, i.operand[0], active, first);
    if ((i.option & kSecondResult) != 0)
        assign(w, i.operand[1], active, combine(i.option, ~holds, with));
}

void finish_pair(Warp& w, const Insn& i, Mask active, Mask lo, Mask hi) {
    const Mask with = w.predicate(i.operand[4]) ^ Mask(i.immediate);
    lo = combine(i.option, lo, with);
    hi = combine(i.option, hi, with);
    if ((i.option & kSet) != 0) {
        const u32 value = yes(i.option) & 0xffff;
        each_lane(w.lanes<u32>(i.operand[0]), active, [&](unsigned l) {
            return ((lo & kLaneBit[l]) != 0 ? value : 0) |
                   ((hi & kLaneBit[l]) != 0 ? value << 16 : 0);
        });
        return;
    }
    assign(w, i.operand[0], active, lo);
    if ((i.option & kSecondResult) != 0) assign(w, i.operand[1], active, hi);
}

template <auto holds>
struct Comparison;
template <class T, bool (*holds)(T, T)>
struct Comparison<holds> {
    static Flow execute(Warp& w, const Insn& i, Mask active) {
        const Lane<T>* a = w.lanes<Lane<T>>(i.operand[2]);
        const Lane<T>* b = w.lanes<Lane<T>>(i.operand[3]);
        const Mask mask =
            i.modifiers.flush_subnormals
                ? mask_of([&](unsigned l) { return holds(flush(T(a[l])), flush(T(b[l]))); })
                : mask_of([&](unsigned l) { return holds(T(a[l]), T(b[l])); });
        if (i.option == 0) [[likely]]
            assign(w, i.operand[0], active, mask);
        else
            finish(w, i, active, mask);
        return Flow::next;
    }
    static constexpr Shape kShape{
        {Cell::none, Cell::none, kCell<T>, kCell<T>}, 4, std::is_floating_point_v<T> ? 0b1100 : 0};
    static constexpr Accepts kAccepts =
        std::is_floating_point_v<T> || is_half<T> ? kFlush : Accepts{0};
};
/// Of pairs, both halves by themselves.
template <auto holds>
struct PairComparison;
template <class H, bool (*holds)(H, H)>
struct PairComparison<holds> : Comparison<holds> {
    static Flow execute(Warp& w, const Insn& i, Mask active) {
        const u32* a = w.lanes<u32>(i.operand[2]);
        const u32* b = w.lanes<u32>(i.operand[3]);
        const auto compare = [&](unsigned shift) __attribute__((always_inline)) {
            return i.modifiers.flush_subnormals
                       ? mask_of([&](unsigned l) {
                             return holds(flush(H(a[l] >> shift)), flush(H(b[l] >> shift)));
                         })
                       : mask_of(
                             [&](unsigned l) { return holds(H(a[l] >> shift), H(b[l] >> shift)); });
        };
        finish_pair(w, i, active, compare(0), compare(16));
        return Flow::next;
    }
};

template <auto holds>
constexpr Row comparison(std::string_view name) {
    using C = Comparison<holds>;
    return {name, C::execute, C::kShape, C::kAccepts};
}
template <auto holds>
constexpr Row pair_comparison(std::string_view name) {
    using C = PairComparison<holds>;
    return {name, C::execute, C::kShape, C::kAccepts};
}

template <class T>
bool eq(T a, T b) {
    return a == b;
}
template <class T>
bool ne(T a, T b) {
    return a < b || a > b;
}  // PTX: false for a NaN
template <class T>
bool lt(T a, T b) {
    return a < b;
}
template <class T>
bool le(T a, T b) {
    return a <= b;
}
template <class T>
bool gt(T a, T b) {
    return a > b;
}
template <class T>
bool ge(T a, T b) {
    return a >= b;
}
// The unordered ones hold when either is a NaN.
template <class T>
bool equ(T a, T b) {
    return !ne(a, b);
}
template <class T>
bool neu(T a, T b) {
    return !eq(a, b);
}
template <class T>
bool ltu(T a, T b) {
    return !ge(a, b);
}
template <class T>
bool leu(T a, T b) {
    return !gt(a, b);
}
template <class T>
bool gtu(T a, T b) {
    return !le(a, b);
}
template <class T>
bool geu(T a, T b) {
    return !lt(a, b);
}
template <class T>
bool num(T a, T b) {
    return a == a && b == b;
}
template <class T>
bool nan(T a, T b) {
    return a != a || b != b;
}

/// d = p ? a : b
template <class T>
Flow select(Warp& w, const Insn& i, Mask active) {
    const T* a = w.lanes<T>(i.operand[1]);
    const T* b = w.lanes<T>(i.operand[2]);
    const Mask p = w.predicate(i.operand[3]);
    each_lane(w.lanes<T>(i.operand[0]), active,
              [&](unsigned l) { return (p & kLaneBit[l]) != 0 ? a[l] : b[l]; });
    return Flow::next;
}
template <class T>
constexpr Row select_row(std::string_view name) {
    constexpr Cell c = kCell<T>;
    return {
        name, select<T>, {{c, c, c, Cell::predicate}, 4, std::is_floating_point_v<T> ? 0b111 : 0}};
}
template <class T, class C>
T slct(T a, T b, C c) {
    return c >= 0 ? a : b;
}

enum class Kind : u8 { finite, infinite, number, not_a_number, normal, subnormal };
template <class T, Kind kind>
Flow test(Warp& w, const Insn& i, Mask active) {
    using U = std::conditional_t<sizeof(T) == 8, u64, u32>;
    constexpr U ones = sizeof(T) == 8 ? U(0x7ff0'0000'0000'0000ull) : U(0x7f80'0000u);
    const U* a = w.lanes<U>(i.operand[1]);
    const Mask holds = mask_of([&](unsigned l) {
        const U exponent = a[l] & ones;
        const U fraction = a[l] & (ones ^ (~U(0) >> 1));
        switch (kind) {
            case Kind::finite:
                return exponent != ones;
            case Kind::infinite:
                return exponent == ones && fraction == 0;
            case Kind::number:
                return !(exponent == ones && fraction != 0);
            case Kind::not_a_number:
                return exponent == ones && fraction != 0;
            case Kind::normal:  // zero counts as normal (PTX ISA, "testp")
                return exponent != ones && (exponent != 0 || fraction == 0);
            case Kind::subnormal:
                return exponent == 0 && fraction != 0;
        }
    });
    assign(w, i.operand[0], active, holds);
    return Flow::next;
}
template <class T, Kind kind>
constexpr Row test_row(std::string_view name) {
    return {name, test<T, kind>, {{Cell::predicate, kCell<T>}, 2, 0b10}};
}

#define ORDERED(row, T, type)                                           \
    row<eq<T>>("compare.eq." type), row<ne<T>>("compare.ne." type),     \
        row<lt<T>>("compare.lt." type), row<le<T>>("compare.le." type), \
        row<gt<T>>("compare.gt." type), row<ge<T>>("compare.ge." type)
#define UNORDERED(row, T, type)                                                                \
    ORDERED(row, T, type), row<equ<T>>("compare.equ." type), row<neu<T>>("compare.neu." type), \
        row<ltu<T>>("compare.ltu." type), row<leu<T>>("compare.leu." type),                    \
        row<gtu<T>>("compare.gtu." type), row<geu<T>>("compare.geu." type),                    \
        row<num<T>>("compare.num." type), row<nan<T>>("compare.nan." type)
#define INTEGER(T) ORDERED(comparison, T, #T)
#define FLOAT(T) UNORDERED(comparison, T, #T)
#define HALF(T) FLOAT(T), UNORDERED(pair_comparison, T, #T "x2")

constexpr Row kRows[] = {
    INTEGER(s16),
    INTEGER(s32),
    INTEGER(s64),
    INTEGER(u16),
    INTEGER(u32),
    INTEGER(u64),
    FLOAT(f32),
    FLOAT(f64),
    HALF(f16),
    HALF(bf16),
    comparison<eq<u16>>("compare.eq.b16"),
    comparison<ne<u16>>("compare.ne.b16"),
    comparison<eq<u32>>("compare.eq.b32"),
    comparison<ne<u32>>("compare.ne.b32"),
    comparison<eq<u64>>("compare.eq.b64"),
    comparison<ne<u64>>("compare.ne.b64"),
    comparison<lt<u16>>("compare.lo.u16"),
    comparison<le<u16>>("compare.ls.u16"),
    comparison<gt<u16>>("compare.hi.u16"),
    comparison<ge<u16>>("compare.hs.u16"),
    comparison<lt<u32>>("compare.lo.u32"),
    comparison<le<u32>>("compare.ls.u32"),
    comparison<gt<u32>>("compare.hi.u32"),
    comparison<ge<u32>>("compare.hs.u32"),
    comparison<lt<u64>>("compare.lo.u64"),
    comparison<le<u64>>("compare.ls.u64"),
    comparison<gt<u64>>("compare.hi.u64"),
    comparison<ge<u64>>("compare.hs.u64"),

    select_row<u32>("selp.b16"),
    select_row<u32>("selp.u16"),
    select_row<u32>("selp.s16"),
    select_row<u32>("selp.b32"),
    select_row<u32>("selp.u32"),
    select_row<u32>("selp.s32"),
    select_row<u64>("selp.b64"),
    select_row<u64>("selp.u64"),
    select_row<u64>("selp.s64"),
    select_row<f32>("selp.f32"),
    select_row<f64>("selp.f64"),
    lanewise<slct<u16, s32>>("slct.b16.s32"),
    lanewise<slct<u16, s32>>("slct.u16.s32"),
    lanewise<slct<u16, s32>>("slct.s16.s32"),
    lanewise<slct<u32, s32>>("slct.b32.s32"),
    lanewise<slct<u32, s32>>("slct.u32.s32"),
    lanewise<slct<u32, s32>>("slct.s32.s32"),
    lanewise<slct<f32, s32>>("slct.f32.s32"),
    lanewise<slct<u64, s32>>("slct.b64.s32"),
    lanewise<slct<u64, s32>>("slct.u64.s32"),
    lanewise<slct<u64, s32>>("slct.s64.s32"),
    lanewise<slct<f64, s32>>("slct.f64.s32"),
    lanewise<slct<u32, f32>>("slct.b32.f32"),
    lanewise<slct<u32, f32>>("slct.u32.f32"),
    lanewise<slct<u32, f32>>("slct.s32.f32"),
    lanewise<slct<f32, f32>>("slct.f32.f32"),
    lanewise<slct<f64, f32>>("slct.f64.f32"),

    test_row<f32, Kind::finite>("testp.finite.f32"),
    test_row<f64, Kind::finite>("testp.finite.f64"),
    test_row<f32, Kind::infinite>("testp.infinite.f32"),
    test_row<f64, Kind::infinite>("testp.infinite.f64"),
    test_row<f32, Kind::number>("testp.number.f32"),
    test_row<f64, Kind::number>("testp.number.f64"),
    test_row<f32, Kind::not_a_number>("testp.notanumber.f32"),
    test_row<f64, Kind::not_a_number>("testp.notanumber.f64"),
    test_row<f32, Kind::normal>("testp.normal.f32"),
    test_row<f64, Kind::normal>("testp.normal.f64"),
    test_row<f32, Kind::subnormal>("testp.subnormal.f32"),
    test_row<f64, Kind::subnormal>("testp.subnormal.f64"),
};
#undef ORDERED
#undef UNORDERED
#undef INTEGER
#undef FLOAT
#undef HALF

}  // namespace

Rows compare_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
