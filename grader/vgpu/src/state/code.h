// Decoded code, which the interpreter's loop and the instructions' handlers share. One register
// file a warp holds all registers; an operand is a byte offset into it.
#pragma once

#include <array>
#include <bitset>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"
#include "state/instruction_class.h"
#include "state/pipes.h"
#include "vgpu/device.h"

// A register is an array of 32 lanes, 4 or 8 bytes a lane; a predicate is one 32-bit mask.
// Immediates and special registers (%tid.x) are registers, too, filled in before the warp starts:
// so there is one operand kind.
//
//     for each function  | predicates | 4-byte cells, 128 bytes | 8-byte, 256 bytes |
//     then for all       | constants and special registers |
//
// The three kinds never share a byte: lanes that took different paths may hold different registers
// in one slot, and cells of different size would overlap a neighbour's.

namespace vgpu {

struct Warp;
struct Insn;
struct SpecialRegister;

/// One bit a lane.
using Mask = std::uint32_t;
inline constexpr unsigned kWarpSize = 32;
inline constexpr Mask kAllLanes = ~Mask{0};

/// How many lanes a mask has. By hand: without -mpopcnt the compiler calls a library function,
/// which took 6 % of the interpreter's time.
constexpr std::uint32_t lane_count(Mask mask) {
    mask -= mask >> 1 & 0x5555'5555;
    mask = (mask & 0x3333'3333) + (mask >> 2 & 0x3333'3333);
    mask = (mask + (mask >> 4)) & 0x0f0f'0f0f;
    return mask * 0x0101'0101 >> 24;
}

/// What the interpreter does after an instruction.
enum class Flow : std::uint8_t {
    next,   ///< go on: with the next instruction, or wherever the paths now point
    wait,   ///< the running path waits, or is gone: choose another
    yield,  ///< give the other warps a turn
    stop,   ///< the launch is over: Execution::outcome says how
};

/// Executes one instruction for the lanes in `active` (which may be none).
using Handler = Flow (*)(Warp&, const Insn&, Mask active);

/// What PTX lets many floating-point instructions say besides their operation and type.
struct Modifiers {
    enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
    Rounding rounding = Rounding::none;
    bool flush_subnormals = false;  // .ftz
    bool saturate = false;          // .sat

    /// Nothing said that changes the result of round-to-nearest arithmetic.
    bool plain() const { return rounding <= Rounding::rn && !flush_subnormals && !saturate; }
};

/// One decoded instruction. Instruction i of a PTX function is Insn first + i of its image.
struct Insn {
    Handler execute = nullptr;
    std::array<std::uint32_t, 6> operand{};  ///< offsets into the register file, by position
    std::uint32_t guard = 0;                 ///< offset of the guarding predicate
    Mask guard_flip = 0;                     ///< all ones for @!p
    std::int64_t immediate = 0;  ///< address offset, membar level, ...: the handler's business
    std::uint32_t pc = 0;
    std::uint32_t stretch = 1;        ///< instructions that run straight on from here, at least 1
    std::uint32_t access = 0;         ///< memory: which of the image's accesses
    std::uint32_t target = 0;         ///< branches: where to
    std::uint32_t reconvergence = 0;  ///< branches: where the paths meet again
    Modifiers modifiers;
    Space space = Space::global;  ///< memory: which; meaningless when `generic`
    bool generic = false;
    bool wide_address = true;  ///< the address register has 8-byte lanes
    Kind kind = Kind::plain;
    bool strong = false;       ///< memory: volatile, relaxed, acquire, release, atomic
    bool in_block = false;     ///< atomics: holds among the threads of a block only (.cta)
    bool reduces = false;      ///< atomics: nobody reads the old value
    bool overwrites = false;   ///< atomics: store what they are given, nobody reads the old value
    bool accumulates = false;  ///< atomics: add an amount, and nobody reads the old value
    bool releases = false;     ///< memory: orders what came before it, without a fence
    bool one_by_one = false;   ///< atomics: lanes at one address are not joined
    std::uint8_t access_bytes = 0;  ///< memory: bytes a lane
    /// The same as counted: of all loads that ptxas joins with this one; 0 where it is joined with
    /// another (load_coalescing.h).
    std::uint8_t counted_bytes = 0;
    std::uint8_t vector = 1;                       ///< elements a lane
    std::uint8_t option = 0;                       ///< a handler's own variant
    std::uint32_t used_bytes = ~std::uint32_t{0};  ///< loads: a bit a byte that is not padding
};

/// Insn::option of a load whose result only goes back to local memory: a copy of an object, which
/// may well have parts that nobody ever sets.
inline constexpr std::uint8_t kCopiesObject = 1;

inline constexpr std::uint32_t kNever = ~std::uint32_t{0};  ///< a pc that no path reaches

/// Bytes copied from one place of a thread's local memory to another around a call.
struct FrameCopy {
    std::uint32_t from = 0, to = 0, bytes = 0;
};

/// A register in the register file; of 4 bytes: a predicate.
struct RegisterPlace {
    std::uint32_t at = 0, bytes = 0;
};

/// Where a function's parameters or results lie in its frame.
struct FramePlace {
    std::uint32_t at = 0, bytes = 0;
    friend auto operator<=>(const FramePlace&, const FramePlace&) = default;
};
struct Signature {
    std::vector<FramePlace> parameters, results;
    std::uint32_t end = 0;  ///< behind them
    friend auto operator<=>(const Signature&, const Signature&) = default;
};

/// A function whose address the program takes, as a call through a pointer finds it.
struct Callee {
    std::string name;
    Address address = 0;
    std::uint32_t entry = 0, frame_bytes = 0;
    Signature signature;
};

/// What a call instruction needs; Insn::immediate is its index.
struct CallSite {
    std::string callee;
    bool through_pointer = false;  ///< to whatever function of this signature
    Signature signature;
    std::uint32_t entry = 0;        ///< pc of the callee
    std::uint32_t frame_bytes = 0;  ///< the caller's frame: the callee's begins behind it
    std::uint32_t callee_frame_bytes = 0;
    std::vector<FrameCopy> arguments;     ///< from the caller's frame to the callee's
    std::vector<FrameCopy> results;       ///< from the callee's frame to the caller's
    std::uint32_t stack_top_at = kNever;  ///< in the callee's frame, where alloca must be undone
    // The caller's registers, if the call may come back to its code: bytes 0 for other calls.
    std::uint32_t saved_begin = 0, saved_bytes = 0;
    std::uint32_t saved_predicates = 0, saved_words = 0, saved_wides = 0;
    std::uint32_t saved_words_at = 0, saved_wides_at = 0;
    // Functions of the virtual GPU's own: where their arguments and results lie in the frame.
    std::vector<std::uint32_t> builtin_parameters, builtin_results;
};

/// How one wmma.load or wmma.store reaches its matrix: as accesses of all lanes, one a part.
struct MatrixAccess {
    struct Part {
        std::uint32_t line = 0, place = 0;  ///< where lane 0's element lies, in elements
        std::array<std::uint32_t, 2> registers{};
        std::uint8_t shift = 0;  ///< where the element lies in its register, if it is narrower
    };
    std::vector<Part> parts;
    std::vector<std::array<std::uint32_t, 2>> copies;  ///< registers that hold what others do
    Handler execute = nullptr;                         ///< that of a load or store
    std::uint32_t stride = 0;                          ///< 4-byte register: elements a line
    std::uint32_t at = 0;                              ///< 8-byte register: where each lane's lies
    /// 4-byte register: what is in memory where that is a register's part, or turned; 0: neither.
    std::uint32_t as_stored = 0;
    std::uint8_t bits = 0;   ///< an element's
    std::uint8_t step = 1;   ///< elements from a lane to the next in a row of four
    std::uint8_t count = 1;  ///< registers a part
    bool lies_down = false;  ///< a block's lines are those of the memory
    bool turns = false;      ///< of 16 bits: they are once the block has been transposed
};

/// A kernel with every function it calls, ready to run.
struct Image {
    struct Constant {
        std::uint32_t offset = 0;
        std::uint8_t cell_bytes = 4;
        std::uint64_t bits = 0;
    };
    struct Special {
        std::uint32_t offset = 0;
        std::uint8_t cell_bytes = 4;
        const SpecialRegister* special = nullptr;
    };
    struct Function {
        std::string name;
        std::uint32_t begin = 0;
    };
    /// A loop, and what decides whether it goes on (decode/loop_slice.h).
    struct Loop {
        std::uint32_t begin = 0, end = 0;  ///< instructions [begin, end); the last goes back
        bool reads_memory = false;         ///< so that another thread may decide, too
        bool reads_clock = false;          ///< so that it ends by itself
        static constexpr std::size_t kMostRegisters = 192;  ///< of 64 looks, unrolled; chosen
        using Registers = std::bitset<kMostRegisters>;
        std::vector<RegisterPlace> registers;
        std::vector<Registers> live;  ///< of each instruction: whose values are still to be used
    };

    std::string name, demangled;
    std::vector<Insn> code;
    std::vector<std::uint32_t> sources;   ///< of each Insn: index into ptx::Module::sources
    std::vector<Pipe> pipes;              ///< of each Insn
    std::vector<std::uint8_t> pipe_uses;  ///< the same
    std::vector<Flop> flops;              ///< the same
    std::vector<std::uint8_t> folded;     ///< the same: 1 where ptxas needs no instruction
    std::vector<const ptx::Instruction*> instructions;  ///< that became each Insn
    std::vector<Function> functions;                    ///< by ascending begin; [0] is the kernel
    std::vector<Loop> loops;                            ///< that have a slice
    std::vector<CallSite> calls;
    std::vector<Callee> callees;  ///< of calls through pointers, by ascending address
    std::vector<std::vector<std::uint32_t>> branch_tables;
    std::uint32_t accesses = 0;     ///< memory instructions
    bool depends_on_order = false;  ///< of the blocks, though no two of them race
    bool allocates = false;         ///< calls malloc or free: cannot be undone
    std::vector<std::vector<std::uint32_t>> operand_lists;  ///< where Insn::operand is too short
    std::vector<MatrixAccess> matrices;
    std::map<std::uint32_t, std::string> impossible;  ///< by pc: what is missing

    std::uint32_t register_bytes = 0;
    std::uint32_t all_true = 0;  ///< the predicate of unguarded instructions
    std::uint32_t all_false = 0;
    std::uint32_t frame = 0;  ///< 8-byte register: begin of the thread's frame in local memory
    std::uint32_t carry = 0;  ///< the predicate that add.cc sets
    /// 8-byte register: what alloca gives grows down from the end of local memory to here; 0: none.
    std::uint32_t stack_top = 0;
    std::vector<Constant> constants;
    /// Their offsets by their value: of words and of wides.
    std::unordered_map<std::uint64_t, std::uint32_t> words, wides;
    std::vector<Special> specials;
    std::vector<FrameCopy> cleared;  ///< registers that may be read before written: `to`, `bytes`

    std::uint32_t static_shared_bytes = 0, dynamic_shared_offset = 0, local_bytes = 0;
    std::uint32_t reserved_shared_bytes = 0;  ///< before the static ones: CUDA's own
    std::uint32_t most_calls = 0;  ///< one inside the other, before a thread's stack is full
    std::vector<Allocation> shared_variables;  ///< base: offset in shared memory
    const ptx::Module* module = nullptr;
    std::string file;  ///< of the kernel's own source; empty without line information
    KernelInfo info;
};

}  // namespace vgpu
