#include "decode/named_registers.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace vgpu {
namespace {

void add_names(const ptx::Operand& operand, std::set<std::string_view>& names) {
    names.insert(operand.kind == ptx::Operand::Kind::address ? operand.address.base : operand.text);
    for (const auto& element : operand.elements) add_names(element, names);
}

std::set<std::string_view> names_in(const ptx::Function& function) {
    std::set<std::string_view> names;
    for (const auto& instruction : function.body) {
        for (const auto& operand : instruction.operands) add_names(operand, names);
        if (!instruction.guard.empty()) names.insert(instruction.guard);
    }
    return names;
}

/// A declaration by its position, and the register's number in it.
struct Position {
    std::size_t range = std::numeric_limits<std::size_t>::max();
    std::uint32_t number = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
};

class Declarations {
public:
    explicit Declarations(const std::vector<ptx::RegisterRange>& ranges) : ranges_(ranges) {
        for (std::size_t i = 0; i < ranges.size(); ++i) by_prefix_[ranges[i].prefix].push_back(i);
    }

    /// The first declaration that has a register of this name.
    std::optional<Position> find(std::string_view name) const {
        Position best;
        consider(name, std::nullopt, best);
        // "%r10" may be number 10 of "%r", or number 0 of "%r1".
        std::uint64_t number = 0, power = 1;
        for (std::size_t at = name.size(); at-- > 0 && power < 1'000'000'000;) {
            const char digit = name[at];
            if (digit < '0' || digit > '9') break;
            number += power * static_cast<std::uint64_t>(digit - '0');
            power *= 10;
            const bool has_zeros = digit == '0' && at + 1 < name.size();
            if (!has_zeros) consider(name.substr(0, at), number, best);
        }
        if (best.range == Position().range) return std::nullopt;
        return best;
    }

private:
    void consider(std::string_view prefix, std::optional<std::uint64_t> number,
                  Position& best) const {
        const auto found = by_prefix_.find(prefix);
        if (found == by_prefix_.end()) return;
        for (const std::size_t i : found->second) {
            const std::uint32_t count = ranges_[i].count;
            if (number ? *number >= count : count != 0) continue;
            best = std::min(best, {i, static_cast<std::uint32_t>(number.value_or(0))});
            return;
        }
    }

    const std::vector<ptx::RegisterRange>& ranges_;
    std::unordered_map<std::string_view, std::vector<std::size_t>> by_prefix_;
};

}  // namespace

std::vector<std::pair<std::string, Cell>> named_registers(const ptx::Function& function) {
    const Declarations declarations(function.registers);
    std::vector<std::pair<Position, std::string_view>> found;
    for (const std::string_view name : names_in(function))
        if (const auto place = declarations.find(name)) found.emplace_back(*place, name);
    std::sort(found.begin(), found.end());
    std::vector<std::pair<std::string, Cell>> registers;
    for (const auto& [place, name] : found) {
        const ptx::Type& type = function.registers[place.range].type;
        if (type == ptx::Type{'b', 128}) {
            registers.emplace_back(std::string(name) + kLowerHalf, Cell::wide);
            registers.emplace_back(std::string(name) + kUpperHalf, Cell::wide);
        }
        const Cell cell = cell_of(type);
        if (cell != Cell::none) registers.emplace_back(name, cell);
    }
    return registers;
}

}  // namespace vgpu
