// A PTX module as the parser hands it on: names still text, nothing decided about execution.
//
//     text --lexer--> tokens --parser--> ptx::Module --machine/decode--> code that runs
//
// The parser knows PTX's grammar, not its instruction set: any opcode parses. What an opcode means,
// and whether the virtual GPU has it, is decode's business.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vgpu::ptx {

/// A scalar type without its dot: kind b (bits), u, s, f or p (predicate), and width in bits.
struct Type {
    char kind = 'b';
    std::uint16_t bits = 32;
    std::uint8_t lanes = 1;  ///< 2 for f16x2, bf16x2 and the like
    bool is_bfloat = false;
    friend bool operator==(const Type&, const Type&) = default;
    std::uint32_t size_bytes() const { return bits / 8u * lanes; }
};

/// "f32" -> Type; nothing when the text names no scalar type.
std::optional<Type> parse_type(std::string_view text);

/// .loc, with the chain of inlining that -lineinfo records, innermost first: the first element is
/// where the instruction was written, the last the frame of the kernel itself.
struct SourceFrame {
    std::uint32_t file = 0;  ///< index into Module::files
    std::uint32_t line = 0, column = 0;
};
using SourceStack = std::vector<SourceFrame>;

struct Operand;

/// [base + offset], base a register, a symbol or absent (an absolute address).
struct AddressOperand {
    std::string base;
    std::int64_t offset = 0;
};

struct Immediate {
    std::uint64_t bits = 0;       ///< two's complement, or the bits of the floating constant
    bool is_float = false;        ///< written 0f..., 0d... or with a decimal point
    std::uint8_t float_bits = 0;  ///< 32 or 64 when is_float
};

struct Operand {
    enum class Kind : std::uint8_t {
        name,       ///< register (%r1, %tid.x), symbol or label: `text`
        immediate,  ///< `immediate`
        address,    ///< `address`
        tuple,      ///< {a, b, ...} and call's ( ... ): `elements`
        pair,       ///< d|p: `elements` has two
        ignored,    ///< _
    };
    Kind kind = Kind::name;
    std::string text;       ///< name, without component
    std::string component;  ///< "x" of %tid.x or %v.x; empty otherwise
    Immediate immediate;
    AddressOperand address;
    std::vector<Operand> elements;
    bool negated = false;          ///< !p as a source
    std::int64_t name_offset = 0;  ///< symbol+4 used as a value (mov)
};

struct Instruction {
    std::string guard;  ///< predicate register, or empty
    bool guard_negated = false;
    std::string opcode;                  ///< first part: "ld"
    std::vector<std::string> modifiers;  ///< the rest, in order: {"global", "nc", "v4", "f32"}
    std::vector<Operand> operands;
    std::uint32_t source = 0;    ///< index into Module::sources
    std::uint32_t ptx_line = 0;  ///< line in the PTX text, 1-based
    /// A bit a byte that a load is used for; the others are padding, loaded along with the rest.
    /// From .pragma "used_bytes_mask M" before it.
    std::uint32_t used_bytes = ~std::uint32_t{0};

    bool has(std::string_view modifier) const;
    std::string full_opcode() const;  ///< "ld.global.nc.v4.f32"
};

enum class StateSpace : std::uint8_t { none, reg, param, local, shared, global, constant };

/// A variable or parameter declaration. `array_length` 0 with is_array: extern __shared__ x[].
struct Variable {
    std::string name;
    StateSpace space = StateSpace::none;
    Type type;
    std::uint32_t vector = 1;
    std::uint32_t align_bytes = 0;  ///< 0: natural
    bool is_array = false, is_extern = false;
    std::uint64_t array_length = 1;     ///< product of all dimensions
    std::vector<std::uint8_t> initial;  ///< initial bytes; shorter than the size means zeros follow
    struct Reference {                  ///< an address of another symbol inside the initial bytes
        std::uint64_t at_byte = 0;
        std::string symbol;
        std::int64_t offset = 0;
        bool generic = false;
    };
    std::vector<Reference> references;

    std::uint64_t size_bytes() const {
        return std::uint64_t{type.size_bytes()} * vector * array_length;
    }
};

/// Registers of one .reg directive: `prefix`0 ... `prefix`count-1, or just `prefix` when count is
/// 0.
struct RegisterRange {
    std::string prefix;
    std::uint32_t count = 0;
    Type type;
    std::uint32_t vector = 1;
};

struct Label {
    std::string name;
    std::uint32_t at = 0;  ///< index of the instruction that follows
};

struct BranchTargets {  ///< a labelled .branchtargets list
    std::string name;
    std::vector<std::string> labels;
};

struct Prototype {  ///< a labelled .callprototype
    std::string name;
    std::vector<Variable> results, parameters;
};

struct Function {
    std::string name;
    bool is_entry = false, is_declaration = false, is_weak = false;
    std::vector<Variable> results, parameters;
    std::vector<RegisterRange> registers;
    std::vector<Variable> variables;  ///< .local, .shared, .param of the body, all scopes
    std::vector<Instruction> body;
    std::vector<Label> labels;
    std::vector<BranchTargets> branch_targets;
    std::vector<Prototype> prototypes;
    std::uint32_t max_threads[3] = {0, 0, 0};       ///< .maxntid, 0: not given
    std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid
    std::uint32_t min_blocks = 0;                   ///< .minnctapersm
};

struct Module {
    int version_major = 0, version_minor = 0;
    std::string target;  ///< "sm_75"
    int address_size = 64;
    std::vector<std::string> files;    ///< [0], if any, is empty: of places whose file has no name
    std::vector<SourceStack> sources;  ///< [0] is empty: no line information
    std::vector<Variable> variables;
    std::vector<Function> functions;
    /// Of each name the place of its definition in `functions`, or of a declaration.
    std::map<std::string, std::size_t, std::less<>> function_places;

    /// Looked up in `function_places`.
    const Function* function(std::string_view name) const;
    /// After a change of `functions`; parse() and link() have done it.
    void note_function_places();
};

/// Throws vgpu::Error "PTX line 12: expected ';', got 'foo'".
Module parse(std::string_view text);

}  // namespace vgpu::ptx
