// Loops over the 32 lanes of a warp, and rows made from scalar functions.
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

// Use:
//
//     inline u32 add(u32 a, u32 b) { return a + b; }
//     constexpr Row kRows[] = {lanewise<add>("add.u32"), ...};
//
// Only for files that are compiled once for each instruction set (CMakeLists.txt defines VGPU_ISA).
// All code here lies in a namespace of that name. Such files use no library templates that could be
// emitted out of line: the linker could keep the AVX-512 copy for everyone.

#include "execute/ops/forms.h"
#include "execute/ops/row.h"
#include "state/lane_loops.h"
#include "state/warp.h"

namespace vgpu::VGPU_ISA {

/// How a value of type T lies in a lane: narrow integers widened to 32 bits, half.h's types as
/// bits.
template <class T>
using Lane = std::conditional_t<std::is_arithmetic_v<T> && sizeof(T) >= 4, T,
                                std::conditional_t<std::is_signed_v<T>, s32, u32>>;
template <class T>
inline constexpr Cell kCell = sizeof(T) == 8 ? Cell::wide : Cell::word;

/// As builders find handlers for it (forms.h).
template <class T>
inline constexpr Value kValue{std::is_floating_point_v<T> ? Value::Kind::floating
                              : std::is_signed_v<T>       ? Value::Kind::with_sign
                                                          : Value::Kind::whole,
                              sizeof(T)};

/// Shape of an instruction that computes an R from As.
template <class R, class... As>
constexpr Shape shape_of() {
    Shape shape;
    shape.count = 1 + sizeof...(As);
    std::size_t i = 0;
    const auto put = [&](Cell cell, bool is_float) {
        if (is_float) shape.floats |= static_cast<u8>(1u << i);
        shape.cells[i++] = cell;
    };
    put(kCell<R>, std::is_floating_point_v<R>);
    (put(kCell<As>, std::is_floating_point_v<As>), ...);
    return shape;
}

/// The handler and shape made from a scalar function.
template <auto function>
struct Lanewise;

template <class R, class... As, R (*function)(As...)>
struct Lanewise<function> {
    static constexpr Shape kShape = shape_of<R, As...>();

    template <class F>
    [[gnu::always_inline]] static void apply(Warp& w, const Insn& i, Mask active, F value) {
        with_operands(w, i, active, value, std::index_sequence_for<As...>{});
    }
    template <class F, std::size_t... n>
    [[gnu::always_inline]] static void with_operands(Warp& w, const Insn& i, Mask active, F value,
                                                     std::index_sequence<n...>) {
        [&](const auto*... a) __attribute__((always_inline)) {
            each_lane(w.lanes<Lane<R>>(i.operand[0]), active, [&](unsigned l) {
                return static_cast<Lane<R>>(value(static_cast<As>(a[l])...));
            });
        }
        (w.lanes<Lane<As>>(i.operand[n + 1])...);
    }
    static Flow execute(Warp& w, const Insn& i, Mask active) {
        apply(w, i, active, [](As... a) { return function(a...); });
        return Flow::next;
    }
};

template <auto function>
constexpr Row lanewise(std::string_view name) {
    return {name, Lanewise<function>::execute, Lanewise<function>::kShape, 0};
}

/// Switches the host's rounding mode for as long as it lives.
class Rounded {
public:
    explicit Rounded(Modifiers::Rounding mode) : before_(std::fegetround()) {
        using R = Modifiers::Rounding;
        std::fesetround(mode == R::rz   ? FE_TOWARDZERO
                        : mode == R::rm ? FE_DOWNWARD
                        : mode == R::rp ? FE_UPWARD
                                        : FE_TONEAREST);
    }
    ~Rounded() { std::fesetround(before_); }
    Rounded(const Rounded&) = delete;
    Rounded& operator=(const Rounded&) = delete;

private:
    int before_;
};

/// The NaN that an f32 operation gives is always this one (PTX ISA, "Floating-Point Instructions").
[[gnu::always_inline]] inline f32 canonical(f32 x) {
    return x != x ? std::bit_cast<f32>(u32{0x7fff'ffff}) : x;
}
[[gnu::always_inline]] inline f64 quiet(f64 nan) {
    return std::bit_cast<f64>(std::bit_cast<u64>(nan) | 0x0008'0000'0000'0000);
}
/// An f64 operation's NaN: that of an operand, or this one for an invalid operation. PTX leaves
/// open which operand; an H200 prefers the second, then the third (measured).
[[gnu::always_inline]] inline f64 nan_of(f64 a) {
    return a != a ? quiet(a) : std::bit_cast<f64>(u64{0xfff8'0000'0000'0000});
}
[[gnu::always_inline]] inline f64 nan_of(f64 a, f64 b) {
    return b != b ? quiet(b) : nan_of(a);
}
[[gnu::always_inline]] inline f64 nan_of(f64 a, f64 b, f64 c) {
    return b != b ? quiet(b) : nan_of(a, c);
}
/// A result, with the NaN that it has to be if it is one.
template <class... As>
[[gnu::always_inline]] inline f32 settled(f32 x, As...) {
    return canonical(x);
}
template <class... As>
[[gnu::always_inline]] inline f64 settled(f64 x, As... operands) {
    return x != x ? nan_of(operands...) : x;
}

/// .ftz: a subnormal becomes a zero of its sign.
[[gnu::always_inline]] inline f32 flush(f32 x) {
    const u32 bits = std::bit_cast<u32>(x);
    return (bits & 0x7f80'0000) == 0 ? std::bit_cast<f32>(bits & 0x8000'0000) : x;
}
/// PTX flushes no double; rcp.approx.ftz.f64 and its like flush by themselves.
[[gnu::always_inline]] inline f64 flush(f64 x) {
    return x;
}
template <class T>
requires std::is_integral_v<T>
[[gnu::always_inline]] inline T flush(T x) {
    return x;
}

/// .sat: into [0, 1], NaN becomes +0.
template <class T>
[[gnu::always_inline]] inline T saturate(T x) {
    return !(x > T(0)) ? T(0) : x > T(1) ? T(1) : x;
}

/// A floating-point operation with PTX's modifiers. With `reversed`, operands are preferred the
/// other way round when their NaN is the result.
template <auto function, bool reversed = false>
struct Floating : Lanewise<function> {
    template <class R, class... As>
    [[gnu::always_inline]] static R settle(R x, As... a) {
        if constexpr (reversed)
            return [&](auto first, auto second) { return settled(x, second, first); }(a...);
        else
            return settled(x, a...);
    }
    static Flow execute(Warp& w, const Insn& i, Mask active) {
        if (!i.modifiers.plain()) [[unlikely]]
            return execute_modified(w, i, active);
        Lanewise<function>::apply(w, i, active,
                                  [](auto... a) { return settle(function(a...), a...); });
        return Flow::next;
    }
    /// Apart, for the registers that it saves would be saved by the plain ones, too.
    [[gnu::noinline]] static Flow execute_modified(Warp& w, const Insn& i, Mask active) {
        using L = Lanewise<function>;
        const Modifiers m = i.modifiers;
        const Rounded rounded(m.rounding);
        if (m.flush_subnormals)
            L::apply(w, i, active, [m](auto... a) {
                const auto x = flush(settle(function(flush(a)...), a...));
                return m.saturate ? saturate(x) : x;
            });
        else
            L::apply(w, i, active, [m](auto... a) {
                const auto x = settle(function(a...), a...);
                return m.saturate ? saturate(x) : x;
            });
        return Flow::next;
    }
};

template <auto function, bool reversed = false>
constexpr Row floating(std::string_view name, Accepts accepts = kRounding | kFlush | kSaturate) {
    using F = Floating<function, reversed>;
    return {name, F::execute, F::kShape, accepts};
}

}  // namespace vgpu::VGPU_ISA
