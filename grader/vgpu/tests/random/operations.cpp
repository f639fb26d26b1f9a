// The instructions that random programs are made of. Each opcode has tests of its own elsewhere:
// here they only have to mix, and to give bits that later ones depend on.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/random/program.h"

namespace vgpu::test::random {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

constexpr u32 low(u64 x) {
    return static_cast<u32>(x);
}
constexpr s32 sign(u64 x) {
    return static_cast<s32>(low(x));
}
float real(u64 x) {
    return std::bit_cast<float>(low(x));
}
/// PTX knows one NaN as a result of f32.
u64 bits(float x) {
    return x != x ? 0x7fff'ffff : std::bit_cast<u32>(x);
}
u64 to_integer(float x) {
    if (x != x) return 0;
    if (x >= 0x1p31f) return 0x7fff'ffff;
    if (x < -0x1p31f) return 0x8000'0000;
    return low(static_cast<u64>(static_cast<s64>(x)));
}
u64 least(float a, float b) {
    if (a != a || b != b) return bits(a != a ? b : a);
    return a == b ? bits(std::signbit(a) ? a : b) : bits(a < b ? a : b);
}

#define DO(expression) \
    [](u64 a, u64 b, u64 c) -> u64 { return static_cast<void>(a + b + c), (expression); }

constexpr Operation kOperations[] = {
    {"add.u32", 'w', "wi", DO(low(a + b))},
    {"sub.s32", 'w', "wi", DO(low(a - b))},
    {"mul.lo.u32", 'w', "wi", DO(low(a* b))},
    {"mul.hi.u32", 'w', "ww", DO(a* b >> 32)},
    {"mul.hi.s32", 'w', "wi", DO(low(u64(s64(sign(a)) * sign(b) >> 32)))},
    {"mad.lo.s32", 'w', "wiw", DO(low(a* b + c))},
    {"div.u32", 'w', "wn", DO(a / b)},
    {"rem.u32", 'w', "wn", DO(a % b)},
    {"div.s32", 'w', "wn", DO(low(u64(s64(sign(a)) / sign(b))))},
    {"rem.s32", 'w', "wn", DO(low(u64(s64(sign(a)) % sign(b))))},
    {"and.b32", 'w', "wi", DO(a& b)},
    {"or.b32", 'w', "wi", DO(a | b)},
    {"xor.b32", 'w', "wi", DO(a ^ b)},
    {"not.b32", 'w', "w", DO(low(~a))},
    {"shl.b32", 'w', "wi", DO(b > 31 ? 0 : low(a << b))},
    {"shr.u32", 'w', "wi", DO(b > 31 ? 0 : a >> b)},
    {"shr.s32", 'w', "wi", DO(low(u64(s64(sign(a)) >> (b > 31 ? 31 : b))))},
    {"shf.l.wrap.b32", 'w', "www", DO((a | b << 32) << (c & 31) >> 32)},
    {"min.u32", 'w', "wi", DO(a < b ? a : b)},
    {"max.s32", 'w', "wi", DO(sign(a) > sign(b) ? a : b)},
    {"popc.b32", 'w', "w", DO(u64(std::popcount(low(a))))},
    {"clz.b32", 'w', "w", DO(u64(std::countl_zero(low(a))))},
    {"mov.b32", 'w', "i", DO(a)},
    {"selp.b32", 'w', "wip", DO(c != 0 ? a : b)},

    {"add.rn.f32", 'w', "ww", DO(bits(real(a) + real(b)))},
    {"mul.rn.f32", 'w', "ww", DO(bits(real(a) * real(b)))},
    {"fma.rn.f32", 'w', "www", DO(bits(std::fma(real(a), real(b), real(c))))},
    {"div.rn.f32", 'w', "ww", DO(bits(real(a) / real(b)))},
    {"sqrt.rn.f32", 'w', "w", DO(bits(std::sqrt(real(a))))},
    {"min.f32", 'w', "ww", DO(least(real(a), real(b)))},
    {"cvt.rn.f32.s32", 'w', "w", DO(bits(static_cast<float>(sign(a))))},
    {"cvt.rn.f32.u32", 'w', "w", DO(bits(static_cast<float>(low(a))))},
    {"cvt.rzi.s32.f32", 'w', "w", DO(to_integer(real(a)))},

    {"mul.wide.u32", 'd', "wi", DO(a* b)},
    {"mad.wide.s32", 'd', "wwd", DO(u64(s64(sign(a)) * sign(b)) + c)},
    {"add.u64", 'd', "dd", DO(a + b)},
    {"mul.lo.s64", 'd', "dd", DO(a* b)},
    {"xor.b64", 'd', "dd", DO(a ^ b)},
    {"shr.s64", 'd', "di", DO(u64(static_cast<s64>(a) >> (b > 63 ? 63 : b)))},
    {"cvt.s64.s32", 'd', "w", DO(u64(s64(sign(a))))},
    {"cvt.u32.u64", 'w', "d", DO(low(a))},
    {"selp.b64", 'd', "ddp", DO(c != 0 ? a : b)},

    {"setp.lt.u32", 'p', "wi", DO(a < b)},
    {"setp.ge.s32", 'p', "wi", DO(sign(a) >= sign(b))},
    {"setp.eq.u32", 'p', "wi", DO(a == b)},
    {"setp.ne.and.b32", 'p', "wip", DO(a != b && c != 0)},
    {"setp.gt.u64", 'p', "dd", DO(a > b)},
    {"setp.lt.f32", 'p', "ww", DO(real(a) < real(b))},
    {"setp.neu.f32", 'p', "ww", DO(!(real(a) == real(b)))},
    {"and.pred", 'p', "pp", DO(a& b)},
    {"xor.pred", 'p', "pp", DO(a ^ b)},
    {"not.pred", 'p', "p", DO(a ^ 1)},
};

#undef DO

}  // namespace

std::span<const Operation> operations() {
    return kOperations;
}

}  // namespace vgpu::test::random
