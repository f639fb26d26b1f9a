// Checks that an object keeps the contract: it defines every function that the grader calls, and no
// main().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ContractFunction {
    std::string name, signature;
};

struct Symbol {
    std::string name;  ///< mangled
    char type = ' ';   ///< nm's letter; lower case: local
};

/// Parses the output of `nm --defined-only --format=posix`.
std::vector<Symbol> parse_symbols(std::string_view nm_output);

/// The breach of contract, for the student; nothing if the contract is kept. `shown` and `text` are
/// the submission's path and content, `header` the contract's file name.
std::optional<std::string> contract_breach(const std::vector<Symbol>& symbols,
                                           const std::vector<ContractFunction>& contract,
                                           const std::string& shown, std::string_view text,
                                           const std::string& header);

/// The line on which a function of that name is defined; 0 when none is found. Comments and
/// literals do not count.
int line_of_definition(std::string_view text, std::string_view name);

}  // namespace lab
