// Integer arithmetic against numbers of 128 bits, which no PTX type overflows.
#include <algorithm>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

__extension__ using Wide = __int128;

Wide value(Bits bits, const std::string& type) {
    const unsigned size = bits_of(type);
    const bool negative = type[0] == 's' && (bits >> (size - 1) & 1) != 0;
    return negative ? Wide(bits) - (Wide(1) << size) : Wide(bits);
}
Bits cut(Wide x, const std::string& type) {
    return Bits(x) & (~Bits{0} >> (64 - bits_of(type)));
}
Wide largest(const std::string& type) {
    return (Wide(1) << (bits_of(type) - (type[0] == 's' ? 1 : 0))) - 1;
}
Wide smallest(const std::string& type) {
    return type[0] == 's' ? -largest(type) - 1 : 0;
}
Wide clamp(Wide x, const std::string& type) {
    return std::min(std::max(x, smallest(type)), largest(type));
}
/// Twice as wide, of the same sign.
std::string twice(const std::string& type) {
    return type[0] + std::to_string(2 * bits_of(type));
}
/// The high half of a product; 64 by 64 bits of unsigned numbers just fit when handled as unsigned.
Wide high(Wide a, Wide b, const std::string& type) {
    if (type == "u64") {
        __extension__ using Unsigned = unsigned __int128;
        return Wide(Unsigned(a) * Unsigned(b) >> 64);
    }
    return a * b >> bits_of(type);
}

using Arithmetic = std::function<Wide(Wide, Wide, Wide)>;

void check_numbers(const std::string& opcode, const std::string& result,
                   const std::vector<std::string>& operands, const Arithmetic& f) {
    check(opcode, result, operands, [&](const std::vector<Bits>& bits) {
        Wide x[3] = {0, 0, 0};
        for (std::size_t k = 0; k < bits.size(); ++k) x[k] = value(bits[k], operands[k]);
        return cut(f(x[0], x[1], x[2]), result);
    });
}

const std::vector<std::string> kTypes{"s16", "u16", "s32", "u32", "s64", "u64"};

}  // namespace

TEST_CASE("integer: add, sub, min, max, mul.lo, mad.lo wrap around in every type") {
    for (const auto& t : kTypes) {
        check_numbers("add." + t, t, {t, t}, [](Wide a, Wide b, Wide) { return a + b; });
        check_numbers("sub." + t, t, {t, t}, [](Wide a, Wide b, Wide) { return a - b; });
        check_numbers("min." + t, t, {t, t}, [](Wide a, Wide b, Wide) { return std::min(a, b); });
        check_numbers("max." + t, t, {t, t}, [](Wide a, Wide b, Wide) { return std::max(a, b); });
        check_numbers("mul.lo." + t, t, {t, t},
                      [](Wide a, Wide b, Wide) { return Wide(Bits(a) * Bits(b)); });
        check_numbers("mad.lo." + t, t, {t, t, t},
                      [](Wide a, Wide b, Wide c) { return Wide(Bits(a) * Bits(b) + Bits(c)); });
        check_numbers("sad." + t, t, {t, t, t},
                      [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
    }
}

TEST_CASE("integer: mul.hi, mad.hi, mul.wide, mad.wide keep the high half") {
    for (const auto& t : kTypes) {
        check_numbers("mul.hi." + t, t, {t, t},
                      [&](Wide a, Wide b, Wide) { return high(a, b, t); });
        check_numbers("mad.hi." + t, t, {t, t, t},
                      [&](Wide a, Wide b, Wide c) { return high(a, b, t) + c; });
        if (bits_of(t) == 64) continue;
        const std::string wide = twice(t);
        check_numbers("mul.wide." + t, wide, {t, t}, [](Wide a, Wide b, Wide) { return a * b; });
        check_numbers("mad.wide." + t, wide, {t, t, wide},
                      [](Wide a, Wide b, Wide c) { return a * b + c; });
    }
}

TEST_CASE("integer: 24-bit multiplication uses the low 24 bits of its operands") {
    for (const std::string t : {"s32", "u32"}) {
        const auto low = [&](Wide a) {
            const Wide bits = a & 0xff'ffff;
            return t == "s32" && bits >= 0x80'0000 ? bits - 0x100'0000 : bits;
        };
        const auto lo = [=](Wide a, Wide b, Wide c) { return low(a) * low(b) + c; };
        const auto hi = [=](Wide a, Wide b, Wide c) { return (low(a) * low(b) >> 16) + c; };
        check_numbers("mul24.lo." + t, t, {t, t}, lo);
        check_numbers("mul24.hi." + t, t, {t, t}, hi);
        check_numbers("mad24.lo." + t, t, {t, t, t}, lo);
        check_numbers("mad24.hi." + t, t, {t, t, t}, hi);
    }
    check_numbers("mad24.hi.sat.s32", "s32", {"s32", "s32", "s32"}, [](Wide a, Wide b, Wide c) {
        const auto low = [](Wide x) {
            x &= 0xff'ffff;
            return x >= 0x80'0000 ? x - 0x100'0000 : x;
        };
        const Wide product = low(a) * low(b) >> 16;
        return clamp(value(cut(product, "s32"), "s32") + c, "s32");
    });
}

TEST_CASE(
    "integer: div and rem round towards zero; by zero, and out of range, as the hardware does") {
    for (const auto& t : kTypes) {
        check_numbers("div." + t, t, {t, t},
                      [](Wide a, Wide b, Wide) { return b == 0 ? Wide(-1) : a / b; });
        check_numbers("rem." + t, t, {t, t},
                      [](Wide a, Wide b, Wide) { return b == 0 ? Wide(-1) : a % b; });
    }
}

TEST_CASE("integer: saturating add, sub and mad.hi stop at the ends of s32") {
    check_numbers("add.sat.s32", "s32", {"s32", "s32"},
                  [](Wide a, Wide b, Wide) { return clamp(a + b, "s32"); });
    check_numbers("sub.sat.s32", "s32", {"s32", "s32"},
                  [](Wide a, Wide b, Wide) { return clamp(a - b, "s32"); });
    check_numbers("mad.hi.sat.s32", "s32", {"s32", "s32", "s32"},
                  [](Wide a, Wide b, Wide c) { return clamp((a * b >> 32) + c, "s32"); });
}

TEST_CASE("integer: neg and abs of the smallest number are itself") {
    for (const std::string t : {"s16", "s32", "s64"}) {
        check_numbers("neg." + t, t, {t}, [](Wide a, Wide, Wide) { return -a; });
        check_numbers("abs." + t, t, {t}, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
    }
}

TEST_CASE("integer: carries run through add.cc, addc, sub.cc, subc, mad.cc, madc") {
    for (const std::string t : {"u32", "s32", "u64", "s64"}) {
        const std::string n = bits_of(t) == 64 ? "%d" : "%w";
        // (a : b) + (c : c), high word; the low words' carry decides.
        check("add.cc." + t + " " + n + "0, %operand1, %operand2; addc." + t +
                  " %result, %operand0, %operand2;",
              t, {t, t, t}, [&](const std::vector<Bits>& x) {
                  const Wide low = Wide(x[1]) + Wide(x[2]);
                  return cut(Wide(x[0]) + Wide(x[2]) + (low >> bits_of(t)), t);
              });
        check("sub.cc." + t + " " + n + "0, %operand1, %operand2; subc." + t +
                  " %result, %operand0, %operand2;",
              t, {t, t, t}, [&](const std::vector<Bits>& x) {
                  return cut(Wide(x[0]) - Wide(x[2]) - (x[1] < x[2] ? 1 : 0), t);
              });
        // What a subtraction leaves is 1 where nothing was borrowed.
        check("sub.cc." + t + " " + n + "0, %operand0, %operand1; addc." + t + " %result, 0, 0;", t,
              {t, t, t}, [](const std::vector<Bits>& x) { return Bits(x[0] >= x[1] ? 1 : 0); });
        check("add.cc." + t + " " + n + "0, %operand0, %operand1; subc." + t +
                  " %result, %operand2, 0;",
              t, {t, t, t}, [&](const std::vector<Bits>& x) {
                  const Wide carry = (Wide(x[0]) + Wide(x[1])) >> bits_of(t);
                  return cut(Wide(x[2]) - 1 + carry, t);
              });
        check("mad.lo.cc." + t + " " + n + "0, %operand0, %operand1, %operand2; madc.hi." + t +
                  " %result, %operand0, %operand1, %operand2;",
              t, {t, t, t}, [&](const std::vector<Bits>& x) {
                  const Wide low = Wide(cut(Wide(x[0] * x[1]), t)) + Wide(x[2]);
                  const Wide product = high(value(x[0], t), value(x[1], t), t);
                  return cut(product + Wide(x[2]) + (low >> bits_of(t)), t);
              });
        // addc.cc both takes and gives a carry.
        check("add.cc." + t + " " + n + "0, %operand0, %operand1; addc.cc." + t + " " + n +
                  "1, %operand1, %operand2; addc." + t + " %result, 0, 0;",
              t, {t, t, t}, [&](const std::vector<Bits>& x) {
                  const Wide first = Wide(x[0]) + Wide(x[1]);
                  const Wide second = Wide(x[1]) + Wide(x[2]) + (first >> bits_of(t));
                  return Bits(second >> bits_of(t));
              });
    }
}

namespace {

/// Field k of a packed operand of the given type.
Wide packed(Bits x, unsigned k, unsigned bits, char kind) {
    const Bits field = x >> (bits * k) & (~Bits{0} >> (64 - bits));
    return value(field, kind + std::to_string(bits));
}

}  // namespace

TEST_CASE("integer: dp4a and dp2a add products of fields, each with its own sign") {
    for (const std::string a : {"u32", "s32"})
        for (const std::string b : {"u32", "s32"}) {
            const std::string c = a == "s32" || b == "s32" ? "s32" : "u32";
            check("dp4a." + a + "." + b, c, {a, b, c}, [&](const auto& x) {
                Wide sum = value(x[2], c);
                for (unsigned k = 0; k < 4; ++k)
                    sum += packed(x[0], k, 8, a[0]) * packed(x[1], k, 8, b[0]);
                return cut(sum, c);
            });
            for (const unsigned high : {0u, 1u})
                check(fmt::format("dp2a.{}.{}.{}", high != 0 ? "hi" : "lo", a, b), c, {a, b, c},
                      [&](const auto& x) {
                          Wide sum = value(x[2], c);
                          for (unsigned k = 0; k < 2; ++k)
                              sum +=
                                  packed(x[0], k, 16, a[0]) * packed(x[1], k + 2 * high, 8, b[0]);
                          return cut(sum, c);
                      });
        }
}

TEST_CASE("integer: vabsdiff4 gives the differences of bytes, or adds them up") {
    for (const std::string t : {"u32", "s32"}) {
        const auto difference = [&](const auto& x, unsigned k) {
            const Wide d = packed(x[0], k, 8, t[0]) - packed(x[1], k, 8, t[0]);
            return Bits(d < 0 ? -d : d);
        };
        const std::string opcode = "vabsdiff4.u32." + t + "." + t;
        check(opcode, "u32", {t, t, "u32"}, [&](const auto& x) {
            Bits bytes = 0;
            for (unsigned k = 0; k < 4; ++k) bytes |= difference(x, k) << (8 * k);
            return bytes;
        });
        check(opcode + ".add", "u32", {t, t, "u32"}, [&](const auto& x) {
            Bits sum = x[2];
            for (unsigned k = 0; k < 4; ++k) sum += difference(x, k);
            return sum & 0xffff'ffff;
        });
    }
}

TEST_CASE("integer: pairs of 16-bit numbers, each for itself, and what becomes zero below it") {
    for (const std::string t : {"s16", "u16"}) {
        const auto in_pairs = [&](const std::string& opcode, const Arithmetic& f) {
            check(opcode, t + "x2", {t + "x2", t + "x2"}, [&](const std::vector<Bits>& x) {
                Bits both = 0;
                for (const unsigned at : {0u, 16u})
                    both |=
                        cut(f(value(x[0] >> at & 0xffff, t), value(x[1] >> at & 0xffff, t), 0), t)
                        << at;
                return both;
            });
        };
        in_pairs("add." + t + "x2", [](Wide a, Wide b, Wide) { return a + b; });
        in_pairs("min." + t + "x2", [](Wide a, Wide b, Wide) { return std::min(a, b); });
        in_pairs("max." + t + "x2", [](Wide a, Wide b, Wide) { return std::max(a, b); });
        if (t == "u16") continue;
        const auto min_relu = [](Wide a, Wide b, Wide) {
            return std::max<Wide>(std::min(a, b), 0);
        };
        const auto max_relu = [](Wide a, Wide b, Wide) {
            return std::max<Wide>(std::max(a, b), 0);
        };
        // The PTX ISA has .relu before the type, nvcc's headers have it behind.
        in_pairs("min.relu.s16x2", min_relu);
        in_pairs("min.s16x2.relu", min_relu);
        in_pairs("max.relu.s16x2", max_relu);
        in_pairs("max.s16x2.relu", max_relu);
        for (const std::string form : {"relu.s32", "s32.relu"}) {
            check_numbers("min." + form, "s32", {"s32", "s32"}, min_relu);
            check_numbers("max." + form, "s32", {"s32", "s32"}, max_relu);
        }
    }
}
