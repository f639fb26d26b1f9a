#include "decode/loop_slice.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "decode/encoder.h"
#include "decode/named_registers.h"
#include "state/code.h"

namespace vgpu {
namespace {

constexpr std::uint32_t kLongestSlicedLoop = 256;  // instructions; chosen

using Registers = Image::Loop::Registers;

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

bool reads_clock(Kind kind, const ptx::Instruction& instruction) {
    return kind == Kind::pause && instruction.opcode == "mov";
}

bool writes_memory(Kind kind) {
    return kind == Kind::store || kind == Kind::atomic;
}

/// A function, with what its instructions are: to find that out takes time.
struct Code {
    const std::vector<ptx::Instruction>& body;
    const ControlFlow& flow;
    const Insn* insns;
    std::vector<bool> has_result;

    Code(const Image& image, const Scope& scope)
        : body(scope.function->body), flow(*scope.flow), insns(&image.code[scope.first]) {
        for (const ptx::Instruction& instruction : body)
            has_result.push_back(vgpu::has_result(instruction));
    }
    Kind kind(std::uint32_t i) const { return insns[i].kind; }
};

/// The slice of one loop, by the names of its registers.
class Slice {
public:
    /// Of the instructions [begin, end) of the function.
    Slice(const Code& code, std::uint32_t begin, std::uint32_t end)
        : code_(code), body_(code.body), flow_(code.flow), begin_(begin), end_(end) {
        for (std::uint32_t n = first_node(); n <= last_node(); ++n)
            if (flow_.nodes[n].next.size() > 1) forks_.push_back(fork_at(n));
        for (std::uint32_t i = begin; i < end; ++i)
            if (code_.kind(i) == Kind::leave) add(body_[i].guard);
        grow();
        if (reads_memory_) add_stores();
    }

    bool reads_memory() const { return reads_memory_; }
    bool reads_clock() const { return reads_clock_; }
    const std::unordered_set<std::string_view>& names() const { return names_; }

    /// Of each instruction the registers that are live before it, as bits. `bits_of` says which
    /// bits a register has.
    template <class BitsOf>
    std::vector<Registers> live(BitsOf bits_of) const {
        struct Use {
            Registers reads, writes;
        };
        std::vector<Use> uses(end_ - begin_);
        const auto bits = [&](const ptx::Operand& operand) { return bits_in(operand, bits_of); };
        for (std::uint32_t i = begin_; i < end_; ++i) {
            const ptx::Instruction& it = body_[i];
            const bool is_result = has_result_of(i);
            const bool is_used = is_result || moves_paths(code_.kind(i)) || is_store_of_slice(i);
            if (!is_used) continue;
            Use& use = uses[i - begin_];
            use.reads = bits_of(it.guard);
            for (std::size_t k = code_.has_result[i] ? 1 : 0; k < it.operands.size(); ++k)
                use.reads |= bits(it.operands[k]);
            if (is_result && it.guard.empty()) use.writes = bits(it.operands[0]);
        }
        std::vector<Registers> live(uses.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t i = end_; i-- > begin_;) {
                const auto& [reads, writes] = uses[i - begin_];
                const Registers now = (live_behind(i, live) & ~writes) | reads;
                changed = changed || now != live[i - begin_];
                live[i - begin_] = now;
            }
        }
        return live;
    }

private:
    /// A node behind which paths part, and the nodes up to where they meet again: in the next round
    /// at the latest.
    struct Fork {
        std::uint32_t node = 0;
        std::vector<std::uint32_t> sides;
        bool decides_round = false;  ///< a side leads to the next round, past where they meet
    };

    std::uint32_t first_node() const { return flow_.node_of[begin_]; }
    std::uint32_t last_node() const { return flow_.node_of[end_ - 1]; }
    bool is_in_loop(std::uint32_t node) const {
        return first_node() <= node && node <= last_node();
    }

    Fork fork_at(std::uint32_t at) const {
        Fork fork;
        fork.node = at;
        std::vector<std::uint32_t>& sides = fork.sides;
        std::vector<std::uint32_t> open{at};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            for (const std::uint32_t next : flow_.nodes[node].next) {
                if (next == flow_.meeting_node[at] || !is_in_loop(next)) continue;
                if (next == first_node()) {
                    fork.decides_round = true;
                    continue;
                }
                if (std::find(sides.begin(), sides.end(), next) != sides.end()) continue;
                sides.push_back(next);
                open.push_back(next);
            }
        }
        return fork;
    }

    Registers live_behind(std::uint32_t i, const std::vector<Registers>& live) const {
        const ControlFlow::Node& node = flow_.nodes[flow_.node_of[i]];
        if (i + 1 < node.end) return live[i + 1 - begin_];
        Registers sum;
        for (const std::uint32_t next : node.next)
            if (is_in_loop(next)) sum |= live[flow_.nodes[next].begin - begin_];
        return sum;
    }

    template <class BitsOf>
    static Registers bits_in(const ptx::Operand& operand, BitsOf bits_of) {
        Registers bits = bits_of(operand.kind == ptx::Operand::Kind::address ? operand.address.base
                                                                             : operand.text);
        for (const ptx::Operand& element : operand.elements) bits |= bits_in(element, bits_of);
        return bits;
    }

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
    bool has_result_of(std::uint32_t i) const {
        return code_.has_result[i] && has(body_[i].operands[0]);
    }
    bool is_store_of_slice(std::uint32_t i) const {
        return with_stores_ && writes_memory(code_.kind(i));
    }

    /// Whether what happens in the node, or where it goes, belongs to the slice.
    bool matters(std::uint32_t node) const {
        const ControlFlow::Node& it = flow_.nodes[node];
        if (it.next.empty() || leaves_or_repeats(node)) return true;
        for (std::uint32_t i = it.begin; i < it.end; ++i)
            if (has_result_of(i) || is_store_of_slice(i)) return true;
        return false;
    }

    /// Adds what the slice's registers are made of, and what decides whether that is executed.
    void grow() {
        std::vector<bool> does_matter(last_node() - first_node() + 1);
        for (std::size_t before = ~std::size_t{0}; before != names_.size();) {
            before = names_.size();
            for (std::uint32_t n = first_node(); n <= last_node(); ++n)
                does_matter[n - first_node()] = matters(n);
            for (const Fork& fork : forks_) {
                const bool decides =
                    fork.decides_round || leaves_or_repeats(fork.node) ||
                    std::any_of(fork.sides.begin(), fork.sides.end(), [&](std::uint32_t side) {
                        return does_matter[side - first_node()];
                    });
                if (!decides) continue;
                const ptx::Instruction& branch = body_[flow_.nodes[fork.node].end - 1];
                add(branch.guard);
                if (branch.opcode == "brx") add(branch.operands[0]);
            }
            for (std::uint32_t i = end_; i-- > begin_;)
                if (has_result_of(i)) add_sources(i);
        }
    }
    /// Goes out of the loop, or back in one inside of it.
    bool leaves_or_repeats(std::uint32_t node) const {
        const auto& all = flow_.nodes[node].next;
        return std::any_of(all.begin(), all.end(), [&](std::uint32_t next) {
            return !is_in_loop(next) || (next <= node && next != first_node());
        });
    }
    void add_sources(std::uint32_t i) {
        const ptx::Instruction& instruction = body_[i];
        const Kind kind = code_.kind(i);
        reads_memory_ = reads_memory_ || vgpu::reads_memory(kind, instruction);
        reads_clock_ = reads_clock_ || vgpu::reads_clock(kind, instruction);
        add(instruction.guard);
        for (std::size_t k = 1; k < instruction.operands.size(); ++k) add(instruction.operands[k]);
    }

    /// What the loop stores may change what it reads.
    void add_stores() {
        with_stores_ = true;
        for (std::uint32_t i = begin_; i < end_; ++i) {
            const ptx::Instruction& instruction = body_[i];
            if (!is_store_of_slice(i)) continue;
            add(instruction.guard);
            const std::size_t first = code_.has_result[i] ? 1 : 0;
            for (std::size_t k = first; k < instruction.operands.size(); ++k)
                add(instruction.operands[k]);
        }
        grow();
    }

    const Code& code_;
    const std::vector<ptx::Instruction>& body_;
    const ControlFlow& flow_;
    const std::uint32_t begin_, end_;
    std::vector<Fork> forks_;
    std::unordered_set<std::string_view> names_;
    bool reads_memory_ = false, reads_clock_ = false, with_stores_ = false;
};

/// Registers by their names, each with a bit; other names are variables and special registers,
/// which stay.
class Places {
public:
    Places(const Scope& scope, const std::unordered_set<std::string_view>& names) {
        for (const std::string_view name : names)
            for (const char* half : {"", kLowerHalf, kUpperHalf}) place(scope, name, half);
    }
    const std::vector<RegisterPlace>& all() const { return places_; }
    bool are_too_many() const { return places_.size() > Image::Loop::kMostRegisters; }
    Registers bits_of(std::string_view name) const {
        const auto found = bits_.find(name);
        return found == bits_.end() ? Registers() : found->second;
    }

private:
    void place(const Scope& scope, std::string_view name, const char* half) {
        const auto found = scope.registers.find(std::string(name) + half);
        if (found == scope.registers.end()) return;
        const auto& [cell, at] = found->second;
        if (places_.size() < Image::Loop::kMostRegisters) bits_[name].set(places_.size());
        places_.push_back({at, cell == Cell::predicate ? 4 : lane_bytes(cell) * kWarpSize});
    }

    std::vector<RegisterPlace> places_;
    std::unordered_map<std::string_view, Registers> bits_;
};

}  // namespace

void find_loop_slices(Image& image, const Scope& scope) {
    const std::vector<ptx::Instruction>& body = scope.function->body;
    std::optional<Code> code;
    for (std::uint32_t i = 0; i < body.size(); ++i) {
        const Insn& back = image.code[scope.first + i];
        if (back.kind != Kind::branch || body[i].opcode != "bra" || back.target > back.pc ||
            back.pc - back.target >= kLongestSlicedLoop)
            continue;
        const std::uint32_t begin = back.target - scope.first;
        const bool is_simple =
            std::equal(body.begin() + begin, body.begin() + i + 1, image.code.begin() + back.target,
                       [](const ptx::Instruction& instruction, const Insn& insn) {
                           return may_have_slice(insn, instruction);
                       });
        if (!is_simple) continue;
        if (!code) code.emplace(image, scope);
        const Slice slice(*code, begin, i + 1);
        const Places places(scope, slice.names());
        if (places.are_too_many()) continue;
        image.loops.push_back(
            {back.target, back.pc + 1, slice.reads_memory(), slice.reads_clock(), places.all(),
             slice.live([&](std::string_view name) { return places.bits_of(name); })});
    }
}

}  // namespace vgpu
