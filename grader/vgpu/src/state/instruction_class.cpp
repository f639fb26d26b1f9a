#include "state/instruction_class.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vgpu {
namespace {

bool is_memory_of_block(const ptx::Instruction& instruction) {
    return instruction.has("shared") || instruction.has("shared::cta") ||
           instruction.has("local") || instruction.has("param");
}

bool reads_clock(const ptx::Instruction& instruction) {
    const std::string& name = instruction.operands[1].text;
    return name.starts_with("%clock") || name.starts_with("%globaltimer");
}

/// Integer operations whose result is the same in any order.
bool commutes(const ptx::Instruction& instruction) {
    static constexpr std::array<std::string_view, 6> kOperations{"add", "min", "max",
                                                                 "and", "or",  "xor"};
    static constexpr std::array<std::string_view, 8> kTypes{"u32", "s32", "b32", "u64",
                                                            "s64", "b64", "u16", "s16"};
    const auto any = [&](const auto& names) {
        return std::any_of(names.begin(), names.end(),
                           [&](std::string_view name) { return instruction.has(name); });
    };
    return any(kOperations) && any(kTypes);
}

void collect_reads(const ptx::Operand& operand, std::set<std::string_view>& names) {
    names.insert(operand.kind == ptx::Operand::Kind::address ? operand.address.base : operand.text);
    for (const auto& element : operand.elements) collect_reads(element, names);
}

}  // namespace

Kind kind_of(const ptx::Instruction& instruction) {
    static const std::unordered_map<std::string_view, Kind> kKinds{
        {"ld", Kind::load},         {"ldu", Kind::load},
        {"tex", Kind::load},        {"tld4", Kind::load},
        {"suld", Kind::load},       {"sust", Kind::store},
        {"st", Kind::store},        {"atom", Kind::atomic},
        {"red", Kind::atomic},      {"bra", Kind::branch},
        {"brx", Kind::branch},      {"barrier", Kind::barrier},
        {"shfl", Kind::warp_sync},  {"vote", Kind::warp_sync},
        {"match", Kind::warp_sync}, {"redux", Kind::warp_sync},
        {"elect", Kind::warp_sync}, {"membar", Kind::fence},
        {"fence", Kind::fence},     {"call", Kind::call},
        {"ret", Kind::leave},       {"exit", Kind::leave},
        {"trap", Kind::leave},      {"brkpt", Kind::leave},
        {"nanosleep", Kind::pause}, {"activemask", Kind::warp_sync}};
    if (instruction.opcode == "mma" || instruction.opcode == "ldmatrix" ||
        instruction.opcode == "movmatrix")
        return Kind::warp_sync;
    if (instruction.opcode == "wmma")
        return instruction.has("load")    ? Kind::load
               : instruction.has("store") ? Kind::store
                                          : Kind::warp_sync;
    if (instruction.opcode == "bar")
        return instruction.has("warp") ? Kind::warp_sync : Kind::barrier;
    if (instruction.opcode == "mbarrier") {
        if (instruction.has("test_wait") || instruction.has("try_wait")) return Kind::pause;
        const bool is_change =
            instruction.has("init") || instruction.has("arrive") || instruction.has("arrive_drop");
        return is_change ? Kind::atomic : Kind::plain;
    }
    if (instruction.opcode == "cp" && instruction.has("mbarrier")) return Kind::atomic;
    if (instruction.opcode == "cp" && instruction.has("async"))
        return instruction.operands.size() >= 2 ? Kind::copy : Kind::plain;
    if (instruction.opcode == "mov" && instruction.operands.size() == 2 && reads_clock(instruction))
        return Kind::pause;
    const auto found = kKinds.find(instruction.opcode);
    return found == kKinds.end() ? Kind::plain : found->second;
}

bool moves_paths(Kind kind) {
    switch (kind) {
        case Kind::branch:
        case Kind::barrier:
        case Kind::warp_sync:
        case Kind::call:
        case Kind::leave:
        case Kind::pause:
            return true;
        default:
            return false;
    }
}

bool has_result(const ptx::Instruction& instruction) {
    static constexpr std::array<std::string_view, 23> kNone{
        "st",           "red",     "bra",   "brx",     "bar",   "barrier",       "call",
        "ret",          "exit",    "trap",  "membar",  "fence", "prefetch",      "prefetchu",
        "nanosleep",    "pmevent", "brkpt", "discard", "cp",    "applypriority", "griddepcontrol",
        "stackrestore", "sust"};
    const auto& operands = instruction.operands;
    return !operands.empty() && operands[0].kind != ptx::Operand::Kind::address &&
           std::find(kNone.begin(), kNone.end(), instruction.opcode) == kNone.end();
}

std::set<std::string_view> read_registers(const ptx::Function& function) {
    std::set<std::string_view> names;
    for (const auto& instruction : function.body) {
        const bool result_first =
            kind_of(instruction) == Kind::atomic && instruction.opcode == "atom";
        for (std::size_t i = result_first ? 1 : 0; i < instruction.operands.size(); ++i)
            // The first operand of most others is a result, too: to count it as read is harmless,
            // unless it is the atomic's, which nothing else writes.
            if (i > 0 || kind_of(instruction) != Kind::plain)
                collect_reads(instruction.operands[i], names);
        names.insert(instruction.guard);
    }
    return names;
}

bool ignores_old_value(const ptx::Instruction& instruction,
                       const std::set<std::string_view>& reads) {
    if (instruction.opcode == "red") return true;
    const auto is_read = [&](const ptx::Operand& o) { return reads.contains(o.text); };
    if (instruction.operands.empty()) return false;
    const ptx::Operand& old = instruction.operands[0];
    if (old.kind == ptx::Operand::Kind::ignored) return true;
    return old.elements.empty() ? !is_read(old)
                                : std::none_of(old.elements.begin(), old.elements.end(), is_read);
}

bool is_reduction(const ptx::Instruction& instruction, const std::set<std::string_view>& reads) {
    return !instruction.has("exch") && !instruction.has("cas") &&
           ignores_old_value(instruction, reads);
}

bool overwrites(const ptx::Instruction& instruction, const std::set<std::string_view>& reads) {
    return instruction.has("exch") && ignores_old_value(instruction, reads);
}

bool accumulates(const ptx::Instruction& instruction, const std::set<std::string_view>& reads) {
    static constexpr const char* kOperations[] = {"add", "inc", "dec", "xor"};
    return is_reduction(instruction, reads) &&
           std::any_of(std::begin(kOperations), std::end(kOperations),
                       [&](const char* operation) { return instruction.has(operation); });
}

bool allocates(const ptx::Function& function) {
    return std::any_of(function.body.begin(), function.body.end(), [](const auto& instruction) {
        return instruction.opcode == "call" &&
               std::any_of(instruction.operands.begin(), instruction.operands.end(),
                           [](const auto& o) { return o.text == "malloc" || o.text == "free"; });
    });
}

bool depends_on_order(const ptx::Function& function) {
    std::set<std::string_view> reads;
    bool have_reads = false;
    for (const auto& instruction : function.body) {
        const Kind kind = kind_of(instruction);
        switch (kind) {
            case Kind::call:  // printf; a function of the module is looked at by itself
            case Kind::load:
            case Kind::store:
                if (is_memory_of_block(instruction)) break;
                if (kind == Kind::call) {
                    for (const auto& operand : instruction.operands)
                        if (operand.text == "vprintf") return true;
                    break;
                }
                for (const char* strong : {"volatile", "relaxed", "acquire", "release", "mmio"})
                    if (instruction.has(strong)) return true;
                break;
            case Kind::atomic:
                if (is_memory_of_block(instruction)) break;
                if (!commutes(instruction)) return true;
                if (instruction.opcode == "red") break;
                if (!have_reads) reads = read_registers(function);
                have_reads = true;
                if (!instruction.operands.empty() && reads.contains(instruction.operands[0].text))
                    return true;
                break;
            case Kind::fence:
                if (instruction.has("gl") || instruction.has("sys") || instruction.has("gpu"))
                    return true;
                break;
            case Kind::pause:
                return true;
            default:
                for (const auto& operand : instruction.operands)
                    if (operand.text == "%smid" || operand.text.starts_with("%envreg")) return true;
        }
    }
    return false;
}

}  // namespace vgpu
