// Evaluates the sizes in a contract: integer expressions over the function's integer parameters.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Use:
//
//   evaluate_extent("height * pitch", {{"height", 3}, {"pitch", 512}})  ->  1536
//
// Supports + - * / % and parentheses, as in C++, in 64 bits, and ceil_div(a, b), which contracts
// need. A size that is negative, overflows or divides by zero is an error.

namespace lab {

/// The contract's own fault: what() quotes the expression and names its error.
class ExtentError : public std::runtime_error {
    using runtime_error::runtime_error;
};

using NamedIntegers = std::vector<std::pair<std::string, std::int64_t>>;

/// The value of `expression`; throws ExtentError.
std::int64_t evaluate_extent(std::string_view expression, const NamedIntegers& values);

}  // namespace lab
