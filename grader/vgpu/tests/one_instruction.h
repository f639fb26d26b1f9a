// Runs one PTX instruction on many operands: a generated kernel loads its operands from memory, one
// set a thread, and stores its result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vgpu::test {

/// Bits of an operand or result, zero-extended.
using Bits = std::uint64_t;

/// Executes e.g. "add.s32" with results of type "s32" from operands of types {"s32", "s32"}; "pred"
/// operands and results are 0 or 1. `sets[i]` holds thread i's operands. With `skip_odd`, threads
/// of odd number do not execute it and return `kSkipped`. An opcode with a ';' in it stands for
/// whole instructions, which read %operand0, ... and write %result; %h0 to %h3, %w0 to %w3, %d0 to
/// %d3 and %p0 to %p3 are free registers of 16, 32, 64 bits and predicates.
std::vector<Bits> run_instruction(const std::string& opcode, const std::string& result,
                                  const std::vector<std::string>& operands,
                                  const std::vector<std::vector<Bits>>& sets,
                                  bool skip_odd = false);
inline constexpr Bits kSkipped = 0x5151'5151'5151'5151;

/// Zero, one, the ends of the range and what lies around them; for floats also infinities, NaN,
/// subnormals and halves; then a few random ones.
std::vector<Bits> values_of(const std::string& type);
/// All combinations of values for the given types.
std::vector<std::vector<Bits>> combinations(const std::vector<std::string>& types);

unsigned bits_of(const std::string& type);

}  // namespace vgpu::test
