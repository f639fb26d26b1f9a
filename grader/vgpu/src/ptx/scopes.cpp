// Scope by scope look-up and renaming; see scopes.h.
#include "ptx/scopes.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "ptx/lexer.h"

namespace vgpu::ptx {
namespace {

constexpr std::size_t kDeepestBlock = 64;    // nvcc nests two deep: a call sequence, inline asm
constexpr std::size_t kMostIndexDigits = 6;  // a range has at most a million registers

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Calls `rename(name)` for each name an operand holds. Operands nest at most as deep as the
/// instruction parser lets them.
template <typename Rename>
void for_each_name(std::vector<Operand>& operands, const Rename& rename) {
    for (Operand& operand : operands) {
        if (operand.kind == Operand::Kind::name) rename(operand.text);
        if (operand.kind == Operand::Kind::address) rename(operand.address.base);
        for_each_name(operand.elements, rename);
    }
}

[[noreturn]] void fail_twice(std::string_view name, std::uint32_t line) {
    fail(line, fmt::format("'{}' is declared twice", name));
}

/// The number that `digits` writes as nvcc does, without leading zeros; nothing for other text.
std::optional<std::uint32_t> register_index(std::string_view digits) {
    std::uint32_t index = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, index);
    if (error != std::errc{} || end != last || (digits.size() > 1 && digits[0] == '0')) return {};
    return index;
}

}  // namespace

void Scopes::open(std::uint32_t line) {
    if (scopes_.size() == kDeepestBlock) {
        fail(line, fmt::format("blocks {{ }} are nested more than {} deep", kDeepestBlock));
    }
    Scope& scope = scopes_.emplace_back();
    scope.number = opened_++;
    scope.first_instruction = function_.body.size();
    scope.first_targets = function_.branch_targets.size();
}

void Scopes::close() {
    const Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    if (scopes_.empty() || scope.labels.empty()) return;
    const auto rename_label = [&scope](std::string& name) {
        const auto label = scope.labels.find(name);
        if (label != scope.labels.end()) name = label->second;
    };
    for (std::size_t i = scope.first_instruction; i < function_.body.size(); ++i) {
        for_each_name(function_.body[i].operands, rename_label);
    }
    for (std::size_t i = scope.first_targets; i < function_.branch_targets.size(); ++i) {
        for (std::string& label : function_.branch_targets[i].labels) rename_label(label);
    }
}

std::string Scopes::unique(std::string_view name) const {
    if (scopes_.size() == 1) return std::string(name);
    return fmt::format("{}@{}", name, scopes_.back().number);
}

std::string Scopes::declare(std::string_view name, std::uint32_t line) {
    const auto [entry, is_new] = scopes_.back().names.emplace(name, unique(name));
    if (!is_new) fail_twice(name, line);
    return entry->second;
}

std::string Scopes::declare_range(std::string_view prefix, std::uint32_t count,
                                  std::uint32_t line) {
    // The separator keeps prefix@1 with index 1 apart from prefix@11.
    std::string name = scopes_.size() == 1 ? std::string(prefix) : unique(prefix) + '.';
    const auto [entry, is_new] =
        scopes_.back().ranges.emplace(std::string(prefix), Range{count, std::move(name)});
    if (!is_new) fail_twice(prefix, line);
    return entry->second.unique;
}

std::string Scopes::declare_label(std::string_view name, std::uint32_t line) {
    const auto [entry, is_new] = scopes_.back().labels.emplace(name, unique(name));
    if (!is_new) fail_twice(name, line);
    return entry->second;
}

void Scopes::rename(std::string& name) const {
    for (std::size_t i = scopes_.size(); i-- > 1;) {
        const Scope& scope = scopes_[i];
        if (const auto known = scope.names.find(name); known != scope.names.end()) {
            name = known->second;
            return;
        }
        if (scope.ranges.empty()) continue;
        // A prefix may itself end in digits, so try every split of the trailing ones.
        const std::size_t first = name.size() - std::min(name.size(), kMostIndexDigits);
        for (std::size_t split = name.size(); split-- > first && is_digit(name[split]);) {
            const auto range = scope.ranges.find(std::string_view(name).substr(0, split));
            if (range == scope.ranges.end()) continue;
            const auto index = register_index(std::string_view(name).substr(split));
            if (index && *index < range->second.count) {
                name.replace(0, split, range->second.unique);
                return;
            }
        }
    }
}

void Scopes::rename(Instruction& instruction) const {
    if (scopes_.size() <= 1) return;
    rename(instruction.guard);
    for_each_name(instruction.operands, [this](std::string& name) { rename(name); });
}

}  // namespace vgpu::ptx
