// Logic, shifts and bit fields against loops over single bits.
#include <algorithm>
#include <cstdlib>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

Bits ones(unsigned count) {
    return count == 0 ? 0 : ~Bits{0} >> (64 - count);
}
bool bit(Bits x, unsigned i) {
    return (x >> i & 1) != 0;
}
Bits from_bits(unsigned size, const std::function<bool(unsigned)>& f) {
    Bits x = 0;
    for (unsigned i = 0; i < size; ++i) x |= Bits{f(i)} << i;
    return x;
}
int highest(Bits x, unsigned size) {
    for (int i = static_cast<int>(size) - 1; i >= 0; --i)
        if (bit(x, static_cast<unsigned>(i))) return i;
    return -1;
}

}  // namespace

TEST_CASE("bits: and, or, xor, not, cnot on 16, 32, 64 bits and predicates") {
    for (const std::string t : {"b16", "b32", "b64", "pred"}) {
        check("and." + t, t, {t, t}, [](const auto& x) { return x[0] & x[1]; });
        check("or." + t, t, {t, t}, [](const auto& x) { return x[0] | x[1]; });
        check("xor." + t, t, {t, t}, [](const auto& x) { return x[0] ^ x[1]; });
        check("not." + t, t, {t}, [&](const auto& x) { return ~x[0] & ones(bits_of(t)); });
        if (t != "pred") check("cnot." + t, t, {t}, [](const auto& x) { return Bits{x[0] == 0}; });
    }
}

TEST_CASE("bits: lop3 looks every bit up in its table") {
    for (const unsigned table : {0x00u, 0xffu, 0x80u, 0x96u, 0xe8u, 0x1du})
        check("lop3.b32 %result, %operand0, %operand1, %operand2, " + std::to_string(table) + ";",
              "b32", {"b32", "b32", "b32"}, [=](const auto& x) {
                  return from_bits(32, [&](unsigned i) {
                      return bit(table, 4u * bit(x[0], i) + 2u * bit(x[1], i) + bit(x[2], i));
                  });
              });
}

TEST_CASE("bits: shl and shr clamp their amount at the width") {
    for (const std::string size : {"16", "32", "64"}) {
        const unsigned n = bits_of("b" + size);
        check("shl.b" + size, "b" + size, {"b" + size, "u32"}, [=](const auto& x) {
            return from_bits(
                n, [&](unsigned i) { return i >= x[1] && bit(x[0], i - unsigned(x[1])); });
        });
        for (const std::string kind : {"b", "u", "s"}) {
            check("shr." + kind + size, kind + size, {kind + size, "u32"}, [=](const auto& x) {
                return from_bits(n, [&](unsigned i) {
                    const bool sign = kind == "s" && bit(x[0], n - 1);
                    return i + x[1] < n ? bit(x[0], i + unsigned(x[1])) : sign;
                });
            });
        }
    }
}

TEST_CASE("bits: shf shifts 64 bits and keeps a half") {
    for (const bool wrap : {false, true}) {
        const std::string mode = wrap ? "wrap" : "clamp";
        const auto amount = [=](Bits n) { return unsigned(wrap ? n & 31 : std::min<Bits>(n, 32)); };
        check("shf.l." + mode + ".b32", "b32", {"b32", "b32", "u32"}, [=](const auto& x) {
            const unsigned n = amount(x[2]);
            return from_bits(
                32, [&](unsigned i) { return i >= n ? bit(x[1], i - n) : bit(x[0], 32 + i - n); });
        });
        check("shf.r." + mode + ".b32", "b32", {"b32", "b32", "u32"}, [=](const auto& x) {
            const unsigned n = amount(x[2]);
            return from_bits(32, [&](unsigned i) {
                return i + n < 32 ? bit(x[0], i + n) : bit(x[1], i + n - 32);
            });
        });
    }
}

TEST_CASE("bits: prmt picks bytes, or their signs") {
    const auto byte = [](const std::vector<Bits>& x, Bits selector) {
        const Bits source = (selector & 4) != 0 ? x[1] : x[0];
        const Bits value = source >> (8 * (selector & 3)) & 0xff;
        return (selector & 8) == 0 ? value : value >= 0x80 ? Bits{0xff} : Bits{0};
    };
    for (const std::string selectors :
         {"0x3210", "0x7654", "0x0123", "0xba98", "0xfedc", "0x4460"}) {
        check("prmt.b32 %result, %operand0, %operand1, " + selectors + ";", "b32", {"b32", "b32"},
              [&](const auto& x) {
                  const Bits s = std::stoul(selectors, nullptr, 16);
                  Bits result = 0;
                  for (unsigned i = 0; i < 4; ++i) result |= byte(x, s >> (4 * i) & 15) << (8 * i);
                  return result;
              });
    }
    // The modes' tables, as the PTX ISA prints them: bytes for c = 0, 1, 2, 3, highest first.
    const std::vector<std::pair<std::string, std::vector<Bits>>> modes{
        {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
    for (const auto& [mode, table] : modes)
        check("prmt.b32." + mode, "b32", {"b32", "b32", "u32"}, [&](const auto& x) {
            Bits result = 0;
            for (unsigned i = 0; i < 4; ++i)
                result |= byte(x, table[x[2] & 3] >> (4 * i) & 15) << (8 * i);
            return result;
        });
}

TEST_CASE("bits: bfe and bfi take positions and lengths modulo 256") {
    for (const std::string t : {"u32", "s32", "u64", "s64"}) {
        const unsigned n = bits_of(t);
        check("bfe." + t, t, {t, "u32", "u32"}, [=](const auto& x) {
            const unsigned position = x[1] & 0xff, length = x[2] & 0xff, most = n - 1;
            const unsigned end = std::min(position + length - 1, most);
            const bool sign = t[0] == 's' && length != 0 && bit(x[0], end);
            return from_bits(n, [&](unsigned i) {
                return i < length && position + i <= most ? bit(x[0], position + i) : sign;
            });
        });
    }
    for (const std::string t : {"b32", "b64"}) {
        const unsigned n = bits_of(t);
        for (const unsigned position : {0u, 1u, 5u, 31u, 32u, 63u, 64u, 255u})
            check("bfi." + t + " %result, %operand0, %operand1, " + std::to_string(position) +
                      ", %operand2;",
                  t, {t, t, "u32"}, [=](const auto& x) {
                      const unsigned p = position & 0xff, length = x[2] & 0xff;
                      return from_bits(n, [&](unsigned i) {
                          return i >= p && i < p + length ? bit(x[0], i - p) : bit(x[1], i);
                      });
                  });
    }
}

TEST_CASE("bits: popc, clz, brev, bfind count and find bits") {
    for (const std::string size : {"32", "64"}) {
        const unsigned n = bits_of("b" + size);
        check("popc.b" + size, "u32", {"b" + size}, [=](const auto& x) {
            Bits count = 0;
            for (unsigned i = 0; i < n; ++i) count += bit(x[0], i);
            return count;
        });
        check("clz.b" + size, "u32", {"b" + size},
              [=](const auto& x) { return Bits(int(n) - 1 - highest(x[0], n)); });
        check("brev.b" + size, "b" + size, {"b" + size}, [=](const auto& x) {
            return from_bits(n, [&](unsigned i) { return bit(x[0], n - 1 - i); });
        });
        for (const std::string kind : {"u", "s"}) {
            const auto find = [=](Bits x) {
                const bool negative = kind == "s" && bit(x, n - 1);
                return highest(negative ? ~x & ones(n) : x, n);
            };
            check("bfind." + kind + size, "u32", {kind + size},
                  [=](const auto& x) { return Bits(find(x[0])) & ones(32); });
            check("bfind.shiftamt." + kind + size, "u32", {kind + size}, [=](const auto& x) {
                const int at = find(x[0]);
                return at < 0 ? ones(32) : Bits(int(n) - 1 - at);
            });
        }
    }
}

TEST_CASE("bits: bmsk makes a field of ones") {
    check("bmsk.clamp.b32", "b32", {"u32", "u32"}, [](const auto& x) {
        return from_bits(32, [&](unsigned i) { return i >= x[0] && i - x[0] < x[1]; });
    });
    check("bmsk.wrap.b32", "b32", {"u32", "u32"}, [](const auto& x) {
        return from_bits(
            32, [&](unsigned i) { return i >= (x[0] & 31) && i < (x[0] & 31) + (x[1] & 31); });
    });
}

TEST_CASE("bits: szext keeps a number's low bits and its sign") {
    for (const std::string t : {"u32", "s32"})
        for (const std::string mode : {"clamp", "wrap"})
            check("szext." + mode + "." + t, t, {t, "u32"}, [&](const auto& x) {
                const auto length = unsigned(mode == "wrap" ? x[1] % 32 : std::min<Bits>(x[1], 32));
                return from_bits(32, [&](unsigned i) {
                    if (i < length) return bit(x[0], i);
                    return t == "s32" && length != 0 && bit(x[0], length - 1);
                });
            });
}

TEST_CASE("bits: fns finds the n-th set bit upwards or downwards") {
    std::vector<std::vector<Bits>> sets;
    for (const Bits mask : {0ull, 1ull, 0x8000'0000ull, 0xffff'ffffull, 0x00f0'0120ull})
        for (const Bits base : {0ull, 5ull, 8ull, 20ull, 31ull})
            for (const int n : {0, 1, 2, 5, 40, -1, -2, -6})
                sets.push_back({mask, base, Bits(std::uint32_t(n))});
    const auto got = run_instruction("fns.b32", "b32", {"b32", "b32", "s32"}, sets);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const int n = int(std::uint32_t(sets[i][2]));
        std::vector<unsigned> found;  // the set bits in the order in which they are met
        for (int at = int(sets[i][1]); at >= 0 && at < 32; at += n < 0 ? -1 : 1)
            if (bit(sets[i][0], unsigned(at))) found.push_back(unsigned(at));
        const std::size_t wanted = n == 0 ? 1 : std::size_t(std::abs(n));
        const bool there = found.size() >= wanted && (n != 0 || found[0] == sets[i][1]);
        INFO(sets[i][0] << " " << sets[i][1] << " " << n);
        CHECK(got[i] == (there ? found[wanted - 1] : 0xffff'ffff));
    }
}
