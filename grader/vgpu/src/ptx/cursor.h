// The parser's position in the token stream: peek, take, or report the expected token. All of the
// grammar's "expected X, got Y" messages are made here.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/lexer.h"
#include "ptx/module.h"

namespace vgpu::ptx {

class Cursor {
public:
    explicit Cursor(std::string_view text)
        : lexer_(text), current_(lexer_.next()), ahead_(lexer_.next()) {}

    const Token& peek() const { return current_; }
    /// The token after peek().
    const Token& ahead() const { return ahead_; }
    std::uint32_t line() const { return current_.line; }
    Token take();

    bool accept(char);
    bool accept(std::string_view word);
    void expect(char);
    /// A word that is a name, so no directive. `what` is for the message: "a register's name".
    std::string_view expect_name(std::string_view what);
    std::string_view expect_string(std::string_view what);
    /// A non-negative integer of at most `largest`.
    std::uint64_t expect_count(std::string_view what, std::uint64_t largest);
    /// An integer with an optional sign.
    std::int64_t expect_offset();

    /// Takes "( ... )", whatever is inside.
    void skip_parenthesised();

    /// Throws "PTX line 12: expected WHAT, got 'foo'".
    [[noreturn]] void fail_expected(std::string_view what) const;

private:
    Lexer lexer_;
    Token current_, ahead_;
};

/// The value of a number token: 12, 12U, 0x1F, 017, 0b11, 1.5, 0f3F800000, 0d3FF0000000000000.
Immediate read_number(const Token&);

}  // namespace vgpu::ptx
