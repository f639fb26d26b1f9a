#include "state/pipes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "state/instruction_class.h"

namespace vgpu {
namespace {

template <std::size_t N>
using Names = std::array<std::string_view, N>;

template <std::size_t N>
bool is_one_of(std::string_view name, const Names<N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr Names<8> kOnXu{"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"};
constexpr Names<6> kCountBits{"popc", "clz", "bfind", "brev", "div", "rem"};
constexpr Names<7> kMultiplyIntegers{"mul", "mad", "mul24", "mad24", "madc", "dp4a", "dp2a"};
constexpr Names<4> kAddFloats{"add", "sub", "mul", "fma"};
constexpr Names<4> kOnTensor{"mma", "wmma", "wgmma", "tcgen05"};
constexpr Names<6> kOnLsu{"shfl", "prefetch", "prefetchu", "ldmatrix", "stmatrix", "movmatrix"};
/// Of doubles and halves, too, these only move or choose bits.
constexpr Names<6> kMoves{"mov", "selp", "slct", "prmt", "cvta", "shf"};

bool is_half_type(std::string_view type) {
    return type == "f16" || type == "bf16" || type == "f16x2" || type == "bf16x2";
}

/// Between floats of 32 and 16 bits a conversion is plain arithmetic; between floats and integers,
/// and to or from doubles, it is a function.
Pipe pipe_of_conversion(const ptx::Instruction& instruction) {
    bool has_float = false, has_other = false;
    for (const auto& modifier : instruction.modifiers) {
        const auto type = ptx::parse_type(modifier);
        if (!type) continue;
        const bool is_narrow_float = type->kind == 'f' && type->bits <= 32;
        has_float |= type->kind == 'f';
        has_other |= !is_narrow_float;
    }
    return has_float && has_other ? Pipe::xu : Pipe::alu;
}

Pipe pipe_of_arithmetic(const ptx::Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    if (is_one_of(opcode, kMoves)) return Pipe::alu;
    if (opcode == "cvt") return pipe_of_conversion(instruction);
    if (is_one_of(opcode, kOnTensor)) return Pipe::tensor;
    if (instruction.has("f64")) return Pipe::fp64;
    if (is_one_of(opcode, kOnXu) || is_one_of(opcode, kCountBits)) return Pipe::xu;
    if (std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(), is_half_type))
        return Pipe::fp16;
    if (instruction.has("f32")) return is_one_of(opcode, kAddFloats) ? Pipe::fma : Pipe::alu;
    return is_one_of(opcode, kMultiplyIntegers) ? Pipe::fma : Pipe::alu;
}

}  // namespace

Pipe pipe_of(const ptx::Instruction& instruction) {
    const bool by_name = instruction.has("param");
    switch (kind_of(instruction)) {
        case Kind::load:
            return by_name || instruction.has("const") ? Pipe::adu : Pipe::lsu;
        case Kind::store:
            return by_name ? Pipe::alu : Pipe::lsu;
        case Kind::atomic:
        case Kind::copy:
        case Kind::fence:
            return Pipe::lsu;
        case Kind::barrier:
            return Pipe::adu;
        case Kind::branch:
        case Kind::call:
        case Kind::leave:
            return Pipe::cbu;
        case Kind::warp_sync:
            if (instruction.opcode == "bar") return Pipe::cbu;
            break;
        default:
            break;
    }
    return is_one_of(instruction.opcode, kOnLsu) ? Pipe::lsu : pipe_of_arithmetic(instruction);
}

Flop flop_of(const ptx::Instruction& instruction) {
    const bool is_double = instruction.has("f64");
    if (!is_double && !instruction.has("f32")) return Flop::none;
    const std::string_view opcode = instruction.opcode;
    if (opcode == "add" || opcode == "sub") return is_double ? Flop::dadd : Flop::fadd;
    if (opcode == "mul") return is_double ? Flop::dmul : Flop::fmul;
    if (opcode == "fma" || opcode == "mad") return is_double ? Flop::dfma : Flop::ffma;
    return Flop::none;
}

std::uint8_t pipe_uses(const ptx::Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    const bool divides = opcode == "div" || opcode == "sqrt" || opcode == "rcp";
    // 64 steps of Newton's method in double take 8 cycles each on an H200, of which a division has
    // all but three double instructions.
    constexpr std::uint8_t kDouble = 12;
    // The reciprocal, and the check whether it is good enough (not measured).
    constexpr std::uint8_t kFloat = 2;
    if (divides && instruction.has("f64") && !instruction.has("approx")) return kDouble;
    if (opcode == "div" && instruction.has("f32") && instruction.has("rn")) return kFloat;
    return 1;
}

bool is_folded(const ptx::Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "cvta") return true;
    if (opcode == "ld") return instruction.has("param");
    if (opcode == "neg" || opcode == "abs") return instruction.has("f32") || instruction.has("f64");
    // What a special register holds has to be fetched.
    return opcode == "mov" && instruction.operands.size() == 2 &&
           !instruction.operands[1].text.starts_with("%tid") &&
           !instruction.operands[1].text.starts_with("%ctaid");
}

}  // namespace vgpu
