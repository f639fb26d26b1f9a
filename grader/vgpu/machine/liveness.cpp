// Live ranges by the usual backward data flow over basic blocks, then a linear scan over the text.
// NVVM's output is close to single assignment, so without shared slots a warp's registers would not
// fit in the host's cache.
#include "vgpu/machine/liveness.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "vgpu/device.h"
#include "vgpu/machine/named_registers.h"

namespace vgpu {
namespace {

using Bits = std::vector<std::uint64_t>;

bool has(const Bits& bits, std::uint32_t i) {
    return bits[i / 64] >> (i % 64) & 1;
}
void add(Bits& bits, std::uint32_t i) {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}
void drop(Bits& bits, std::uint32_t i) {
    bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
}

/// Instructions whose first operand is not a result.
bool has_no_result(std::string_view opcode) {
    static constexpr std::array<std::string_view, 23> kNone{
        "st",           "red",     "bra",   "brx",     "bar",   "barrier",       "call",
        "ret",          "exit",    "trap",  "membar",  "fence", "prefetch",      "prefetchu",
        "nanosleep",    "pmevent", "brkpt", "discard", "cp",    "applypriority", "griddepcontrol",
        "stackrestore", "sust"};
    return std::find(kNone.begin(), kNone.end(), opcode) != kNone.end();
}

struct Register {
    std::string name;
    Cell cell = Cell::none;
    std::uint32_t first = ~0u, last = 0;  // positions: 2i reads of instruction i, 2i+1 its writes
    void touch(std::uint32_t position) {
        first = std::min(first, position);
        last = std::max(last, position);
    }
};

struct Uses {
    std::vector<std::uint32_t> reads, writes;
};

class Liveness {
public:
    Liveness(const ptx::Function& function, const ControlFlow& flow)
        : function_(function), flow_(flow) {
        for (auto& [name, cell] : named_registers(function)) {
            index_.emplace(name, static_cast<std::uint32_t>(registers_.size()));
            registers_.push_back({std::move(name), cell});
        }
        for (const auto& instruction : function.body) uses_.push_back(uses(instruction));
        words_ = registers_.size() / 64 + 1;
        solve();
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
        if (const auto found = index_.find(name); found != index_.end())
            into.push_back(found->second);
        for (const auto& element : operand.elements) collect(element, into);
    }

    Uses uses(const ptx::Instruction& instruction) const {
        Uses uses;
        for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
            const bool result = i == 0 && !has_no_result(instruction.opcode) &&
                                instruction.operands[0].kind != ptx::Operand::Kind::address;
            collect(instruction.operands[i], result ? uses.writes : uses.reads);
        }
        if (const auto guard = index_.find(instruction.guard); guard != index_.end()) {
            uses.reads.push_back(guard->second);
            // Lanes that the guard switches off keep the old value.
            uses.reads.insert(uses.reads.end(), uses.writes.begin(), uses.writes.end());
        }
        return uses;
    }

    void step_back(Bits& live, std::uint32_t i) const {
        for (const auto r : uses_[i].writes) drop(live, r);
        for (const auto r : uses_[i].reads) add(live, r);
    }

    void solve() {
        live_in_.assign(flow_.nodes.size(), Bits(words_));
        for (bool changed = true; changed;) {
            changed = false;
            for (auto n = flow_.nodes.size(); n-- > 0;) {
                Bits live = live_out(n);
                for (auto i = flow_.nodes[n].end; i-- > flow_.nodes[n].begin;) step_back(live, i);
                if (live == live_in_[n]) continue;
                live_in_[n] = std::move(live);
                changed = true;
            }
        }
    }

    Bits live_out(std::size_t node) const {
        Bits live(words_);
        for (const auto next : flow_.nodes[node].next)
            for (std::size_t w = 0; w < words_; ++w) live[w] |= live_in_[next][w];
        return live;
    }

    void touch_all(const Bits& live, std::uint32_t position) {
        for (std::size_t w = 0; w < words_; ++w)
            for (auto rest = live[w]; rest != 0; rest &= rest - 1)
                registers_[w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))].touch(
                    position);
    }

    /// Live ranges as stretches of the text, and the largest number of live registers.
    void measure(RegisterPlan& plan) {
        for (std::size_t n = 0; n < flow_.nodes.size(); ++n) {
            Bits live = live_out(n);
            touch_all(live, 2 * flow_.nodes[n].end - 1);
            touch_all(live_in_[n], 2 * flow_.nodes[n].begin);
            std::uint32_t held = 0;
            for (std::uint32_t r = 0; r < registers_.size(); ++r)
                if (has(live, r)) held += weight(r);
            for (auto i = flow_.nodes[n].end; i-- > flow_.nodes[n].begin;) {
                for (const auto r : uses_[i].writes) {
                    registers_[r].touch(2 * i + 1);
                    if (has(live, r)) held -= weight(r);
                    drop(live, r);
                }
                for (const auto r : uses_[i].reads) {
                    registers_[r].touch(2 * i);
                    if (!has(live, r)) held += weight(r);
                    add(live, r);
                }
                plan.pressure = std::max(plan.pressure, held);
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
            const bool early = !live_in_.empty() && has(live_in_[0], index_.at(r->name));
            plan.registers[r->name] = {r->cell, slot, early};
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
    std::vector<Bits> live_in_;
    std::size_t words_ = 1;
};

}  // namespace

Cell cell_of(const ptx::Type& type) {
    if (type.kind == 'p') return Cell::predicate;
    const std::uint32_t bits = std::uint32_t{type.bits} * type.lanes;
    return bits <= 32 ? Cell::word : bits == 64 ? Cell::wide : Cell::none;
}

RegisterPlan plan_registers(const ptx::Function& function, const ControlFlow& flow) {
    return Liveness(function, flow).plan();
}

}  // namespace vgpu
