// Most explanations are rows of a table: a regular expression over nvcc's own words, and a
// sentence. Undeclared names and braces need the source as well.

#include "nvcc/explanations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "base/nearest.h"
#include "base/source_text.h"
#include "nvcc/symbols.h"

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

    // Launches
    {R"re(^a __global__ function call must be configured[\s\S]*\n> .*<<<)re",
     "The launch configuration <<<blocks, threads>>> goes between the kernel's name and its "
     "arguments."},
    {R"re(^a __global__ function call must be configured[\s\S]*\n@(\w+))re",
     "$1 is a kernel, and a launch needs a configuration: $1<<<blocks, threads>>>(...)."},
    {R"re(^a host function call cannot be configured[\s\S]*\n@(\w+))re",
     "Only kernels are launched with <<<...>>>. Is __global__ missing where $1 is defined?"},
    {R"re(^expected an expression[\s\S]*\n> \s*<<<)re",
     "A launch begins with the kernel's name: kernel<<<blocks, threads>>>(arguments)."},
    {R"re(^expected an expression[\s\S]*\n> .*>>>.*<<<)re",
     "A launch configuration begins with <<< and ends with >>>."},
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
    {R"re(^no instance of overloaded function "(cudaMalloc(?:Async|Host|Managed)?)")re",
     "$1 stores an address in your pointer, so it needs the address of the pointer: "
     "$1(&pointer, bytes)."},
    {R"re(^no instance of overloaded function "(atomic\w+)")re",
     "The first argument of $1 is the address of the value to change: write & before it."},
    {R"re(^(?:no|more than one) instance of overloaded function "((?:std::)?(?:min|max))")re",
     "Both arguments of $1 must have the same type: convert one of them."},
    {R"re(^no instance of overloaded function "(cuda\w+)")re",
     "$1 stores a result in your variable, so it needs the address: write & before the variable."},
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
     "$1 points to single elements, so it takes one index: $1[...] is a number already."},
    {R"re(^invalid narrowing conversion from "unsigned int" to "int")re",
     "In braces C++ does not convert unsigned numbers, such as threadIdx.x, to int: assign to an "
     "int variable first, or write static_cast<int>(...)."},
    {R"re(^invalid narrowing conversion from "([^"]*)" to "([^"]*)")re",
     "In braces C++ does not convert $1 to $2 by itself: write static_cast<$2>(...)."},
    {R"re(^expression must be a modifiable lvalue[\s\S]*\n> .*\[[^\]]*$)re",
     "A ] is missing in this line."},
    {R"re(^expression must be a modifiable lvalue)re",
     "The left side of this assignment cannot change: it is const, or not a variable."},
    {R"re(^a value of type "(?:const )?([^"*]*[^"* ])" cannot be (?:assigned to an entity|used to initialize an entity) of type "(?:const )?\1 ?\*")re",
     "The left side is a pointer, the right side one value: is an index missing on the left?"},
    {R"re(^a value of type "(?:const )?([^"*]*[^"* ]) ?\*" cannot be (?:assigned to an entity|used to initialize an entity) of type "\1")re",
     "The right side is a pointer, the left side one value: is an index missing on the right?"},
    {R"re(^expression must have integral or unscoped enum type[\s\S]*\n> .*%)re",
     "The operator % takes integers only."},
    {R"re(^expression must have integral or unscoped enum type[\s\S]*\n> .*\[)re",
     "An index must be an integer."},
    {R"re(^"(\w+)" has already been declared in the current scope)re",
     "$1 exists already. To change its value leave out the type: $1 = ...;"},
    {R"re(^(?:user-defined literal operator not found|unrecognized token))re",
     "A character in this line only looks like one that C++ knows. Type it again."},
    {R"re(^name must be a namespace name[\s\S]*cooperative_groups)re",
     "Cooperative groups need #include <cooperative_groups.h>."},
    {R"re(^use of "=" where "==" may have been intended)re", "= assigns, == compares."},
    {R"re(^expression has no effect[\s\S]*\n> .*\[[^\]]*,)re",
     "A comma does not make two indices: only what comes after it counts."},
};

/// Headers of the C++ library that declare the functions beginners use.
const std::map<std::string, const char*>& headers() {
    static const std::map<std::string, const char*> all = {
        {"printf", "cstdio"},       {"fprintf", "cstdio"},     {"stderr", "cstdio"},
        {"puts", "cstdio"},         {"cout", "iostream"},      {"cerr", "iostream"},
        {"endl", "iostream"},       {"vector", "vector"},      {"array", "array"},
        {"string", "string"},       {"to_string", "string"},   {"swap", "utility"},
        {"unique_ptr", "memory"},   {"make_unique", "memory"}, {"numeric_limits", "limits"},
        {"sort", "algorithm"},      {"fill", "algorithm"},     {"copy", "algorithm"},
        {"accumulate", "numeric"},  {"iota", "numeric"},       {"runtime_error", "stdexcept"},
        {"thread", "thread"},       {"assert", "cassert"},     {"FLT_MAX", "cfloat"},
        {"DBL_MAX", "cfloat"},      {"INT_MAX", "climits"},    {"uint8_t", "cstdint"},
        {"uint32_t", "cstdint"},    {"uint64_t", "cstdint"},   {"int64_t", "cstdint"},
        {"malloc", "cstdlib"},      {"free", "cstdlib"},       {"exit", "cstdlib"},
        {"abort", "cstdlib"},       {"rand", "cstdlib"},       {"EXIT_FAILURE", "cstdlib"},
        {"memcpy", "cstring"},      {"memset", "cstring"},     {"high_resolution_clock", "chrono"},
        {"function", "functional"},
    };
    return all;
}

constexpr const char* kCudaNames[] = {
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "dim3",
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__restrict__",
    "__syncthreads",
    "__syncwarp",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__activemask",
    "__threadfence",
    "atomicAdd",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "cudaMalloc",
    "cudaMallocHost",
    "cudaMallocManaged",
    "cudaMallocPitch",
    "cudaMallocAsync",
    "cudaFree",
    "cudaFreeHost",
    "cudaFreeAsync",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpyAsync",
    "cudaMemcpyToSymbol",
    "cudaMemset",
    "cudaMemsetAsync",
    "cudaMemcpyHostToDevice",
    "cudaMemcpyDeviceToHost",
    "cudaMemcpyDeviceToDevice",
    "cudaMemcpyDefault",
    "cudaDeviceSynchronize",
    "cudaGetLastError",
    "cudaGetErrorString",
    "cudaSuccess",
    "cudaError_t",
    "cudaStream_t",
    "cudaStreamCreate",
    "cudaStreamDestroy",
    "cudaStreamSynchronize",
    "cudaStreamWaitEvent",
    "cudaEvent_t",
    "cudaEventCreate",
    "cudaEventRecord",
    "cudaEventDestroy",
};

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Words of the source that are worth suggesting, each once.
std::vector<std::string> words_of(std::string_view source) {
    constexpr std::size_t kShortest = 3, kLongest = 60, kMost = 2000;  // chosen
    std::set<std::string> words;
    const std::string code = code_only(source);
    for (std::size_t i = 0; i < code.size() && words.size() < kMost;) {
        std::size_t end = i;
        while (end < code.size() && is_word(code[end])) ++end;
        const bool is_name = end > i && std::isdigit(static_cast<unsigned char>(code[i])) == 0;
        if (is_name && end - i >= kShortest && end - i <= kLongest)
            words.insert(code.substr(i, end - i));
        i = end + 1;
    }
    return {words.begin(), words.end()};
}

std::string undeclared(const std::string& name, const NvccMessage& message,
                       std::string_view source) {
    if (const auto found = headers().find(name); found != headers().end())
        return fmt::format("{} is declared in <{}>: add #include <{}> at the top of the file.",
                           name, found->second, found->second);
    for (const char* known : kCudaNames) {
        if (name != known && lower(name) == lower(known))
            return fmt::format("CUDA calls it {}: capital and small letters differ.", known);
    }
    if (const int line = line_of_definition(source, name); line > message.line)
        return fmt::format(
            "{} is defined in line {}, below its first use: move it up, or declare it before.",
            name, line);
    std::vector<std::string> candidates(std::begin(kCudaNames), std::end(kCudaNames));
    for (std::string& word : words_of(source))
        if (word != name) candidates.push_back(std::move(word));
    constexpr std::size_t kShortest = 3, kLongest = 60;  // shorter ones resemble everything
    if (name.size() >= kShortest && name.size() <= kLongest) {
        if (const auto near = nearest(name, candidates))
            return fmt::format("There is no {} here. Did you mean {}?", name, *near);
    }
    if (message.code.find(name + "(") != std::string::npos)
        return fmt::format("No function or macro {} is declared before this line.", name);
    return fmt::format(
        "No variable {} is declared before this line. Its declaration needs a type, as in "
        "int {} = ...;",
        name, name);
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

/// A brace without its partner.
std::string braces(const std::vector<NvccMessage>& all, std::size_t at) {
    const NvccMessage& message = all[at];
    const auto end = std::ranges::find_if(all, [](const NvccMessage& one) {
        return one.head.starts_with("At end of source: error: expected a \"}\"");
    });
    if (end != all.end()) {
        const auto note = std::next(end);
        return note != all.end() && note->line > 0
                   ? fmt::format(
                         "A closing }} is missing: the {{ in line {} has none, or one of "
                         "those after it.",
                         note->line)
                   : "A closing } is missing.";
    }
    const std::size_t column = message.caret.find('^');
    const bool at_brace =
        column != std::string::npos && message.code.substr(0, column + 1).ends_with('}');
    if (at_brace && message.text == "expected a declaration")
        return "This } closes nothing: the function was closed before it.";
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

/// nvcc notices a missing ; only at the next token, often a line below.
std::string missing_token(const NvccMessage& message, std::string_view source) {
    static const std::regex expected(R"re(^expected an? "([^"]{1,3})"$)re");
    std::smatch match;
    if (!std::regex_match(message.text, match, expected)) return "";
    const std::string token = match[1];
    if (token != ";" && token != ")" && token != "]" && token != "}") return "";
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
        if (in_std && !headers().contains(match[1]))
            return fmt::format("Is the header of std::{} included?", match[1].str());
        return undeclared(match[1], message, source);
    }
    if (std::regex_match(message.text, match, host_call)) return host_function(match[1], source);
    if (std::string text = braces(all, at); !text.empty()) return text;
    if (std::string text = by_rule(message, source); !text.empty()) return text;
    return missing_token(message, source);
}

}  // namespace lab
