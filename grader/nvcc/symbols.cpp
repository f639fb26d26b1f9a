#include "nvcc/symbols.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "base/source_text.h"

namespace lab {
namespace {

/// The position after the parenthesis that closes the one at `open`.
std::size_t after_parentheses(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        if (code[i] == '(') ++depth;
        if (code[i] == ')' && --depth == 0) return i + 1;
    }
    return code.size();
}

/// The demangled name. Names that refer to their own parts may double in length with each
/// reference: 280 characters once became 400 MB. The contract's functions have short names.
std::string demangled(const std::string& name) {
    constexpr std::size_t kLongest = 150;  // chosen: at most some 100 KB
    if (name.size() > kLongest) return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return text ? text.get() : name;
}

/// A C++ function of that name outside any namespace: a definition with other parameters, or
/// without the contract's declaration, becomes one.
const Symbol* overload(const std::vector<Symbol>& symbols, const std::string& name) {
    const std::string mangled = fmt::format("_Z{}{}", name.size(), name);
    for (const Symbol& symbol : symbols)
        if (symbol.name.starts_with(mangled) && symbol.type == 'T') return &symbol;
    return nullptr;
}

bool has(const std::vector<Symbol>& symbols, const std::string& name, std::string_view types) {
    return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
        return symbol.name == name && types.find(symbol.type) != std::string_view::npos;
    });
}

bool has_local(const std::vector<Symbol>& symbols, const std::string& name) {
    const std::string mangled = fmt::format("{}{}", name.size(), name);
    return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
        return symbol.type == 't' &&
               (symbol.name == name || symbol.name.starts_with("_ZL" + mangled) ||
                symbol.name.starts_with("_ZN12_GLOBAL__N_1" + mangled));
    });
}

/// Names a place as nvcc does, because these messages appear next to nvcc's.
std::string place(const std::string& shown, std::string_view text, const std::string& name) {
    const int line = line_of_definition(text, name);
    return line == 0 ? shown : fmt::format("{}({})", shown, line);
}

}  // namespace

std::vector<Symbol> parse_symbols(std::string_view nm_output) {
    std::vector<Symbol> symbols;
    std::istringstream lines{std::string(nm_output)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        Symbol symbol;
        if (fields >> symbol.name >> symbol.type) symbols.push_back(std::move(symbol));
    }
    return symbols;
}

int line_of_definition(std::string_view text, std::string_view name) {
    const std::string code = code_only(text);
    for (std::size_t at = 0; (at = code.find(name, at)) != std::string::npos; at += name.size()) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(code[at - 1])) || (end < code.size() && is_word(code[end])))
            continue;
        const std::size_t open = code.find_first_not_of(" \t\r\n", end);
        if (open == std::string::npos || code[open] != '(') continue;
        const std::size_t body = code.find_first_not_of(" \t\r\n", after_parentheses(code, open));
        if (body == std::string::npos || code[body] != '{') continue;
        return 1 + static_cast<int>(
                       std::count(code.begin(), code.begin() + static_cast<long>(at), '\n'));
    }
    return 0;
}

std::optional<std::string> contract_breach(const std::vector<Symbol>& symbols,
                                           const std::vector<ContractFunction>& contract,
                                           const std::string& shown, std::string_view text,
                                           const std::string& header) {
    std::string said;
    if (has(symbols, "main", "TWV"))
        said += fmt::format(
            "{}: error: this file defines main(), and so does the grader, which calls your "
            "functions\n    Take main() out, or move it to a file of its own.\n",
            place(shown, text, "main"));
    const bool included = text.find(fmt::format("\"{}\"", header)) != std::string_view::npos;
    for (const ContractFunction& function : contract) {
        if (has(symbols, function.name, "TWV")) continue;
        const std::string where = place(shown, text, function.name);
        if (const Symbol* other = overload(symbols, function.name); other && included) {
            said += fmt::format(
                "{}: error: {} has other parameters than the contract in {} asks for\n"
                "    expected  {}\n"
                "    got       {}\n",
                where, function.name, header, function.signature, demangled(other->name));
        } else if (other != nullptr) {
            said += fmt::format(
                "{}: error: {} is not declared before it is defined\n"
                "    Put this line at the top of the file:  #include \"{}\"\n",
                where, function.name, header);
        } else if (has_local(symbols, function.name)) {
            said += fmt::format(
                "{}: error: the grader cannot see {}, as it is static or in a namespace without a "
                "name\n    expected  {}\n",
                where, function.name, function.signature);
        } else {
            said += fmt::format("{}: error: the function {} is missing\n    expected  {}\n", shown,
                                function.name, function.signature);
        }
    }
    if (said.empty()) return std::nullopt;
    return said;
}

}  // namespace lab
