// Scalar types by name, and the small helpers that module.h declares.
#include <algorithm>
#include <array>

#include "ptx/module.h"

namespace vgpu::ptx {

std::optional<Type> parse_type(std::string_view text) {
    struct Named {
        std::string_view name;
        Type type;
    };
    static constexpr Named kTypes[] = {
        {"pred", {'p', 1}},
        {"b8", {'b', 8}},
        {"b16", {'b', 16}},
        {"b32", {'b', 32}},
        {"b64", {'b', 64}},
        {"b128", {'b', 128}},
        {"u8", {'u', 8}},
        {"u16", {'u', 16}},
        {"u32", {'u', 32}},
        {"u64", {'u', 64}},
        {"s8", {'s', 8}},
        {"s16", {'s', 16}},
        {"s32", {'s', 32}},
        {"s64", {'s', 64}},
        {"f16", {'f', 16}},
        {"f32", {'f', 32}},
        {"f64", {'f', 64}},
        {"f16x2", {'f', 16, 2}},
        {"f32x2", {'f', 32, 2}},
        {"bf16", {'f', 16, 1, true}},
        {"u16x2", {'u', 16, 2}},
        {"s16x2", {'s', 16, 2}},
        {"bf16x2", {'f', 16, 2, true}},
    };
    for (const Named& named : kTypes) {
        if (named.name == text) return named.type;
    }
    return std::nullopt;
}

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string Instruction::full_opcode() const {
    std::string full = opcode;
    for (const std::string& modifier : modifiers) full.append(1, '.').append(modifier);
    return full;
}

const Function* Module::function(std::string_view name) const {
    const auto found = function_places.find(name);
    return found == function_places.end() ? nullptr : &functions[found->second];
}

void Module::note_function_places() {
    function_places.clear();
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const auto [place, is_new] = function_places.try_emplace(functions[i].name, i);
        if (!is_new && functions[place->second].is_declaration) place->second = i;
    }
}

}  // namespace vgpu::ptx
