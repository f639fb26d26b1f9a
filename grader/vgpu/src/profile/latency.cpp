#include "profile/latency.h"

#include <array>
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
    WarpState state = WarpState::wait;
};

Cycles both(double cycles, WarpState state) {
    return {cycles, cycles, state};
}

Cycles of_memory(const Insn& insn, Pipe pipe) {
    if (pipe == Pipe::adu) return both(kParameter, WarpState::imc_miss);
    const bool is_global = insn.generic || insn.space == Space::global;
    if (insn.kind == Kind::atomic) {
        if (insn.reduces) return both(0, WarpState::selected);
        return is_global ? both(kFarLoad, WarpState::long_scoreboard)
                         : both(kSharedAtomic, WarpState::short_scoreboard);
    }
    if (is_global) return {kFarLoad, kNearLoad, WarpState::long_scoreboard};
    return insn.space == Space::shared ? both(kSharedLoad, WarpState::short_scoreboard)
                                       : both(kNearLoad, WarpState::long_scoreboard);
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
            return both(1, WarpState::selected);
        case Kind::barrier:
            return both(kBarrier, WarpState::barrier);
        case Kind::warp_sync:
            return both(kExchange, WarpState::short_scoreboard);
        case Kind::branch:
        case Kind::call:
        case Kind::leave:
            return both(kBranch, WarpState::branch_resolving);
        case Kind::plain:
            break;
    }
    switch (pipe) {
        case Pipe::fp64:
            return both(kDouble, WarpState::wait);
        case Pipe::xu:
            return both(kFunction, WarpState::short_scoreboard);
        case Pipe::tensor:
            return both(kTensor, WarpState::wait);
        default:
            return both(kArithmetic, WarpState::wait);
    }
}

/// Cycles from the beginning of a stretch, and what the warp waited for in them.
struct Chain {
    double cycles = 0;
    std::array<double, kWarpStates> by_state{};

    Chain plus(double more, WarpState state) const {
        Chain longer = *this;
        longer.cycles += more;
        longer.by_state[static_cast<std::size_t>(state)] += more;
        return longer;
    }
    void at_least(const Chain& other) {
        if (other.cycles > cycles) *this = other;
    }
};
struct Chains {
    Chain far, near;

    void at_least(const Chains& other) {
        far.at_least(other.far);
        near.at_least(other.near);
    }
};

/// When each register of a stretch can be read.
class Scoreboard {
public:
    void issue(const ptx::Instruction& instruction, Kind kind, Cycles cycles, bool has_result) {
        Chains start;
        const bool is_memory = kind == Kind::load || kind == Kind::store || kind == Kind::atomic;
        if (is_memory) start = stored_;
        wait_for(instruction.guard, start);
        for (std::size_t i = has_result ? 1 : 0; i < instruction.operands.size(); ++i) {
            wait_for(instruction.operands[i], start);
        }
        const Chains ready{start.far.plus(cycles.far, cycles.state),
                           start.near.plus(cycles.near, cycles.state)};
        if (has_result) set(instruction.operands[0], ready);
        if (kind == Kind::store || kind == Kind::atomic) stored_ = start;
        issued_ = issued_.plus(1, WarpState::selected);
        end_.at_least(ready);
        end_.at_least({issued_, issued_});
    }
    /// When all is done.
    const Chains& end() const { return end_; }

private:
    void wait_for(std::string_view name, Chains& start) const {
        const auto found = ready_.find(name);
        if (found != ready_.end()) start.at_least(found->second);
    }
    void wait_for(const ptx::Operand& operand, Chains& start) const {
        const bool is_address = operand.kind == ptx::Operand::Kind::address;
        wait_for(is_address ? operand.address.base : operand.text, start);
        for (const ptx::Operand& element : operand.elements) wait_for(element, start);
    }
    void set(const ptx::Operand& operand, const Chains& ready) {
        if (!operand.text.empty()) ready_[operand.text] = ready;
        for (const ptx::Operand& element : operand.elements) set(element, ready);
    }

    std::unordered_map<std::string_view, Chains> ready_;
    Chains end_, stored_;  ///< stored_: when the latest store could start
    Chain issued_;         ///< all instructions so far, one a cycle
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
Latency stretch_from(const Image& image, std::size_t pc) {
    Scoreboard board;
    for (bool last = false; !last && pc < image.code.size(); ++pc) {
        const Insn& insn = image.code[pc];
        const ptx::Instruction& instruction = *image.instructions[pc];
        board.issue(instruction, insn.kind, cycles_of(insn, image.pipes[pc]),
                    has_result(insn.kind, instruction));
        last = insn.stretch == 1;
    }
    const auto& [far, near] = board.end();
    Latency latency{far.cycles, near.cycles};
    for (std::size_t state = 0; state < kWarpStates; ++state)
        latency.states[state] = {far.by_state[state], near.by_state[state]};
    return latency;
}

}  // namespace

Latency LatencyTable::of(const Image& image, const std::vector<Tally>& tallies) {
    Latency all;
    for (std::size_t pc = 0; pc < image.code.size(); ++pc) {
        const auto starts = static_cast<double>(tallies[pc].starts);
        if (starts == 0) continue;
        auto found = from_.find(pc);
        if (found == from_.end()) found = from_.emplace(pc, stretch_from(image, pc)).first;
        const Latency& once = found->second;
        all.far_cycles += starts * once.far_cycles;
        all.near_cycles += starts * once.near_cycles;
        for (std::size_t state = 0; state < kWarpStates; ++state) {
            all.states[state].far += starts * once.states[state].far;
            all.states[state].near += starts * once.states[state].near;
        }
    }
    return all;
}

}  // namespace vgpu
