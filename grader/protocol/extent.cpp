// Recursive descent over three levels: sum, product, operand.
#include "protocol/extent.h"

#include <cctype>

namespace lab {
namespace {

class Parser {
public:
    Parser(std::string_view text, const NamedIntegers& values) : text_(text), values_(values) {}

    std::int64_t parse() {
        const std::int64_t value = sum();
        if (peek() != '\0') fail(std::string("unexpected '") + peek() + "'");
        if (value < 0) fail("the size is negative: " + std::to_string(value));
        return value;
    }

private:
    std::int64_t sum() {
        std::int64_t value = product();
        for (char op = peek(); op == '+' || op == '-'; op = peek()) {
            ++at_;
            const std::int64_t right = product();
            const bool overflow = op == '+' ? __builtin_add_overflow(value, right, &value)
                                            : __builtin_sub_overflow(value, right, &value);
            if (overflow) fail("the size does not fit 64 bits");
        }
        return value;
    }

    std::int64_t product() {
        std::int64_t value = operand();
        for (char op = peek(); op == '*' || op == '/' || op == '%'; op = peek()) {
            ++at_;
            const std::int64_t right = operand();
            if (op == '*') {
                if (__builtin_mul_overflow(value, right, &value)) {
                    fail("the size does not fit 64 bits");
                }
            } else {
                // Dividing the smallest integer by -1 would overflow, and no size needs it.
                if (right <= 0) fail("division by " + std::to_string(right));
                value = op == '/' ? value / right : value % right;
            }
        }
        return value;
    }

    std::int64_t operand() {
        const char first = peek();
        if (first == '(') {
            ++at_;
            const std::int64_t value = sum();
            expect(')');
            return value;
        }
        if (std::isdigit(static_cast<unsigned char>(first)) != 0) return number();
        const std::string word = name();
        if (word.empty()) {
            fail(first == '\0' ? "ends too early" : std::string("unexpected '") + first + "'");
        }
        if (word == "ceil_div") return ceil_div();
        for (const auto& [known, value] : values_) {
            if (known == word) return value;
        }
        fail("'" + word + "' is not an integer parameter of the function");
    }

    std::int64_t ceil_div() {
        expect('(');
        const std::int64_t dividend = sum();
        expect(',');
        const std::int64_t divisor = sum();
        expect(')');
        if (divisor <= 0) fail("division by " + std::to_string(divisor));
        return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
    }

    std::int64_t number() {
        std::int64_t value = 0;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            const int digit = text_[at_++] - '0';
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, digit, &value)) {
                fail("the number does not fit 64 bits");
            }
        }
        return value;
    }

    std::string name() {
        std::string word;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
            word += text_[at_++];
        }
        return word;
    }

    /// The next character that is not blank; '\0' at the end.
    char peek() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    void expect(char wanted) {
        if (peek() != wanted) fail(std::string("'") + wanted + "' is missing");
        ++at_;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw ExtentError("size \"" + std::string(text_) + "\" in the contract: " + what);
    }

    std::string_view text_;
    const NamedIntegers& values_;
    std::size_t at_ = 0;
};

}  // namespace

std::int64_t evaluate_extent(std::string_view expression, const NamedIntegers& values) {
    return Parser(expression, values).parse();
}

}  // namespace lab
