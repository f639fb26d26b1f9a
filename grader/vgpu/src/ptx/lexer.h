// Splits PTX text into tokens, one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// PTX needs one trick: a word that starts with a dot is a directive and ends at the next dot
// (".reg.pred" is two words). Any other word keeps its dots ("ld.global.f32", "%tid.x"), since they
// belong to one opcode or one register.

namespace vgpu::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        word,         ///< opcode, directive, register, symbol: `text`
        number,       ///< as written, without sign: "12U", "0x1F", "0f3F800000", "9.0"
        string,       ///< `text` without its quotes, escapes untouched
        punctuation,  ///< one character
    };
    Kind kind = Kind::end;
    std::string_view text;
    std::uint32_t line = 0;

    bool is(char c) const { return kind == Kind::punctuation && text.front() == c; }
    bool is(std::string_view word) const { return kind == Kind::word && text == word; }
    bool is_directive() const { return kind == Kind::word && text.front() == '.'; }
};

class Lexer {
public:
    /// `text` must outlive the tokens, which point into it.
    explicit Lexer(std::string_view text) : rest_(text) {}
    Token next();

private:
    void skip_space_and_comments();
    Token take(Token::Kind kind, std::size_t length);

    std::string_view rest_;
    std::uint32_t line_ = 1;
};

/// The token as a message names it: 'foo', or "the end of the text".
std::string describe(const Token&);

/// Throws vgpu::Error "PTX line 12: ...".
[[noreturn]] void fail(std::uint32_t line, std::string_view message);

}  // namespace vgpu::ptx
