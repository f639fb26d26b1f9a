// Live ranges register by register, from the blocks that read it backwards to those that write it,
// then a linear scan over the text. So the work follows from the number of blocks that a register
// is live in, which is small for most, and no set of registers is kept for a block. NVVM's output
// is close to single assignment, so without shared slots a warp's registers would not fit in the
// host's cache.
#include "decode/liveness.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "decode/named_registers.h"
#include "state/instruction_class.h"
#include "vgpu/device.h"

namespace vgpu {
namespace {

/// Steps from block to block, for all registers: a few for each that a program keeps over a branch.
/// Chosen: about half a second's work.
constexpr std::uint64_t kMostLivenessSteps = std::uint64_t{1} << 27;

struct Register {
    std::string name;
    Cell cell = Cell::none;
    std::vector<std::uint32_t> readers{};  ///< nodes that read it before they write it, if they do
    std::vector<std::uint32_t> writers{};  ///< nodes that write it
    bool is_read_first = false;            ///< some path reads it before it is written
    std::uint32_t first = ~0u, last = 0;   // positions: 2i reads of instruction i, 2i+1 its writes
    void touch(std::uint32_t position) {
        first = std::min(first, position);
        last = std::max(last, position);
    }
};

constexpr std::uint32_t kNone = ~0u;

struct Uses {
    std::vector<std::uint32_t> reads, writes;
};

class Liveness {
public:
    Liveness(const ptx::Function& function, const ControlFlow& flow)
        : function_(function), flow_(flow) {
        for (auto& [name, cell] : named_registers(function)) {
            // Of a register in two halves, the PTX has one name, which is that of the lower.
            const auto whole = name.substr(0, name.find(kHalfMark));
            index_.emplace(whole, static_cast<std::uint32_t>(registers_.size()));
            registers_.push_back({std::move(name), cell});
        }
        for (const auto& instruction : function.body) uses_.push_back(uses(instruction));
        find_nodes();
        follow_all();
    }

    RegisterPlan plan() {
        RegisterPlan plan;
        measure(plan);
        assign(plan);
        return plan;
    }

private:
    void collect(const ptx::Operand& operand, std::vector<std::uint32_t>& into) const {
        const std::string& name =
            operand.kind == ptx::Operand::Kind::address ? operand.address.base : operand.text;
        if (const auto found = index_.find(name); found != index_.end()) {
            into.push_back(found->second);
            if (registers_[found->second].name.ends_with(kLowerHalf))
                into.push_back(found->second + 1);
        }
        for (const auto& element : operand.elements) collect(element, into);
    }

    Uses uses(const ptx::Instruction& instruction) const {
        Uses uses;
        for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
            const bool result = i == 0 && has_result(instruction);
            collect(instruction.operands[i], result ? uses.writes : uses.reads);
        }
        if (const auto guard = index_.find(instruction.guard); guard != index_.end()) {
            uses.reads.push_back(guard->second);
            // Lanes that the guard switches off keep the old value.
            uses.reads.insert(uses.reads.end(), uses.writes.begin(), uses.writes.end());
        }
        return uses;
    }

    /// Register::readers and writers.
    void find_nodes() {
        std::vector<std::uint32_t> read(registers_.size(), kNone),
            written(registers_.size(), kNone);
        for (std::uint32_t n = 0; n < flow_.nodes.size(); ++n)
            for (auto i = flow_.nodes[n].begin; i < flow_.nodes[n].end; ++i) {
                for (const auto r : uses_[i].reads)
                    if (written[r] != n && std::exchange(read[r], n) != n)
                        registers_[r].readers.push_back(n);
                for (const auto r : uses_[i].writes)
                    if (std::exchange(written[r], n) != n) registers_[r].writers.push_back(n);
            }
    }

    /// The nodes that each register is live in, one register after the other.
    void follow_all() {
        previous_.resize(flow_.nodes.size());
        for (std::uint32_t n = 0; n < flow_.nodes.size(); ++n)
            for (const auto next : flow_.nodes[n].next) previous_[next].push_back(n);
        live_out_.resize(flow_.nodes.size());
        held_out_.resize(flow_.nodes.size());
        is_in_.assign(flow_.nodes.size(), kNone);
        is_out_ = writes_ = is_in_;
        for (std::uint32_t r = 0; r < registers_.size(); ++r) follow(r);
    }

    void follow(std::uint32_t r) {
        Register& it = registers_[r];
        for (const auto n : it.writers) writes_[n] = r;
        for (const auto n : it.readers) is_in_[n] = r;
        for (std::vector<std::uint32_t> open = it.readers; !open.empty();) {
            const std::uint32_t node = open.back();
            open.pop_back();
            it.touch(2 * flow_.nodes[node].begin);
            it.is_read_first = it.is_read_first || node == 0;
            for (const auto before : previous_[node]) {
                if (++steps_ > kMostLivenessSteps)
                    throw Error("function " + function_.name +
                                " keeps too many registers over too many branches");
                if (std::exchange(is_out_[before], r) == r) continue;
                it.touch(2 * flow_.nodes[before].end - 1);
                held_out_[before] += weight(r);
                if (writes_[before] != r && std::exchange(is_in_[before], r) != r)
                    open.push_back(before);
            }
        }
        // Which of a node's own registers are live behind it: what measure() asks for.
        for (const auto n : it.writers)
            if (is_out_[n] == r) live_out_[n].push_back(r);
        for (const auto n : it.readers)
            if (is_out_[n] == r && writes_[n] != r) live_out_[n].push_back(r);
    }

    /// Live ranges as stretches of the text, and the largest number of live registers.
    void measure(RegisterPlan& plan) {
        std::vector<std::uint32_t> live(registers_.size(), kNone);
        for (std::uint32_t n = 0; n < flow_.nodes.size(); ++n) {
            std::uint64_t held = held_out_[n];
            for (const auto r : live_out_[n]) live[r] = n;
            for (auto i = flow_.nodes[n].end; i-- > flow_.nodes[n].begin;) {
                for (const auto r : uses_[i].writes) {
                    registers_[r].touch(2 * i + 1);
                    if (std::exchange(live[r], kNone) == n) held -= weight(r);
                }
                for (const auto r : uses_[i].reads) {
                    registers_[r].touch(2 * i);
                    if (std::exchange(live[r], n) != n) held += weight(r);
                }
                plan.pressure = std::max(plan.pressure, static_cast<std::uint32_t>(held));
            }
        }
    }

    std::uint32_t weight(std::uint32_t r) const {
        const Cell cell = registers_[r].cell;
        return cell == Cell::wide ? 2 : cell == Cell::word ? 1 : 0;
    }

    void assign(RegisterPlan& plan) {
        std::vector<const Register*> order;
        for (const auto& r : registers_)
            if (r.first <= r.last) order.push_back(&r);
        std::sort(order.begin(), order.end(), [](auto* a, auto* b) {
            return a->first != b->first ? a->first < b->first : a < b;
        });
        struct Pool {
            std::uint32_t size = 0;
            std::multimap<std::uint32_t, std::uint32_t> busy;  // last position -> slot
        };
        std::array<Pool, 4> pools;
        for (const Register* r : order) {
            Pool& pool = pools[static_cast<std::size_t>(r->cell)];
            std::uint32_t slot = pool.size;
            if (!pool.busy.empty() && pool.busy.begin()->first < r->first) {
                slot = pool.busy.begin()->second;
                pool.busy.erase(pool.busy.begin());
            } else {
                ++pool.size;
            }
            pool.busy.emplace(r->last, slot);
            plan.registers[r->name] = {r->cell, slot, r->is_read_first};
        }
        plan.predicates = pools[static_cast<std::size_t>(Cell::predicate)].size;
        plan.words = pools[static_cast<std::size_t>(Cell::word)].size;
        plan.wides = pools[static_cast<std::size_t>(Cell::wide)].size;
    }

    const ptx::Function& function_;
    const ControlFlow& flow_;
    std::vector<Register> registers_;
    std::unordered_map<std::string, std::uint32_t> index_;
    std::vector<Uses> uses_;
    std::vector<std::vector<std::uint32_t>> previous_;  ///< of each node
    std::vector<std::vector<std::uint32_t>> live_out_;  ///< the same, as far as it uses them
    std::vector<std::uint64_t> held_out_;               ///< the same: weight of all live behind it
    /// The register that was last found to be live before the node, live behind it, written in it.
    std::vector<std::uint32_t> is_in_, is_out_, writes_;
    std::uint64_t steps_ = 0;
};

}  // namespace

RegisterPlan plan_registers(const ptx::Function& function, const ControlFlow& flow) {
    return Liveness(function, flow).plan();
}

}  // namespace vgpu
