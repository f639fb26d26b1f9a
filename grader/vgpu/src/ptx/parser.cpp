// The module and its functions: what stands at the top level, and what stands in a body.
//
//   lexer -> cursor -> parser            here: module, functions, bodies
//                      declarations      variables, parameters, registers; initial_values
//                      instructions      guard, opcode, operands
//                      line_table        .file .loc .section
//                      scopes            unique names for what { } declares
//
// Bodies are read in a loop, not by recursion, so no text can exhaust the stack.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ptx/cursor.h"
#include "ptx/declarations.h"
#include "ptx/instructions.h"
#include "ptx/line_table.h"
#include "ptx/module.h"
#include "ptx/scopes.h"

namespace vgpu::ptx {
namespace {

constexpr std::size_t kLongestText = std::size_t{64} << 20;  // as much as a fatbin may unpack to

class Parser {
public:
    explicit Parser(std::string_view text) : in_(text) {}
    Module parse();

private:
    struct Linkage {
        bool is_extern = false, is_weak = false;
    };

    void parse_header();
    void parse_top_level();
    Linkage parse_linkage();
    void parse_function(bool is_entry, Linkage);
    void parse_function_directives(Function&);
    void parse_body(Function&);
    void parse_body_item(Function&, Scopes&);
    void parse_body_directive(Function&, Scopes&, const Token& directive);
    void parse_body_pragma();
    void parse_label(Function&, Scopes&);
    Prototype parse_prototype();

    Cursor in_;
    Module module_;
    LineTable lines_;
    InitialBudget budget_;
    std::uint32_t source_ = 0;
    std::uint32_t used_bytes_ = ~std::uint32_t{0};  ///< of the next instruction
};

Module Parser::parse() {
    parse_header();
    while (in_.peek().kind != Token::Kind::end) parse_top_level();
    module_.sources = lines_.take_sources();
    module_.note_function_places();
    return std::move(module_);
}

void Parser::parse_header() {
    if (!in_.accept(".version")) in_.fail_expected("'.version', with which PTX begins");
    const Token version = in_.peek();
    const std::size_t dot = version.text.find('.');
    const auto is_number = [](std::string_view s) {
        return !s.empty() && s.size() < 4 &&
               s.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (version.kind != Token::Kind::number || dot == std::string_view::npos ||
        !is_number(version.text.substr(0, dot)) || !is_number(version.text.substr(dot + 1))) {
        in_.fail_expected("a version such as 9.0");
    }
    in_.take();
    module_.version_major = std::stoi(std::string(version.text.substr(0, dot)));
    module_.version_minor = std::stoi(std::string(version.text.substr(dot + 1)));
}

void Parser::parse_top_level() {
    if (in_.accept(".target")) {
        module_.target = in_.expect_name("a target such as sm_75");
        while (in_.accept(',')) in_.expect_name("a target option such as debug");
    } else if (in_.accept(".address_size")) {
        module_.address_size = int(in_.expect_count("an address size in bits", 64));
    } else if (in_.accept(".file")) {
        lines_.parse_file(in_, module_.files);
    } else if (in_.accept(".loc")) {
        lines_.parse_loc(in_);
    } else if (in_.accept(".section")) {
        lines_.parse_section(in_);
    } else if (in_.accept(".pragma")) {
        in_.expect_string("a pragma in quotes");
        in_.expect(';');
    } else if (!in_.accept(';')) {
        const Linkage linkage = parse_linkage();
        if (in_.accept(".entry")) return parse_function(true, linkage);
        if (in_.accept(".func")) return parse_function(false, linkage);
        const auto space = parse_state_space(in_.peek().text);
        if (in_.peek().kind != Token::Kind::word || !space || *space == StateSpace::reg ||
            *space == StateSpace::param) {
            in_.fail_expected("a function or a variable");
        }
        in_.take();
        for (Variable& variable : parse_variables(in_, *space, budget_)) {
            variable.is_extern = linkage.is_extern;
            module_.variables.push_back(std::move(variable));
        }
    }
}

Parser::Linkage Parser::parse_linkage() {
    Linkage linkage;
    while (true) {
        if (in_.accept(".extern")) {
            linkage.is_extern = true;
        } else if (in_.accept(".weak") || in_.accept(".common")) {
            linkage.is_weak = true;
        } else if (!in_.accept(".visible")) {
            return linkage;
        }
    }
}

void Parser::parse_function(bool is_entry, Linkage linkage) {
    Function function;
    function.is_entry = is_entry;
    function.is_weak = linkage.is_weak;
    parse_function_directives(function);  // .attribute may stand before the name
    if (!is_entry) function.results = parse_parameters(in_);
    function.name = in_.expect_name("a function's name");
    lines_.begin_function();
    source_ = 0;
    function.parameters = parse_parameters(in_);
    parse_function_directives(function);
    if (in_.accept(';')) {
        function.is_declaration = true;
    } else if (in_.peek().is('{')) {
        parse_body(function);
    } else {
        in_.fail_expected("'{' or ';' after the head of a function");
    }
    module_.functions.push_back(std::move(function));
}

/// .maxntid 256, 1, 1 and its like. Those that only steer ptxas are read over.
void Parser::parse_function_directives(Function& function) {
    while (in_.peek().is_directive()) {
        const Token directive = in_.take();
        if (directive.is(".pragma")) {
            in_.expect_string("a pragma in quotes");
            in_.expect(';');
            continue;
        }
        if (directive.is(".attribute")) {
            in_.skip_parenthesised();
            continue;
        }
        std::uint32_t numbers[3] = {1, 1, 1};
        int count = 0;
        while (in_.peek().kind == Token::Kind::number && count < 3) {
            numbers[count++] = std::uint32_t(in_.expect_count("a limit", 0xffff'ffff));
            if (!in_.accept(',')) break;
        }
        const auto copy_to = [&numbers](std::uint32_t(&to)[3]) {
            std::copy(std::begin(numbers), std::end(numbers), std::begin(to));
        };
        if (directive.is(".maxntid") && count > 0) copy_to(function.max_threads);
        if (directive.is(".reqntid") && count > 0) copy_to(function.required_threads);
        if (directive.is(".minnctapersm") && count > 0) function.min_blocks = numbers[0];
    }
}

void Parser::parse_body(Function& function) {
    Scopes scopes(function);
    do {
        if (in_.peek().is('{')) {
            scopes.open(in_.line());
            in_.take();
        } else if (in_.accept('}')) {
            scopes.close();
        } else {
            parse_body_item(function, scopes);
        }
    } while (scopes.depth() > 0);
}

void Parser::parse_body_item(Function& function, Scopes& scopes) {
    if (in_.accept(';')) return;
    if (in_.peek().is_directive()) {
        parse_body_directive(function, scopes, in_.take());
    } else if (in_.peek().kind == Token::Kind::word && in_.ahead().is(':')) {
        parse_label(function, scopes);
    } else if (in_.peek().kind == Token::Kind::word || in_.peek().is('@')) {
        Instruction instruction = parse_instruction(in_);
        instruction.source = source_;
        instruction.used_bytes = std::exchange(used_bytes_, ~std::uint32_t{0});
        scopes.rename(instruction);
        function.body.push_back(std::move(instruction));
    } else {
        in_.fail_expected("an instruction, a declaration or '}'");
    }
}

void Parser::parse_body_directive(Function& function, Scopes& scopes, const Token& directive) {
    const std::uint32_t line = directive.line;
    if (directive.is(".loc")) {
        source_ = lines_.parse_loc(in_);
    } else if (directive.is(".reg")) {
        for (RegisterRange& range : parse_registers(in_)) {
            range.prefix = range.count == 0 ? scopes.declare(range.prefix, line)
                                            : scopes.declare_range(range.prefix, range.count, line);
            function.registers.push_back(std::move(range));
        }
    } else if (const auto space = parse_state_space(directive.text)) {
        for (Variable& variable : parse_variables(in_, *space, budget_)) {
            variable.name = scopes.declare(variable.name, line);
            function.variables.push_back(std::move(variable));
        }
    } else if (directive.is(".pragma")) {
        parse_body_pragma();
    } else {
        fail(line, fmt::format("expected a declaration, got {}", describe(directive)));
    }
}

/// Of all pragmas one says something about the instruction behind it.
void Parser::parse_body_pragma() {
    constexpr std::string_view kUsedBytes = "used_bytes_mask ";
    const std::string pragma(in_.expect_string("a pragma in quotes"));
    in_.expect(';');
    if (!pragma.starts_with(kUsedBytes)) return;
    used_bytes_ = std::uint32_t(std::strtoul(pragma.c_str() + kUsedBytes.size(), nullptr, 0));
}

/// NAME: and, where one follows, the list it names.
void Parser::parse_label(Function& function, Scopes& scopes) {
    const Token label = in_.take();
    in_.expect(':');
    std::string name = scopes.declare_label(label.text, label.line);
    if (in_.accept(".branchtargets") || in_.accept(".calltargets")) {
        BranchTargets& targets = function.branch_targets.emplace_back();
        targets.name = std::move(name);
        do {
            targets.labels.emplace_back(in_.expect_name("a label"));
        } while (in_.accept(','));
        in_.expect(';');
    } else if (in_.accept(".callprototype")) {
        function.prototypes.push_back(parse_prototype());
        function.prototypes.back().name = std::move(name);
    } else {
        function.labels.push_back({std::move(name), std::uint32_t(function.body.size())});
    }
}

/// (.param .b32 _) _ (.param .b64 _);
Prototype Parser::parse_prototype() {
    Prototype prototype;
    prototype.results = parse_parameters(in_);
    in_.expect_name("'_'");
    prototype.parameters = parse_parameters(in_);
    if (in_.accept(".noreturn")) {
        // Nothing depends on it.
    }
    in_.expect(';');
    return prototype;
}

}  // namespace

Module parse(std::string_view text) {
    if (text.size() > kLongestText) fail(1, "the text is longer than 64 MiB");
    return Parser(text).parse();
}

}  // namespace vgpu::ptx
