#include "execute/unset_values.h"

#include <algorithm>
#include <iterator>

#include "execute/block.h"
#include "execute/checked_access.h"
#include "execute/execution.h"

namespace vgpu {
namespace {

std::uint32_t function_of(const Image& image, std::uint32_t pc) {
    const auto behind =
        std::find_if(image.functions.begin(), image.functions.end(),
                     [&](const Image::Function& function) { return function.begin > pc; });
    return std::prev(behind)->begin;
}

Addresses addresses_of(const Warp& w, const Insn& i) {
    Addresses at;
    for (unsigned l = 0; l < kWarpSize; ++l)
        at.lane[l] = static_cast<std::uint64_t>(i.immediate) +
                     (i.wide_address ? w.lanes<std::uint64_t>(i.operand[4])[l]
                                     : static_cast<std::uint64_t>(
                                           std::int64_t{w.lanes<std::int32_t>(i.operand[4])[l]}));
    return at;
}

/// A store of registers as they are, to an address.
bool is_plain_store(const ptx::Instruction& instruction) {
    return instruction.opcode == "st" && instruction.operands.size() == 2 &&
           !instruction.has("param") && !instruction.has("param::func");
}

bool is_move(const ptx::Instruction& instruction) {
    return instruction.opcode == "mov" && instruction.operands.size() == 2 &&
           instruction.operands[1].elements.empty() && instruction.operands[1].component.empty();
}

template <class Visit>
void each_lane(Mask lanes, Visit visit) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1)
        visit(static_cast<unsigned>(__builtin_ctz(rest)));
}

}  // namespace

UnsetValues::Register UnsetValues::number_of(std::uint32_t function, std::string_view name) {
    const auto next = static_cast<Register>(registers_.size());
    return registers_.try_emplace({function, name}, next).first->second;
}

void UnsetValues::collect(const ptx::Operand& operand, std::uint32_t function,
                          std::vector<Register>& into) {
    const std::string_view name =
        operand.kind == ptx::Operand::Kind::address ? operand.address.base : operand.text;
    if (!name.empty()) into.push_back(number_of(function, name));
    for (const auto& element : operand.elements) collect(element, function, into);
}

const UnsetValues::Facts& UnsetValues::facts_of(const Image& image, std::uint32_t pc) {
    facts_.resize(image.code.size());
    std::optional<Facts>& known = facts_[pc];
    if (known) return *known;
    const ptx::Instruction& instruction = *image.instructions[pc];
    const std::uint32_t function = function_of(image, pc);
    Facts facts;
    facts.has_result = has_result(instruction);
    facts.is_plain_store = is_plain_store(instruction);
    facts.is_move = is_move(instruction);
    if (!instruction.guard.empty()) facts.guard = number_of(function, instruction.guard);
    for (std::size_t k = 0; k < instruction.operands.size(); ++k)
        collect(instruction.operands[k], function,
                k == 0 && facts.has_result       ? facts.results
                : k == 0 && facts.is_plain_store ? facts.address
                                                 : facts.reads);
    if (facts.is_plain_store && instruction.operands[1].elements.size() > 1) {
        facts.reads.clear();
        for (const auto& element : instruction.operands[1].elements)  // some may be numbers
            facts.reads.push_back(element.text.empty() ? kNone : number_of(function, element.text));
    }
    return known.emplace(std::move(facts));
}

Flow UnsetValues::execute(Warp& warp, const Insn& insn, Mask active) {
    std::vector<Value>& values = values_of(warp);
    if (values.empty()) return insn.execute(warp, insn, active);  // nearly always

    const Facts& facts = facts_of(warp.execution->image, insn.pc);
    const auto has = [](const std::vector<Register>& all, Register one) {
        return std::ranges::find(all, one) != all.end();
    };
    // Of a store, the values that go into the block's own memory: which lanes, which element.
    struct Stored {
        std::size_t element = 0;
        Mask lanes = 0;
    };
    std::vector<Stored> stored;
    std::vector<Value> results;
    const Mask here = warp.paths.back().mask;
    for (const Value& value : values) {
        if (facts.guard == value.at) report_use(warp, value, value.lanes & here);
        const Mask lanes = value.lanes & active;
        const bool is_address = has(facts.address, value.at);
        if (lanes == 0 || (!is_address && !has(facts.reads, value.at))) continue;
        if (insn.kind == Kind::plain && facts.has_result) {
            for (const Register at : facts.results)
                results.push_back({at, lanes, value.is_copy && facts.is_move, value.origin});
            continue;
        }
        Mask matters = lanes;
        if (facts.is_plain_store && value.is_copy && !is_address) {
            const Addresses at = addresses_of(warp, insn);
            each_lane(lanes, [&](unsigned lane) {
                if (is_of_block(at.lane[lane])) matters &= ~(Mask{1} << lane);
            });
            for (std::size_t k = 0; k < facts.reads.size(); ++k)
                if (facts.reads[k] == value.at) stored.push_back({k, lanes & ~matters});
        }
        report_use(warp, value, matters);
    }
    const Addresses at = stored.empty() ? Addresses() : addresses_of(warp, insn);
    for (Value& value : values)
        if (has(facts.results, value.at)) value.lanes &= ~active;
    const Flow flow = insn.execute(warp, insn, active);
    if (flow == Flow::stop) return flow;
    for (const auto& [element, lanes] : stored) {
        const std::uint32_t bytes = insn.access_bytes / insn.vector;
        each_lane(lanes, [&](unsigned lane) {
            mark_unset(warp, lane, at.lane[lane] + element * bytes, bytes);
        });
    }
    for (const Value& result : results) add(values, result);
    std::erase_if(values, [](const Value& value) { return value.lanes == 0; });
    return flow;
}

bool UnsetValues::follow(Warp& warp, const Insn& insn, Mask lanes, const Finding& finding) {
    const Image& image = warp.execution->image;
    const ptx::Instruction& instruction = *image.instructions[insn.pc];
    const bool is_of_block = finding.space == Space::shared || finding.space == Space::local;
    if (instruction.opcode != "ld" || !is_of_block) return false;
    const auto [known, is_new] = origins_.try_emplace({&warp, image.sources[insn.pc]},
                                                      static_cast<std::uint32_t>(findings_.size()));
    const std::uint32_t origin = known->second;
    if (is_new) findings_.emplace_back();
    findings_[origin] = finding;
    const Addresses at = addresses_of(warp, insn);
    const ptx::Operand& to = instruction.operands[0];
    const std::size_t count = std::max<std::size_t>(to.elements.size(), 1);
    const auto bytes = static_cast<std::uint32_t>(insn.access_bytes / count);
    for (std::size_t k = 0; k < count; ++k) {
        Mask unset = 0;
        each_lane(lanes, [&](unsigned lane) {
            if (is_unset(warp, lane, at.lane[lane] + k * bytes, bytes)) unset |= Mask{1} << lane;
        });
        const ptx::Operand& element = to.elements.empty() ? to : to.elements[k];
        add(values_of(warp),
            {number_of(function_of(image, insn.pc), element.text), unset, true, origin});
    }
    return true;
}

/// A sum in a loop is made of what many rounds of one load have read: that is one value.
void UnsetValues::add(std::vector<Value>& values, const Value& one) {
    for (Value& value : values) {
        if (value.at != one.at || value.origin != one.origin || value.is_copy != one.is_copy)
            continue;
        value.lanes |= one.lanes;
        return;
    }
    values.push_back(one);
}

std::vector<UnsetValues::Value>& UnsetValues::values_of(const Warp& warp) {
    OfWarp& known = warps_[&warp];
    if (known.block != warp.block->number) known = {warp.block->number, {}};
    return known.values;
}

void UnsetValues::report_use(Warp& warp, const Value& used, Mask lanes) {
    if (lanes == 0) return;
    const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
    Finding finding = findings_[used.origin];
    finding.thread = thread_of(warp, first);
    finding.occurrences = lane_count(lanes);
    report(warp, std::move(finding), first);
    // Once for each load, whatever else is made of it.
    for (Value& value : values_of(warp))
        if (value.origin == used.origin) value.lanes &= ~lanes;
}

}  // namespace vgpu
