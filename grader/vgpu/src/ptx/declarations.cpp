// Declarations: attributes and type, name, dimensions. Initial values have a file of their own.
#include "ptx/declarations.h"

#include <fmt/format.h>

#include "ptx/initial_values.h"

namespace vgpu::ptx {
namespace {

// Limits that no program reaches and that keep garbage from asking for absurd amounts of memory.
constexpr std::uint64_t kMostRegisters = 1'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::size_t kMostDimensions = 16;
constexpr std::uint64_t kMostAlignment = 1 << 16;

std::uint32_t parse_alignment(Cursor& in) {
    const std::uint32_t line = in.line();
    const auto align = std::uint32_t(in.expect_count("an alignment in bytes", kMostAlignment));
    if (align == 0 || (align & (align - 1)) != 0) {
        fail(line, fmt::format("an alignment of {} bytes is no power of two", align));
    }
    return align;
}

/// .ptr .global .align 4: what a kernel's pointer parameter points to. Nothing depends on it.
void skip_pointee(Cursor& in) {
    if (in.peek().kind == Token::Kind::word && parse_state_space(in.peek().text)) in.take();
    if (in.accept(".align")) parse_alignment(in);
}

/// Alignment, vector and type, in any order: ".align 16 .v4 .f32".
void parse_attributes(Cursor& in, Variable& variable) {
    bool has_type = false;
    while (in.peek().is_directive()) {
        if (in.accept(".align")) {
            variable.align_bytes = parse_alignment(in);
        } else if (in.accept(".ptr")) {
            skip_pointee(in);
        } else if (in.accept(".attribute")) {
            in.skip_parenthesised();
        } else if (in.accept(".v2")) {
            variable.vector = 2;
        } else if (in.accept(".v4")) {
            variable.vector = 4;
        } else if (in.accept(".v8")) {
            variable.vector = 8;
        } else if (in.peek().is(".texref") || in.peek().is(".samplerref") ||
                   in.peek().is(".surfref")) {
            in.take();
            variable.type = {'b', 64};  // a handle
            has_type = true;
        } else if (const auto type = parse_type(in.peek().text.substr(1))) {
            in.take();
            variable.type = *type;
            has_type = true;
        } else {
            in.fail_expected("a type");
        }
    }
    if (!has_type) in.fail_expected("a type");
}

/// [4][8] or []; 0 stands for a dimension left open, possible for the first only.
std::vector<std::uint64_t> parse_dimensions(Cursor& in) {
    std::vector<std::uint64_t> dimensions;
    while (in.accept('[')) {
        if (dimensions.size() == kMostDimensions) {
            fail(in.line(), fmt::format("an array has more than {} dimensions", kMostDimensions));
        }
        if (dimensions.empty() && in.accept(']')) {
            dimensions.push_back(0);
            continue;
        }
        dimensions.push_back(in.expect_count("the length of a dimension", kMostBytes));
        in.expect(']');
    }
    return dimensions;
}

/// Name and dimensions of a variable whose type is known; returns the dimensions.
std::vector<std::uint64_t> parse_declarator(Cursor& in, Variable& variable) {
    const std::uint32_t line = in.line();
    variable.name = in.expect_name("a variable's name");
    std::vector<std::uint64_t> dimensions = parse_dimensions(in);
    variable.is_array = !dimensions.empty();
    if (variable.type.kind == 'p' && variable.space != StateSpace::reg) {
        fail(line,
             fmt::format("'{}' is a predicate, which only a register can hold", variable.name));
    }
    std::uint64_t bytes = std::uint64_t{variable.type.size_bytes()} * variable.vector;
    for (const std::uint64_t length : dimensions) {
        variable.array_length *= length;
        if (length <= 1) continue;
        if (bytes > kMostBytes / length) {
            fail(line, fmt::format("'{}' is larger than 1 TiB", variable.name));
        }
        bytes *= length;
    }
    return dimensions;
}

}  // namespace

std::optional<StateSpace> parse_state_space(std::string_view directive) {
    if (directive == ".reg") return StateSpace::reg;
    if (directive == ".param") return StateSpace::param;
    if (directive == ".local") return StateSpace::local;
    if (directive == ".shared") return StateSpace::shared;
    if (directive == ".global" || directive == ".tex") return StateSpace::global;
    if (directive == ".const") return StateSpace::constant;
    return std::nullopt;
}

std::vector<Variable> parse_variables(Cursor& in, StateSpace space, InitialBudget& budget) {
    Variable common;
    common.space = space;
    parse_attributes(in, common);
    std::vector<Variable> variables;
    do {
        Variable& variable = variables.emplace_back(common);
        const std::vector<std::uint64_t> dimensions = parse_declarator(in, variable);
        if ((space == StateSpace::global || space == StateSpace::constant) && in.accept('=')) {
            parse_initial_values(in, variable, dimensions, budget);
        }
    } while (in.accept(','));
    in.expect(';');
    return variables;
}

std::vector<Variable> parse_parameters(Cursor& in) {
    std::vector<Variable> parameters;
    if (!in.accept('(') || in.accept(')')) return parameters;
    do {
        Variable& parameter = parameters.emplace_back();
        const auto space = parse_state_space(in.peek().text);
        if (space != StateSpace::param && space != StateSpace::reg) {
            in.fail_expected("'.param' or '.reg'");
        }
        in.take();
        parameter.space = *space;
        parse_attributes(in, parameter);
        parse_declarator(in, parameter);
    } while (in.accept(','));
    in.expect(')');
    return parameters;
}

std::vector<RegisterRange> parse_registers(Cursor& in) {
    Variable common;
    parse_attributes(in, common);
    std::vector<RegisterRange> registers;
    do {
        RegisterRange& range = registers.emplace_back();
        range.type = common.type;
        range.vector = common.vector;
        range.prefix = in.expect_name("a register's name");
        if (in.accept('<')) {
            range.count = std::uint32_t(in.expect_count("the number of registers", kMostRegisters));
            in.expect('>');
        }
    } while (in.accept(','));
    in.expect(';');
    return registers;
}

}  // namespace vgpu::ptx
