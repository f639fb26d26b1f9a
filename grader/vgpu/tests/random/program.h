// Random programs with structured control flow, in two forms: PTX for the virtual GPU, and a tree
// that plain C++ evaluates one thread at a time. Both must leave the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Use:
//
//     const Tree tree = generate(seed);
//     ptx(tree)                     the text of a kernel "random(.u64 slots, .u64 table)"
//     evaluate(tree, slots, table)  what it does to memory
//
// Every thread has kSlotBytes of global memory to itself, as much local memory, and registers:
// kWords of 32 bits, kWides of 64 and kPredicates. All threads add into a table of kTableWords
// words. Functions are the same with registers of their own.

namespace vgpu::test::random {

inline constexpr std::uint32_t kWords = 6, kWides = 3, kPredicates = 4;
inline constexpr std::uint32_t kSlotBytes = 64, kTableWords = 16;

/// An instruction from registers to a register. Kinds: 'w' a word, 'd' a wide one, 'p' a predicate,
/// 'i' a word or an immediate, 'n' an immediate of at least 2.
struct Operation {
    std::string_view opcode;
    char result;
    std::string_view operands;
    std::uint64_t (*apply)(std::uint64_t a, std::uint64_t b, std::uint64_t c);
};
std::span<const Operation> operations();

struct Operand {
    bool is_immediate = false;
    std::uint32_t value = 0;  ///< the immediate, or the register's number
};

enum class Does : std::uint8_t {
    operate,  ///< operation, to, from
    load,     ///< width; from[0]: where; to
    store,    ///< width; from[0]: where, from[1]: what
    add,      ///< into the table: from[0]: where, from[1]: what
    call,     ///< function `index`; from[0], from[1]: arguments; to
    branch,   ///< bodies[0] if predicate `index` is `value`, else bodies[1]
    loop,     ///< bodies[0], from[0] % 8 times; tested at its end if `value` is 1
    stop,     ///< ends the innermost loop, if predicate `index` is `value`
    skip,     ///< goes on with its next round, if predicate `index` is `value`
    choose,   ///< bodies[from[0] % 4]; falls through to the next where bit k of `value` is set
    leave,    ///< the function or kernel, if predicate `index` is `value`
    // What threads do together; only where all of a block (or of `lanes`) are.
    exchange,  ///< through shared memory: from[0] of thread `index` * i + `value`: to
    count,     ///< barrier that counts the threads with predicate `index`: to
    rounds,    ///< bodies[0], `value` times
    halves,    ///< lanes with bit `index` of their number: bodies[0]; others: bodies[1]
    shuffle,   ///< from[0] to `to`; of lane ^ `value`
    pick,      ///< from[0] of the lane that from[1] says
    vote,      ///< ballot of predicate `index`: to
};

struct Statement {
    Does does{};
    const Operation* operation = nullptr;
    std::uint32_t to = 0, index = 0, value = 0;
    std::vector<Operand> from;
    char width = 'w';         ///< of memory: 'b' s8, 'h' u16, 'w' b32, 'd' b64
    bool is_local = false;    ///< memory: local instead of global
    std::uint32_t guard = 0;  ///< of operate: 0, or 1 + predicate, + kPredicates if negated
    std::uint32_t fixed = 0, fixed_to = 0;  ///< lanes here: those whose number & fixed == fixed_to
    bool out_of_line = false;               ///< branch: bodies[1] stands behind the kernel's end
    std::vector<std::vector<Statement>> bodies;

    bool are_together(std::uint32_t lane) const { return (lane & fixed) == fixed_to; }
};
using Body = std::vector<Statement>;

/// Takes two words, gives word 0.
struct Function {
    Body body;
};

struct Tree {
    std::uint64_t seed = 0;
    std::uint32_t blocks = 1, threads = 32;
    std::vector<Function> functions;  ///< call only those before them
    Body body;                        ///< what threads do together, and by themselves between that
    Body tail;                        ///< each by itself, and some leave
};

Tree generate(std::uint64_t seed);
std::string ptx(const Tree&);
/// slots: kSlotBytes a thread; table: kTableWords.
void evaluate(const Tree&, std::span<std::byte> slots, std::span<std::uint32_t> table);

}  // namespace vgpu::test::random
