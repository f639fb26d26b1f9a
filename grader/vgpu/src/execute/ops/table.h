// The instruction table: finds the handler of a PTX instruction.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "decode/encoder.h"
#include "execute/ops/forms.h"
#include "execute/ops/row.h"

//     rows       most instructions: a name, the shape of the operands, a handler (row.h)
//     forms      handlers by registers and types, for builders (forms.h)
//     builders   where operands or modifiers need thought: a function for all forms of an opcode

namespace vgpu {

/// All of it, for a decoder; for the best instruction set that this processor has.
const InstructionSet& instruction_set();

/// Throws std::runtime_error with the remedy where nothing is compiled that this processor can run.
void require_host_isa();

using Builder = void (*)(Encoder&);
struct BuilderRow {
    std::string_view opcode;
    Builder build = nullptr;
    std::string_view file;
};
std::span<const BuilderRow> move_builders();
std::span<const BuilderRow> compare_builders();
std::span<const BuilderRow> convert_builders();
std::span<const BuilderRow> carry_builders();
std::span<const BuilderRow> access_builders();
std::span<const BuilderRow> atomic_builders();
std::span<const BuilderRow> copy_builders();
std::span<const BuilderRow> control_builders();
std::span<const BuilderRow> call_builders();
std::span<const BuilderRow> barrier_builders();
std::span<const BuilderRow> exchange_builders();
std::span<const BuilderRow> texture_builders();
std::span<const BuilderRow> mbarrier_builders();
std::span<const BuilderRow> matrix_builders();

/// For what cannot be executed (impossible.cpp).
Handler unsupported_handler();
Handler undefined_function_handler();

/// For what has no effect here: hints, and orders that hold already.
Flow execute_nothing(Warp&, const Insn&, Mask);
void build_nothing(Encoder&);

/// cp.async.mbarrier.arrive, which begins as copies do.
void build_arrival_of_copies(Encoder&);

/// A row by its name, for the host's instruction set. Throws Unsupported when there is none.
const Row& row(std::string_view name);
/// The same for what no opcode names alone.
Handler handler(const Form&);
/// Copies a register.
Handler move_handler(Cell);
/// Takes a floating-point modifier into Insn::modifiers; false when it is none.
bool take_modifier(Modifiers&, std::string_view);
/// Sets handler and operands from a row whose operands are the instruction's.
void apply(Encoder&, const Row&);

}  // namespace vgpu
