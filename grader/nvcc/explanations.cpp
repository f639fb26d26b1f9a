// Most explanations are rows of a table: a regular expression over nvcc's own words, and a
// sentence. Undeclared names and braces need the source as well.

#include "nvcc/explanations.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "base/source_text.h"
#include "nvcc/symbols.h"
#include "nvcc/undeclared_names.h"

namespace lab {
namespace {

struct Rule {
    const char* pattern;      ///< for a message as text_of() writes it
    const char* explanation;  ///< $1 is the pattern's first group
};

// The first that matches holds. In the text "\n> " begins the line of code.
constexpr Rule kRules[] = {
    // Built-in variables
    {R"re((?:uint3|dim3)[\s\S]*\n> .*?\b(threadIdx|blockIdx|blockDim|gridDim)\b(?!\s*\.))re",
     "$1 is three numbers, not one: write $1.x, $1.y or $1.z."},
    {R"re(^no (?:operator|suitable conversion)[\s\S]*(?:uint3|dim3))re",
     "A dim3 or uint3 is three numbers, not one: add .x, .y or .z to its name."},

    {R"re(^expression preceding parentheses of apparent call[\s\S]*\n> .*\b((?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz])\s*\()re",
     "$1 is a number, not a function: write it without ()."},

    // Launches
    {R"re(^a __global__ function call must be configured[\s\S]*\n> .*<<<)re",
     "The launch configuration <<<blocks, threads>>> goes between the kernel's name and its "
     "arguments."},
    {R"re(^a __global__ function call must be configured[\s\S]*\n@(\w+))re",
     "$1 is a kernel, and a launch needs a configuration: $1<<<blocks, threads>>>(...)."},
    {R"re(^expected an expression[\s\S]*\n> \s*<<<)re",
     "A launch begins with the kernel's name: kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^expected an expression[\s\S]*\n> .*>>>.*<<<)re",
     "A launch configuration begins with <<< and ends with >>>."},
    {R"re(^(?:expected|expression)[\s\S]*\n> .*\w\s*(?:<<\s+<|<\s+<<|<\s+<\s+<))re",
     "The three < of a launch have no spaces between them: kernel<<<blocks, "
     "threads>>>(arguments)."},
    {R"re(^(?:expected|expression|two consecutive)[\s\S]*\n> .*(?:<<<<|\[\[\[))re",
     "A launch has three brackets on each side: kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^expected a ">>>"[\s\S]*\n> .*<<<[^>]*;[^>]*>>>)re",
     "The numbers of a launch are separated by a comma: <<<blocks, threads>>>."},
    {R"re(^expected a "\("[\s\S]*\n> .*>>>\s*;)re",
     "The kernel's arguments are missing after >>>: kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^argument of type [\s\S]*\n> .*<<<[^>]*,[^>]*,[^>]*>>>\s*\(\s*\))re",
     "Between <<< and >>> are the blocks and the threads. The kernel's arguments come after it: "
     "kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^(?:a value|argument) of type "void"[\s\S]*\n> .*<<<)re",
     "A launch returns nothing. Launch first, then ask for its error: cudaGetLastError()."},
    {R"re(^(?:a value|argument) of type "void"[\s\S]*\n> \s*(\w+)\s*\(\s*(\w+)\s*\()re",
     "$2 returns nothing, so $1 has nothing to check: call $2 without $1."},
    {R"re(^(?:expected|expression)[\s\S]*\n> .*<<<(?!.*>>>))re",
     "The launch configuration is not closed: >>> is missing before the arguments."},
    {R"re(^(?:expected|expression)[\s\S]*\n> .*\w\s*<<[^<=]*[^<=>]>>>?\s*\()re",
     "A launch has three brackets on each side: kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^(?:expected|expression)[\s\S]*\n> .*<<<.*[^>]>>\s*\()re",
     "A launch has three brackets on each side: kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^macro "(\w+)" passed \d+ arguments, but takes just 1[\s\S]*<<<)re",
     "A launch cannot be the argument of the macro $1: its commas separate arguments. Launch "
     "first, then check cudaGetLastError()."},
    {R"re(^a __global__ function must have a void return type)re",
     "A kernel returns nothing: write __global__ void. Its results go through pointers."},
    {R"re(^explicit type is missing \("int" assumed\)[\s\S]*__global__)re",
     "A kernel returns nothing, and must say so: write __global__ void."},

    // Runtime functions
    {R"re(^no instance of overloaded function "(cudaMalloc\w*)"[\s\S]*argument types are: \([^,]*\))re",
     "$1 takes the address of your pointer and a number of bytes, and returns an error code: "
     "$1(&pointer, bytes)."},
    {R"re(^no instance of overloaded function "cudaMalloc\w*"[\s\S]*argument types are: \((\w+) \*,[\s\S]*\n> .*cudaMalloc\w*\s*\(\s*&\s*(\w+))re",
     "$2 is one $1, not a pointer. In a declaration such as $1* a, b the * belongs to a alone."},
    {R"re(^no instance of overloaded function "cudaMallocPitch"[\s\S]*argument types are: \([^,]*, (?!unsigned long)([^,*]*[^ ,*]) \*,[\s\S]*\n> .*cudaMallocPitch\s*\([^,]*,\s*&\s*(\w+))re",
     "$2 has the wrong type: a pitch is a size_t, and $2 is a variable of type $1."},
    {R"re(^no instance of overloaded function "(cudaMalloc(?:Async|Host|Managed)?)")re",
     "$1 stores an address in your pointer, so it needs the address of the pointer: "
     "$1(&pointer, bytes)."},
    {R"re(^no instance of overloaded function "(atomic\w+)")re",
     "The first argument of $1 is the address of the value to change: write & before it."},
    {R"re(^(?:no|more than one) instance of overloaded function "((?:std::)?(?:min|max))")re",
     "Both arguments of $1 must have the same type: convert one of them."},
    {R"re(^no instance of overloaded function "(cuda\w+)")re",
     "$1 stores a result in your variable, so it needs the address: write & before the variable."},
    {R"re(^argument of type "const char \*" is incompatible with parameter of type "cudaMemcpyKind")re",
     "The direction is a constant, written without quotes: cudaMemcpyHostToDevice, say."},
    {R"re(is incompatible with parameter of type "cudaMemcpyKind"[\s\S]*\n> .*\b(cudaMemcpy\w*)\s*\()re",
     "The arguments are in the wrong order: $1 takes destination, source, sizes, then the "
     "direction."},
    {R"re(^too few arguments in function call[\s\S]*\n> .*\bcudaMemcpy(?:Async)?\s*\()re",
     "cudaMemcpy takes four arguments: destination, source, number of bytes, direction (such as "
     "cudaMemcpyHostToDevice)."},
    {R"re(^argument of type "const [\s\S]*parameter of type "void \*"[\s\S]*\n> .*\b(cudaMem\w+)\s*\()re",
     "$1 writes to its first argument, and this one is const: the destination comes first, then "
     "the source."},
    {R"re(^argument of type [\s\S]*parameter of type "(?:const )?void \*"[\s\S]*\n> .*\bcudaMemcpy\w*\s*\()re",
     "The arguments are in the wrong order: a copy takes destination, source, sizes, then the "
     "direction."},
    {R"re(^argument of type "(?:const )?([^"]*)"(?: \(aka "[^"]*"\))? is incompatible with parameter of type "(?:const )?\1 ?\*")re",
     "This parameter is a pointer: pass the address, with & before the variable."},
    {R"re(^argument of type "[^"]*" .*parameter of type ")re",
     "Compare the arguments with the parameters, one by one: their order and their types."},
    {R"re(^too (?:few|many) arguments in function call)re",
     "Compare the arguments with the function's parameters, one by one."},

    // What kernels may do
    {R"re(^calling a __host__ function\("std::basic_ostream)re",
     "std::cout works on the host only. In a kernel use printf, with #include <cstdio>."},
    {R"re(^calling a __host__ function\("(std::\w+)[\s\S]* from a __(?:global|device)__ function)re",
     "$1 runs on the host only; a kernel cannot use it."},
    {R"re(^calling a __device__ function[\s\S]* from a __host__ function\("(\w+)[\s\S]*)re",
     "Only kernels and __device__ functions can call it, and $1 runs on the host."},
    {R"re(^a variable length array cannot have static storage duration)re",
     "The size of a __shared__ array must be a constant that the compiler knows."},
    {R"re(^initializer not allowed for __shared__ variable)re",
     "A __shared__ array has no first values: threads of the block must store them."},

    // C++
    {R"re(^expression must have pointer-to-object type[\s\S]*\n> .*\b(\w+)\s*\[[^\[\]]*\]\s*\[)re",
     "$1 points to single elements, so it takes one index: $1[...] is already a number."},
    {R"re(^no operator "\[\]" matches[\s\S]*\n> .*?\b(\w+)\s*\[[^\[\]]*\]\s*\[)re",
     "$1 points to single elements, so it takes one index: $1[...] is already an element."},
    {R"re(^no operator "=" matches[\s\S]*operand types are: (\w+) = [\s\S]*\n> .*=\s*\([^()]*,)re",
     "(..., ...) is only what comes after its last comma. A value of type $1 is written in braces: "
     "{..., ...}."},
    {R"re(^expression must have arithmetic or unscoped enum type[\s\S]*\n> .*\[[^\]]*,)re",
     "A comma does not make two indices: only what comes after it counts."},
    {R"re(^expression must have arithmetic or unscoped enum type[\s\S]*\n@(\w+)\n> .*\b\1\s*\[)re",
     "$1 has more than one index, and with one of them it is a whole row, not a number."},
    {R"re(^expression must have arithmetic or unscoped enum type[\s\S]*\n@(\w+)\n)re",
     "$1 is an address here, not a number: is an index missing?"},
    {R"re(^invalid narrowing conversion from "unsigned int" to "int")re",
     "In braces C++ does not convert unsigned numbers, such as threadIdx.x, to int: assign to an "
     "int variable first, or write static_cast<int>(...)."},
    {R"re(^invalid narrowing conversion from "([^"]*)" to "([^"]*)")re",
     "In braces C++ does not convert $1 to $2 by itself: write static_cast<$2>(...)."},
    {R"re(^expression must be a modifiable lvalue[\s\S]*\n> \s*(?:if|while)\b[^=]*[^=<>!]=[^=])re",
     "= assigns, == compares."},
    {R"re(^expression must be a modifiable lvalue[\s\S]*\n> .*\[[^\]]*(?:$|[^=<>!]=[^=]))re",
     "A ] is missing in this line."},
    {R"re(^expression must be a modifiable lvalue)re",
     "The left side of this assignment cannot change: it is const, or not a variable."},
    {R"re(^a value of type "(?:const )?([^"*]*[^"* ])" cannot be (?:assigned to an entity|used to initialize an entity) of type "(?:const )?\1 ?\*")re",
     "The left side is a pointer, the right side one value: is an index missing on the left?"},
    {R"re(^a value of type "(?:const )?([^"*]*[^"* ]) ?\*" cannot be (?:assigned to an entity|used to initialize an entity) of type "\1")re",
     "The right side is a pointer, the left side one value: is an index missing on the right?"},
    {R"re(^expression must have integral or unscoped enum type[\s\S]*\n> .*%)re",
     "The operator % takes integers only."},
    {R"re(^expression must have integral or unscoped enum type[\s\S]*\n@(\w+)\n> .*\b([A-Za-z_]\w*)\s*\+\s*\1\b(?!\s*\]))re",
     "$2 is an address here, not a number: is an index missing?"},
    {R"re(^expression must have integral or unscoped enum type[\s\S]*\n> .*\[)re",
     "An index must be an integer."},
    {R"re(^"\w+" has already been declared[\s\S]*\n> \s*for\s*\([^;]*,)re",
     "The three parts of a for are separated by ;, not by commas."},
    {R"re(^expected a "\("[\s\S]*\n> \s*for\s+\w+\s+in\b)re",
     "A loop of C++ is written for (int i = begin; i < end; ++i)."},
    {R"re(^expected a "\("[\s\S]*\n> .*\b(if|while|for|switch)\s+[^\s(])re",
     "After $1 comes a ( and, after the condition, a )."},
    {R"re(^return value type does not match)re",
     "A void function, as every kernel is, returns no value. Kernels store their results through "
     "pointers."},
    {R"re(^type name is not allowed[\s\S]*\n> .*\bsizeof\s+(\w+))re",
     "sizeof takes a type in parentheses: sizeof($1)."},
    {R"re(^function "(\w+)" has already been defined)re",
     "There are two definitions of $1, and one must go."},
    {R"re(^expression has no effect[\s\S]*\n> \s*(__sync\w+)\s*;)re",
     "$1 is not called without its parentheses: write $1();"},
    {R"re(^"(\w+)" has already been declared in the current scope)re",
     "$1 exists already. To change its value leave out the type: $1 = ...;"},
    {R"re(^(?:user-defined literal operator not found|unrecognized token|extended character))re",
     "A character in this line only looks like one that C++ knows. Type it again."},
    {R"re(^name must be a namespace name[\s\S]*cooperative_groups)re",
     "Cooperative groups need #include <cooperative_groups.h>."},
    {R"re(^use of "=" where "==" may have been intended)re", "= assigns, == compares."},
    {R"re(^expression has no effect[\s\S]*\n> .*\bdim3\s+(\w+)\s*=\s*\([^()]*,)re",
     "Only what comes after the comma counts here. Leave out the =: dim3 $1(..., ...);"},
    {R"re(^expression has no effect[\s\S]*\n> .*=\s*\([^()]*,)re",
     "(..., ...) is only what comes after its last comma."},
    {R"re(^expression has no effect[\s\S]*\n> .*\b(?:if|while)\s*\([^()]*,)re",
     "A comma does not join two conditions: only what comes after it counts."},
    {R"re(^expression has no effect[\s\S]*\n> .*\[[^\]]*,)re",
     "A comma does not make two indices: only what comes after it counts."},
};

/// How many more of `open` than of `close` the line has.
int surplus(std::string_view line, char open, char close) {
    return static_cast<int>(std::ranges::count(line, open) - std::ranges::count(line, close));
}

/// Explains a call from a kernel to a function that is compiled for the host only.
std::string host_function(const std::string& name, std::string_view source) {
    if (line_of_definition(source, name) != 0)
        return fmt::format(
            "Kernels can call only functions that are compiled for the GPU: write "
            "__device__ before the definition of {}.",
            name);
    return fmt::format("{} runs on the host only; a kernel cannot call it.", name);
}

/// Explains a launch of what is no kernel.
std::string launched_function(const std::string& name, std::string_view source) {
    const std::vector<SourceToken> body = function_body(source_tokens(source), name);
    // Only host code launches kernels and calls the runtime.
    const bool is_of_the_host = std::ranges::any_of(body, [](const SourceToken& token) {
        return token.text == "<<<" || token.text.starts_with("cuda");
    });
    if (!body.empty() && !is_of_the_host)
        return fmt::format(
            "Only kernels are launched with <<<...>>>. Is __global__ missing where {} is defined?",
            name);
    return fmt::format("{0} is a host function: call it without <<<...>>>, as in {0}(...).", name);
}

/// A brace without its partner.
std::string braces(const std::vector<NvccMessage>& all, std::size_t at, std::string_view source) {
    const NvccMessage& message = all[at];
    const auto end = std::ranges::find_if(all, [](const NvccMessage& one) {
        return one.head.starts_with("At end of source: error: expected a \"}\"");
    });
    if (end != all.end()) {
        const auto note = std::next(end);
        return note != all.end() && note->line > 0
                   ? fmt::format(
                         "A closing }} is missing: the {{ on line {} has none, or one of "
                         "those after it.",
                         note->line)
                   : "A closing } is missing.";
    }
    const std::size_t column = message.caret.find('^');
    static const std::regex function(
        R"re(^\s*(?:__\w+__\s+)*[A-Za-z_][\w:<>*& ]*\s[*&]*\w+\s*\()re");
    const std::string written = cut_line(line_at(source, message.line));
    if (message.text == "expected a \";\"" && column != std::string::npos &&
        message.code.substr(0, column + 1).ends_with('{') && std::regex_search(written, function))
        return fmt::format(
            "A function cannot begin inside another one: a closing }} is missing above line {}.",
            message.line);
    const bool at_brace =
        column != std::string::npos && message.code.substr(0, column + 1).ends_with('}');
    if (at_brace && message.text == "expected a declaration")
        return "This } closes nothing: a { is missing above it, or there is one } too many.";
    if (at_brace && message.text == "expected a statement")
        return "A statement or a { is missing before this }.";
    if (message.text == "expected a declaration")
        return "Statements belong in a function: did a } close it too early?";
    return "";
}

/// The last line above `line` that has code; 0: none.
int code_line_above(std::string_view source, int line) {
    const std::string code = code_only(source);
    for (--line; line > 0; --line)
        if (line_at(code, line).find_first_not_of(" \t\r") != std::string_view::npos) return line;
    return 0;
}

/// A macro's argument that never ends: g++ tells only where the file does.
std::string unterminated(const NvccMessage& message, std::string_view source) {
    static const std::regex pattern(R"re(^unterminated argument list invoking macro "(\w+)"$)re");
    std::smatch match;
    if (!std::regex_match(message.text, match, pattern)) return "";
    const std::string code = code_only(source), name = match[1];
    const std::vector<std::string> lines = source_lines(code);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t at = lines[i].find(name + "(");
        const bool is_use =
            at != std::string::npos && lines[i].find("#define") == std::string::npos;
        if (is_use && lines[i].find(';') != std::string::npos && surplus(lines[i], '(', ')') > 0)
            return fmt::format("A ) is missing on line {}: the ( after {} has none.", i + 1, name);
    }
    return fmt::format("A ) is missing: the ( after a use of {} has none.", name);
}

/// nvcc notices a missing ; only at the next token, often a line below.
std::string missing_token(const NvccMessage& message, std::string_view source) {
    static const std::regex expected(R"re(^expected an? "([^"]{1,3})"$)re");
    std::smatch match;
    if (!std::regex_match(message.text, match, expected)) return "";
    const std::string token = match[1];
    if (std::string(";)]{}").find(token) == std::string::npos) return "";
    const std::string code = code_only(source);
    for (const auto& [open, close] : {std::pair('(', ')'), std::pair('[', ']')}) {
        if (token == ";" && surplus(line_at(code, message.line), open, close) < 0)
            return fmt::format("There is one {} too many in this line.", close);
    }
    const std::size_t column = message.caret.find('^');
    const bool is_first_word =
        column != std::string::npos && message.code.find_first_not_of(" \t") == column;
    const int above = is_first_word ? code_line_above(source, message.line) : 0;
    return above != 0 ? fmt::format("A {} is missing at the end of line {}.", token, above)
                      : fmt::format("A {} is missing before the marked place.", token);
}

/// The word above the caret.
std::string word_at_caret(const NvccMessage& message) {
    const std::size_t column = message.caret.find('^');
    if (column == std::string::npos || column >= message.code.size()) return "";
    std::size_t end = column;
    while (end < message.code.size() && is_word(message.code[end])) ++end;
    return message.code.substr(column, end - column);
}

/// The text for the rules: the message, its remarks, "@" and the marked word, "> " and the line.
std::string text_of(const NvccMessage& message, std::string_view source) {
    std::string text = message.text + "\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(message.remarks.size(), 3); ++i)
        text += message.remarks[i] + "\n";
    const std::string written = cut_line(line_at(source, message.line));
    return text + "@" + word_at_caret(message) + "\n> " +
           (written.empty() ? message.code : written);
}

std::string by_rule(const NvccMessage& message, std::string_view source) {
    static const std::vector<std::regex> patterns = [] {
        std::vector<std::regex> all;
        for (const Rule& rule : kRules) all.emplace_back(rule.pattern);
        return all;
    }();
    const std::string text = text_of(message, source);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        std::smatch match;
        if (std::regex_search(text, match, patterns[i])) return match.format(kRules[i].explanation);
    }
    return "";
}

}  // namespace

std::string nvcc_explanation(const std::vector<NvccMessage>& all, std::size_t at,
                             std::string_view source) {
    const NvccMessage& message = all[at];
    static const std::regex undefined(
        R"re(^(?:identifier|name followed by "::"|namespace "std" has no member) ?"(\w+)"(?: is undefined)?$)re");
    static const std::regex host_call(
        R"re(^calling a __host__ function\("(\w+)[^:]*\) from a __(?:global|device)__ function.*)re");
    std::smatch match;
    if (std::regex_match(message.text, match, undefined)) {
        const bool in_std = message.text.starts_with("namespace");
        if (in_std && header_of(match[1]).empty())
            return fmt::format("Is the header of std::{} included?", match[1].str());
        return explain_undeclared(match[1], message, source);
    }
    if (message.text == "a host function call cannot be configured")
        return launched_function(word_at_caret(message), source);
    if (std::regex_match(message.text, match, host_call)) return host_function(match[1], source);
    if (message.text == "this declaration has no storage class or type specifier") {
        const std::string word = word_at_caret(message), near = nearest_cuda_name(word);
        if (word.starts_with('_') && !near.empty())
            return fmt::format("There is no {} here. Did you mean {}?", word, near);
    }
    if (std::string text = unterminated(message, source); !text.empty()) return text;
    if (std::string text = braces(all, at, source); !text.empty()) return text;
    if (std::string text = by_rule(message, source); !text.empty()) return text;
    return missing_token(message, source);
}

}  // namespace lab
