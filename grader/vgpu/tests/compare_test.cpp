// Comparisons, selections and tests of predicates.
#include <bit>
#include <cmath>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

/// -1, 0, 1, or 2 for unordered.
int order(Bits a, Bits b, const std::string& type) {
    const auto of = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2; };
    if (type == "f32")
        return of(std::bit_cast<float>(std::uint32_t(a)), std::bit_cast<float>(std::uint32_t(b)));
    if (type == "f64") return of(std::bit_cast<double>(a), std::bit_cast<double>(b));
    if (type[0] != 's') return of(a, b);
    const unsigned unused = 64 - bits_of(type);
    return of(std::int64_t(a << unused), std::int64_t(b << unused));
}

bool holds(const std::string& comparison, int order) {
    const bool unordered = order == 2;
    if (comparison == "num") return !unordered;
    if (comparison == "nan") return unordered;
    if (unordered) return comparison.size() == 3 && comparison[2] == 'u';
    const std::string c = comparison.substr(0, 2);
    if (c == "eq") return order == 0;
    if (c == "ne") return order != 0;
    if (c == "lt" || c == "lo") return order < 0;
    if (c == "le" || c == "ls") return order <= 0;
    if (c == "gt" || c == "hi") return order > 0;
    return order >= 0;  // ge, hs
}

std::vector<std::string> comparisons(const std::string& type) {
    std::vector<std::string> list{"eq", "ne"};
    if (type[0] != 'b') list.insert(list.end(), {"lt", "le", "gt", "ge"});
    if (type[0] == 'u') list.insert(list.end(), {"lo", "ls", "hi", "hs"});
    if (type[0] == 'f')
        list.insert(list.end(), {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
    return list;
}

}  // namespace

TEST_CASE("compare: setp and set in every type") {
    for (const std::string t :
         {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"}) {
        for (const auto& c : comparisons(t)) {
            check("setp." + c + "." + t, "pred", {t, t},
                  [&](const auto& x) { return Bits{holds(c, order(x[0], x[1], t))}; });
            check("set." + c + ".u32." + t, "u32", {t, t}, [&](const auto& x) {
                return holds(c, order(x[0], x[1], t)) ? Bits{0xffff'ffff} : Bits{0};
            });
        }
    }
    check("set.lt.f32.s32", "f32", {"s32", "s32"}, [&](const auto& x) {
        return order(x[0], x[1], "s32") < 0 ? Bits{0x3f80'0000} : Bits{0};
    });
}

TEST_CASE("compare: setp combines with a predicate and gives a second result") {
    for (const std::string op : {"and", "or", "xor"}) {
        for (const std::string flip : {"", "!"}) {
            const auto combine = [=](bool a, Bits p) {
                const bool b = (p != 0) != (flip == "!");
                return Bits(op == "and" ? a && b : op == "or" ? a || b : a != b);
            };
            const std::string tail = ", %operand0, %operand1, " + flip + "%operand2;";
            check("setp.lt." + op + ".s32 %result|%p1" + tail, "pred", {"s32", "s32", "pred"},
                  [&](const auto& x) { return combine(order(x[0], x[1], "s32") < 0, x[2]); });
            check("setp.lt." + op + ".s32 %p1|%result" + tail, "pred", {"s32", "s32", "pred"},
                  [&](const auto& x) { return combine(!(order(x[0], x[1], "s32") < 0), x[2]); });
        }
    }
    check("setp.lt.u32 %p1|%result, %operand0, %operand1;", "pred", {"u32", "u32"},
          [&](const auto& x) { return Bits{!(x[0] < x[1])}; });
    check("set.gt.and.s32.f32 %result, %operand0, %operand1, %operand2;", "s32",
          {"f32", "f32", "pred"}, [&](const auto& x) {
              return order(x[0], x[1], "f32") == 1 && x[2] != 0 ? Bits{0xffff'ffff} : Bits{0};
          });
}

TEST_CASE("compare: setp.ftz sees subnormals as zeros") {
    const auto flush = [](Bits b) { return (b & 0x7f80'0000) == 0 ? b & 0x8000'0000 : b; };
    check("setp.eq.ftz.f32", "pred", {"f32", "f32"},
          [&](const auto& x) { return Bits{order(flush(x[0]), flush(x[1]), "f32") == 0}; });
}

TEST_CASE("compare: selp and slct choose") {
    for (const std::string t :
         {"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"}) {
        check("selp." + t, t, {t, t, "pred"},
              [](const auto& x) { return x[2] != 0 ? x[0] : x[1]; });
        check("slct." + t + ".s32", t, {t, t, "s32"},
              [](const auto& x) { return x[2] < 0x8000'0000 ? x[0] : x[1]; });
    }
    check("slct.f32.f32", "f32", {"f32", "f32", "f32"}, [](const auto& x) {
        return std::bit_cast<float>(std::uint32_t(x[2])) >= 0 ? x[0] : x[1];
    });
}

TEST_CASE("compare: testp sorts floats") {
    const auto check_class = [](const std::string& name,
                                const std::function<bool(double, int)>& is) {
        check("testp." + name + ".f32", "pred", {"f32"}, [&](const auto& x) {
            const float f = std::bit_cast<float>(std::uint32_t(x[0]));
            return Bits{is(f, std::fpclassify(f))};
        });
        check("testp." + name + ".f64", "pred", {"f64"}, [&](const auto& x) {
            const double f = std::bit_cast<double>(x[0]);
            return Bits{is(f, std::fpclassify(f))};
        });
    };
    check_class("finite", [](double x, int) { return std::isfinite(x); });
    check_class("infinite", [](double x, int) { return std::isinf(x); });
    check_class("number", [](double x, int) { return !std::isnan(x); });
    check_class("notanumber", [](double x, int) { return std::isnan(x); });
    check_class("normal", [](double, int c) { return c == FP_NORMAL || c == FP_ZERO; });
    check_class("subnormal", [](double, int c) { return c == FP_SUBNORMAL; });
}
