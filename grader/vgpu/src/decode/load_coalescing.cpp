#include "decode/load_coalescing.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decode/encoder.h"

namespace vgpu {
namespace {

constexpr std::int64_t kWidest = 16;
/// A value is a multiple of 2^bits; more than the widest load needs is of no interest.
constexpr int kAllBits = 4;

/// Which powers of two divide the values of a function's registers, whatever they are.
class Alignment {
public:
    explicit Alignment(const Scope& scope) : scope_(scope) {
        for (const auto& instruction : scope.function->body)
            if (const auto* result = result_of(instruction)) bits_[*result] = kAllBits;
        // Downwards from the best that could be, until nothing contradicts.
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& instruction : scope.function->body) {
                const auto* result = result_of(instruction);
                if (result == nullptr) continue;
                int& bits = bits_[*result];
                const int now = std::min(bits, of_result(instruction));
                changed |= now != bits;
                bits = now;
            }
        }
    }

    int of(std::string_view name) const {
        if (const auto found = bits_.find(name); found != bits_.end()) return found->second;
        for (const auto* symbols : {&scope_.symbols, scope_.module_symbols})
            if (const auto found = symbols->find(std::string(name)); found != symbols->end())
                return of(found->second.value);
        return 0;
    }

private:
    static int of(std::uint64_t value) {
        return value == 0 ? kAllBits : std::min(std::countr_zero(value), kAllBits);
    }
    int of(const ptx::Operand& operand) const {
        if (operand.kind == ptx::Operand::Kind::immediate) return of(operand.immediate.bits);
        if (operand.kind != ptx::Operand::Kind::name || !operand.component.empty()) return 0;
        return std::min(of(operand.text), of(static_cast<std::uint64_t>(operand.name_offset)));
    }
    static const std::string* result_of(const ptx::Instruction& instruction) {
        if (instruction.operands.empty() || instruction.opcode == "st") return nullptr;
        const ptx::Operand& to = instruction.operands[0];
        return to.kind == ptx::Operand::Kind::name ? &to.text : nullptr;
    }
    int of_result(const ptx::Instruction& instruction) const {
        const std::string_view opcode = instruction.opcode;
        const auto& operands = instruction.operands;
        const auto source = [&](std::size_t i) { return of(operands[i]); };
        const auto is = [&](std::size_t sources, auto... names) {
            return operands.size() == sources + 1 && ((opcode == names) || ...);
        };
        if (is(1, "mov", "cvta", "cvt", "neg")) return source(1);
        if (is(2, "add", "sub", "or", "min", "max")) return std::min(source(1), source(2));
        if (is(3, "selp")) return std::min(source(1), source(2));
        if (is(2, "and")) return std::max(source(1), source(2));
        if (is(2, "mul")) return product(source(1), source(2));
        if (is(3, "mad")) return std::min(product(source(1), source(2)), source(3));
        if (is(2, "shl")) {
            const bool known = operands[2].kind == ptx::Operand::Kind::immediate;
            const auto by =
                known ? std::min<std::uint64_t>(operands[2].immediate.bits, kAllBits) : 0;
            return product(source(1), static_cast<int>(by));
        }
        return 0;
    }
    static int product(int a, int b) { return std::min(a + b, kAllBits); }

    const Scope& scope_;
    std::unordered_map<std::string_view, int> bits_;
};

/// Loads of one stretch through one register, by their offset from it.
using Loads = std::map<std::int64_t, Insn*>;

/// Whether `load` is the first of loads that fill `bytes` bytes.
bool fills(const Loads& loads, std::int64_t first, std::int64_t bytes) {
    const std::int64_t step = loads.at(first)->access_bytes;
    for (std::int64_t at = first; at < first + bytes; at += step) {
        const auto found = loads.find(at);
        if (found == loads.end() || found->second->access_bytes != step ||
            found->second->counted_bytes != step)
            return false;
    }
    return true;
}

void join(const Loads& loads, int bits) {
    for (const auto& [first, load] : loads) {
        for (std::int64_t bytes = kWidest; bytes > load->access_bytes; bytes /= 2) {
            const bool aligned = first % bytes == 0 && (std::int64_t{1} << bits) >= bytes;
            if (!aligned || !fills(loads, first, bytes)) continue;
            for (std::int64_t at = first; at < first + bytes; at += load->access_bytes)
                loads.at(at)->counted_bytes = 0;
            load->counted_bytes = static_cast<std::uint8_t>(bytes);
            break;
        }
    }
}

}  // namespace

void coalesce_shared_loads(Image& image, const Scope& scope) {
    const auto& body = scope.function->body;
    const auto is_load = [&](std::size_t i) {
        const Insn& insn = image.code[scope.first + i];
        return insn.kind == Kind::load && insn.space == Space::shared && !insn.generic &&
               !insn.strong && insn.access_bytes >= 4 && body[i].guard.empty() &&
               body[i].operands.size() == 2;
    };
    bool any = false;
    for (std::size_t i = 0; i < body.size(); ++i) any = any || is_load(i);
    if (!any) return;

    const Alignment alignment(scope);
    std::map<std::string_view, Loads> groups;
    const auto end_groups = [&] {
        for (const auto& [base, loads] : groups) join(loads, alignment.of(base));
        groups.clear();
    };
    for (std::size_t i = 0; i < body.size(); ++i) {
        Insn& insn = image.code[scope.first + i];
        const bool is_write = insn.kind == Kind::store || insn.kind == Kind::atomic ||
                              insn.kind == Kind::copy || insn.kind == Kind::fence;
        if (is_write && (insn.generic || insn.space == Space::shared)) end_groups();
        if (is_load(i)) {
            const ptx::AddressOperand& from = body[i].operands[1].address;
            groups[from.base].emplace(from.offset, &insn);
        }
        // A register that changes is another one from here on.
        if (!body[i].operands.empty())
            if (const auto found = groups.find(body[i].operands[0].text); found != groups.end()) {
                join(found->second, alignment.of(found->first));
                groups.erase(found);
            }
        if (insn.stretch == 1) end_groups();
    }
    end_groups();
}

}  // namespace vgpu
