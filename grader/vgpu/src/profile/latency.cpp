#include "profile/latency.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace vgpu {
namespace {

// Cycles until a result can be used, on GPUs since 2017; chosen round numbers of the size that is
// measured on them. What comes from memory: one block of vector add takes 850 cycles an iteration
// on an H200, a sum that loads four values at once 710.
constexpr double kFarLoad = 700, kNearLoad = 40, kSharedLoad = 28, kParameter = 8;
constexpr double kArithmetic = 4, kDouble = 16, kFunction = 20, kTensor = 32, kExchange = 24;
constexpr double kBarrier = 30, kSharedAtomic = 60, kBranch = 8;

struct Cycles {
    double far = 0, near = 0;
};

Cycles both(double cycles) {
    return {cycles, cycles};
}

Cycles of_memory(const Insn& insn, Pipe pipe) {
    if (pipe == Pipe::adu) return both(kParameter);
    const bool is_global = insn.generic || insn.space == Space::global;
    if (insn.kind == Kind::atomic) {
        if (insn.reduces) return both(0);
        return both(is_global ? kFarLoad : kSharedAtomic);
    }
    if (is_global) return {kFarLoad, kNearLoad};
    return both(insn.space == Space::shared ? kSharedLoad : kNearLoad);
}

/// Until the result of the instruction can be used.
Cycles cycles_of(const Insn& insn, Pipe pipe) {
    switch (insn.kind) {
        case Kind::load:
        case Kind::atomic:
        case Kind::copy:
            return of_memory(insn, pipe);
        case Kind::store:
        case Kind::fence:
        case Kind::pause:
            return both(1);
        case Kind::barrier:
            return both(kBarrier);
        case Kind::warp_sync:
            return both(kExchange);
        case Kind::branch:
        case Kind::call:
        case Kind::leave:
            return both(kBranch);
        case Kind::plain:
            break;
    }
    switch (pipe) {
        case Pipe::fp64:
            return both(kDouble);
        case Pipe::xu:
            return both(kFunction);
        case Pipe::tensor:
            return both(kTensor);
        default:
            return both(kArithmetic);
    }
}

/// When each register of a stretch can be read.
class Scoreboard {
public:
    void issue(const ptx::Instruction& instruction, Kind kind, Cycles cycles, bool has_result) {
        Cycles start;
        const bool is_memory = kind == Kind::load || kind == Kind::store || kind == Kind::atomic;
        if (is_memory) start = stored_;
        wait_for(instruction.guard, start);
        for (std::size_t i = has_result ? 1 : 0; i < instruction.operands.size(); ++i) {
            wait_for(instruction.operands[i], start);
        }
        const Cycles ready{start.far + cycles.far, start.near + cycles.near};
        if (has_result) set(instruction.operands[0], ready);
        if (kind == Kind::store || kind == Kind::atomic) stored_ = start;
        ++instructions_;
        end_ = {std::max({end_.far, ready.far, instructions_}),
                std::max({end_.near, ready.near, instructions_})};
    }
    /// When all is done.
    Cycles end() const { return end_; }

private:
    void wait_for(std::string_view name, Cycles& start) const {
        const auto found = ready_.find(name);
        if (found == ready_.end()) return;
        start = {std::max(start.far, found->second.far), std::max(start.near, found->second.near)};
    }
    void wait_for(const ptx::Operand& operand, Cycles& start) const {
        const bool is_address = operand.kind == ptx::Operand::Kind::address;
        wait_for(is_address ? operand.address.base : operand.text, start);
        for (const ptx::Operand& element : operand.elements) wait_for(element, start);
    }
    void set(const ptx::Operand& operand, Cycles ready) {
        if (!operand.text.empty()) ready_[operand.text] = ready;
        for (const ptx::Operand& element : operand.elements) set(element, ready);
    }

    std::unordered_map<std::string_view, Cycles> ready_;
    Cycles end_, stored_;  ///< stored_: when the latest store could start
    double instructions_ = 0;
};

bool has_result(Kind kind, const ptx::Instruction& instruction) {
    if (instruction.operands.empty() || instruction.opcode == "red") return false;
    switch (kind) {
        case Kind::store:
        case Kind::copy:
        case Kind::fence:
        case Kind::branch:
        case Kind::barrier:
        case Kind::call:
        case Kind::leave:
            return false;
        default:
            return instruction.opcode != "bar" && instruction.opcode != "nanosleep" &&
                   instruction.opcode != "prefetch";
    }
}

/// From an instruction to the end of its stretch.
Cycles stretch_from(const Image& image, std::size_t pc) {
    Scoreboard board;
    for (bool last = false; !last && pc < image.code.size(); ++pc) {
        const Insn& insn = image.code[pc];
        const ptx::Instruction& instruction = *image.instructions[pc];
        board.issue(instruction, insn.kind, cycles_of(insn, image.pipes[pc]),
                    has_result(insn.kind, instruction));
        last = insn.stretch == 1;
    }
    return board.end();
}

}  // namespace

Latency latency_of(const Image& image, const std::vector<Tally>& tallies) {
    Latency latency;
    for (std::size_t pc = 0; pc < image.code.size(); ++pc) {
        const auto starts = static_cast<double>(tallies[pc].starts);
        if (starts == 0) continue;
        const Cycles cycles = stretch_from(image, pc);
        latency.far_cycles += starts * cycles.far;
        latency.near_cycles += starts * cycles.near;
    }
    return latency;
}

}  // namespace vgpu
