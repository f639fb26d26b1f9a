// Values are laid out as in C: a nested brace starts the next row, a bare value fills the next
// element.
#include "ptx/initial_values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace vgpu::ptx {
namespace {

constexpr std::uint64_t kAddressBytes = 8;
constexpr std::uint64_t kMostElements = std::uint64_t{64} << 20;
constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

class Reader {
public:
    Reader(Cursor& in, Variable& variable, InitialBudget& budget)
        : in_(in), variable_(variable), budget_(budget), width_(variable.type.size_bytes()) {}

    /// strides_[k]: elements in one row of the dimensions from k on; the last is 1.
    void read(const std::vector<std::uint64_t>& dimensions) {
        strides_.assign(dimensions.size() + 1, 1);
        for (std::size_t k = dimensions.size(); k-- > 0;) {
            strides_[k] = strides_[k + 1] * dimensions[k];
        }
        const bool is_open = !dimensions.empty() && dimensions[0] == 0;
        if (is_open) strides_[0] = kUnlimited;
        const std::uint64_t used = in_.peek().is('{') ? read_braces(0, 0) : read_value(0);
        if (masked_bytes_ != 0) fail_mask();
        if (is_open) {
            const std::uint64_t row = std::max<std::uint64_t>(strides_[1], 1);
            variable_.array_length = (used + row - 1) / row * row / variable_.vector;
        }
    }

private:
    /// { ... } that fills elements from `begin`; returns the element after the last one filled.
    std::uint64_t read_braces(std::size_t level, std::uint64_t begin) {
        in_.expect('{');
        std::uint64_t at = begin;
        if (in_.accept('}')) return at;
        do {
            const bool is_row = in_.peek().is('{');
            if (is_row && level + 2 > strides_.size()) in_.fail_expected("a value");
            if (at - begin >= strides_[level]) {
                fail(in_.line(),
                     fmt::format("'{}' has more initial values than elements", variable_.name));
            }
            if (is_row) {
                const std::uint64_t row = std::max<std::uint64_t>(strides_[level + 1], 1);
                at = begin + (at - begin + row - 1) / row * row;
                read_braces(level + 1, at);
                at += row;
            } else {
                at = read_value(at);
            }
        } while (in_.accept(','));
        in_.expect('}');
        return at;
    }

    std::uint64_t read_value(std::uint64_t element) {
        if (element > kMostElements) fail_budget();  // the multiplication must not wrap around
        const std::uint64_t at_byte = element * width_;
        const Token token = in_.peek();
        if (token.kind == Token::Kind::word && !token.is_directive()) {
            if (width_ != kAddressBytes) {
                fail(token.line, fmt::format("the address of {} needs 8 bytes, but an element of "
                                             "'{}' has {}",
                                             describe(token), variable_.name, width_));
            }
            grow_to(at_byte + kAddressBytes);
            variable_.references.push_back(read_reference(at_byte));
            return element + 1;
        }
        const bool negative = in_.accept('-');
        if (in_.peek().kind != Token::Kind::number) in_.fail_expected("an initial value");
        const Immediate number = read_number(in_.take());
        grow_to(at_byte + width_);
        if (!negative && in_.peek().is('(')) {
            read_masked_reference(number.bits, at_byte);
        } else {
            const std::uint64_t bits = convert(number, negative);
            std::memcpy(variable_.initial.data() + at_byte, &bits,
                        std::min<std::size_t>(width_, sizeof bits));
        }
        return element + 1;
    }

    void grow_to(std::uint64_t bytes) {
        const std::uint64_t have = variable_.initial.size();
        if (bytes <= have) return;
        if (bytes - have > budget_.bytes_left) fail_budget();
        budget_.bytes_left -= bytes - have;
        variable_.initial.resize(bytes);
    }

    /// The number as the variable's type has it.
    std::uint64_t convert(const Immediate& number, bool negative) const {
        const Type& type = variable_.type;
        if (!number.is_float && type.kind != 'f') return negative ? 0 - number.bits : number.bits;
        const bool holds_floats = type.lanes == 1 && (type.bits == 32 || type.bits == 64) &&
                                  (type.kind == 'f' || type.kind == 'b');
        if (holds_floats && number.is_float && number.float_bits == type.bits) {
            // Bits go in untouched: a conversion could alter a NaN.
            return number.bits ^ (std::uint64_t{negative} << (type.bits - 1));
        }
        if (!holds_floats || type.kind == 'b') {
            fail(in_.line(),
                 fmt::format("an element of '{}' cannot hold this kind of number", variable_.name));
        }
        double value = double(number.bits);
        if (number.is_float) {
            value = number.float_bits == 32
                        ? double(std::bit_cast<float>(std::uint32_t(number.bits)))
                        : std::bit_cast<double>(number.bits);
        }
        if (negative) value = -value;
        return type.bits == 32 ? std::bit_cast<std::uint32_t>(float(value))
                               : std::bit_cast<std::uint64_t>(value);
    }

    /// symbol, symbol+4, generic(symbol)+4
    Variable::Reference read_reference(std::uint64_t at_byte) {
        Variable::Reference reference;
        reference.at_byte = at_byte;
        const std::string_view name = in_.expect_name("a variable or function");
        if (name == "generic" && in_.accept('(')) {
            reference.generic = true;
            reference.symbol = in_.expect_name("a variable's name");
            in_.expect(')');
        } else {
            reference.symbol = name;
        }
        if (in_.accept('+')) {
            reference.offset = in_.expect_offset();
        } else if (in_.peek().is('-')) {  // expect_offset takes the sign
            reference.offset = in_.expect_offset();
        }
        return reference;
    }

    /// 0xFF00(symbol): one byte of an address, for packed structures. nvcc writes all eight bytes
    /// of it, lowest first, so they are one whole reference at the place of the first.
    void read_masked_reference(std::uint64_t mask, std::uint64_t at_byte) {
        in_.expect('(');
        const Variable::Reference part = read_reference(at_byte - masked_bytes_);
        in_.expect(')');
        if (width_ != 1 || mask != std::uint64_t{0xff} << (8 * masked_bytes_)) fail_mask();
        if (masked_bytes_ == 0) {
            variable_.references.push_back(part);
        } else {
            const Variable::Reference& whole = variable_.references.back();
            if (whole.at_byte != part.at_byte || whole.symbol != part.symbol ||
                whole.offset != part.offset) {
                fail_mask();
            }
        }
        masked_bytes_ = (masked_bytes_ + 1) % kAddressBytes;
    }

    [[noreturn]] void fail_budget() const {
        fail(in_.line(), "the initial values of all variables take more than 64 MiB");
    }

    [[noreturn]] void fail_mask() const {
        fail(in_.line(), fmt::format("'{}' holds an address in parts that are not its eight bytes "
                                     "in order, 0xFF(...) first",
                                     variable_.name));
    }

    Cursor& in_;
    Variable& variable_;
    InitialBudget& budget_;
    std::uint64_t width_;
    std::vector<std::uint64_t> strides_;
    std::uint64_t masked_bytes_ = 0;  ///< bytes of the last masked reference seen so far
};

}  // namespace

void parse_initial_values(Cursor& in, Variable& variable, std::vector<std::uint64_t> dimensions,
                          InitialBudget& budget) {
    if (variable.vector > 1) dimensions.push_back(variable.vector);
    Reader(in, variable, budget).read(dimensions);
}

}  // namespace vgpu::ptx
