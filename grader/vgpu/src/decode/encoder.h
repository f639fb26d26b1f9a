// Turns one PTX instruction into an Insn, for the instruction builders (execute/ops/).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "decode/instruction_set.h"
#include "decode/liveness.h"
#include "state/code.h"

//     void build_selp(Encoder& e) {
//         e.insn.execute = ...;
//         e.result(0, Cell::word);      operand 0 is written, and has 4-byte lanes
//         e.source(1, Cell::word);
//     }
//
// A builder refuses an unknown form with Unsupported. The launch that executes the instruction then
// stops there and says so.

namespace vgpu {

/// Why an instruction cannot be executed, in words that follow its full opcode.
struct Unsupported {
    std::string reason;
};

/// Offsets of the two 8-byte registers that a 128-bit one consists of, the lower first.
using Halves = std::array<std::uint32_t, 2>;

/// Thrown for a call of a function that no module defines.
struct UndefinedFunction {
    std::string name;
};

/// A variable as code sees it.
struct Symbol {
    Space space = Space::global;
    std::uint64_t value = 0;  ///< an address in its own state space
    bool in_frame = false;    ///< `value` counts from the begin of the thread's current frame
};

/// Names of one function.
struct Scope {
    const InstructionSet* instructions = nullptr;
    const ptx::Function* function = nullptr;
    const ControlFlow* flow = nullptr;
    std::uint32_t first = 0;  ///< pc of its first instruction
    std::uint32_t frame_bytes = 0;
    std::unordered_map<std::string, std::pair<Cell, std::uint32_t>> registers;  ///< offset
    std::unordered_map<std::string, Symbol> symbols;
    const std::unordered_map<std::string, Symbol>* module_symbols = nullptr;  ///< beneath them
    std::unordered_map<std::string, Signature> prototypes;  ///< of calls through pointers
};

/// A place in each warp's registers. Throws Error when a kernel wants more than any needs.
std::uint32_t take_registers(Image&, std::uint64_t bytes);

class Encoder {
public:
    Encoder(Image& image, const Scope& scope, const ptx::Instruction& instruction, Insn& target);

    const ptx::Instruction& ptx;
    Insn& insn;
    Image& image;
    const Scope& scope;

    std::size_t operand_count() const { return ptx.operands.size(); }
    /// The PTX operand at `index`, refusing instructions that have fewer.
    const ptx::Operand& operand(std::size_t index) const;

    /// Places PTX operand `index` in Insn::operand[index].
    void result(std::size_t index, Cell);
    void source(std::size_t index, Cell, bool is_float = false);
    /// The offset of a register that is written; `_` gives one that nobody reads.
    std::uint32_t result_of(const ptx::Operand&, Cell);
    /// The offset of a register that holds the operand's value.
    std::uint32_t source_of(const ptx::Operand&, Cell, bool is_float = false);
    /// A register of 128 bits, read or written; `_` gives one that nobody reads.
    Halves halves(const ptx::Operand&);
    /// The cell of a register operand; `fallback` for immediates and the like.
    Cell cell_of_operand(const ptx::Operand&, Cell fallback) const;
    /// Puts the base of [base + offset] into Insn::operand[slot], its offset into Insn::immediate,
    /// both as generic addresses. Insn::space and Insn::generic must be set.
    void address(const ptx::Operand&, std::size_t slot);

    std::uint32_t constant(Cell, std::uint64_t bits);
    std::uint32_t special(const SpecialRegister&, Cell);
    std::uint32_t scratch(Cell);
    const Symbol* symbol(const std::string& name) const;
    /// A label's pc.
    std::uint32_t label(const std::string& name) const;
    /// Where the paths that this branch splits meet again.
    std::uint32_t reconvergence() const;

private:
    std::uint32_t append(Cell);
};

}  // namespace vgpu
