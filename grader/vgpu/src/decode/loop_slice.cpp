#include "decode/loop_slice.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "decode/encoder.h"
#include "decode/named_registers.h"
#include "state/code.h"

namespace vgpu {
namespace {

constexpr std::uint32_t kLongestSlicedLoop = 256;  // instructions; chosen

using Body = std::span<const ptx::Instruction>;

/// Not what hands something on in another way than by registers and memory: a carry, say.
bool may_have_slice(const Insn& insn, const ptx::Instruction& instruction) {
    return insn.kind != Kind::call && insn.kind != Kind::barrier && insn.kind != Kind::copy &&
           instruction.opcode != "cp" && !instruction.has("cc") &&
           !instruction.opcode.ends_with("c");
}

bool reads_memory(Kind kind, const ptx::Instruction& instruction) {
    return (kind == Kind::load && !instruction.has("param") && !instruction.has("const")) ||
           kind == Kind::atomic || instruction.opcode == "mbarrier";
}

/// The slice of one loop, by the names of its registers.
class Slice {
public:
    explicit Slice(Body body) : body_(body) {
        for (const ptx::Instruction& instruction : body) start(instruction);
        while (grow()) {
        }
    }

    bool reads_memory() const { return reads_memory_; }
    const std::unordered_set<std::string_view>& names() const { return names_; }

private:
    void add(const ptx::Operand& operand) {
        add(operand.kind == ptx::Operand::Kind::address ? operand.address.base : operand.text);
        for (const ptx::Operand& element : operand.elements) add(element);
    }
    void add(std::string_view name) {
        if (!name.empty()) names_.insert(name);
    }
    bool has(const ptx::Operand& operand) const {
        return names_.contains(operand.text) ||
               std::any_of(operand.elements.begin(), operand.elements.end(),
                           [&](const ptx::Operand& element) { return has(element); });
    }

    /// What moves paths, and where to.
    void start(const ptx::Instruction& instruction) {
        const Kind kind = kind_of(instruction);
        if (kind == Kind::branch || kind == Kind::leave) add(instruction.guard);
        if (instruction.opcode == "brx") add(instruction.operands[0]);
    }

    /// Adds what the slice's registers are made of. Whether there was any.
    bool grow() {
        const std::size_t before = names_.size();
        for (auto at = body_.rbegin(); at != body_.rend(); ++at) {
            if (!has_result(*at) || !has(at->operands[0])) continue;
            reads_memory_ = reads_memory_ || vgpu::reads_memory(kind_of(*at), *at);
            add(at->guard);
            for (std::size_t i = 1; i < at->operands.size(); ++i) add(at->operands[i]);
        }
        return names_.size() != before;
    }

    const Body body_;
    std::unordered_set<std::string_view> names_;
    bool reads_memory_ = false;
};

/// Where registers of these names lie; other names are variables and special registers, which stay.
std::vector<RegisterPlace> places(const Scope& scope,
                                  const std::unordered_set<std::string_view>& names) {
    std::vector<RegisterPlace> places;
    const auto place = [&](const std::string& name) {
        const auto found = scope.registers.find(name);
        if (found == scope.registers.end()) return;
        const auto& [cell, at] = found->second;
        places.push_back({at, cell == Cell::predicate ? 4 : lane_bytes(cell) * kWarpSize});
    };
    for (const std::string_view name : names) {
        place(std::string(name));
        place(std::string(name) + kLowerHalf);
        place(std::string(name) + kUpperHalf);
    }
    std::sort(places.begin(), places.end(),
              [](const RegisterPlace& a, const RegisterPlace& b) { return a.at < b.at; });
    return places;
}

}  // namespace

void find_loop_slices(Image& image, const Scope& scope) {
    const Body function = scope.function->body;
    for (std::uint32_t i = 0; i < function.size(); ++i) {
        const Insn& back = image.code[scope.first + i];
        if (back.kind != Kind::branch || function[i].opcode != "bra" || back.target > back.pc ||
            back.pc - back.target >= kLongestSlicedLoop)
            continue;
        const std::uint32_t count = back.pc - back.target + 1;
        const Body loop = function.subspan(back.target - scope.first, count);
        const Insn* const first = image.code.data() + back.target;
        const bool is_simple =
            std::equal(loop.begin(), loop.end(), first,
                       [](const ptx::Instruction& instruction, const Insn& insn) {
                           return may_have_slice(insn, instruction);
                       });
        if (!is_simple) continue;
        const Slice slice(loop);
        image.loops.push_back(
            {back.target, back.pc + 1, slice.reads_memory(), places(scope, slice.names())});
    }
}

}  // namespace vgpu
