#include "execute/unset_values.h"

#include <algorithm>
#include <iterator>

#include "execute/block.h"
#include "execute/checked_access.h"
#include "execute/execution.h"

namespace vgpu {
namespace {

bool names(const ptx::Operand& operand, std::string_view name) {
    if (operand.kind == ptx::Operand::Kind::address) return operand.address.base == name;
    return operand.text == name || std::any_of(operand.elements.begin(), operand.elements.end(),
                                               [&](const auto& e) { return names(e, name); });
}

std::uint32_t function_of(const Image& image, std::uint32_t pc) {
    const auto behind =
        std::find_if(image.functions.begin(), image.functions.end(),
                     [&](const Image::Function& function) { return function.begin > pc; });
    return std::prev(behind)->begin;
}

void collect(const ptx::Operand& operand, std::vector<std::string_view>& into) {
    if (!operand.text.empty()) into.push_back(operand.text);
    for (const auto& element : operand.elements) collect(element, into);
}

std::vector<std::string_view> results_of(const ptx::Instruction& instruction) {
    std::vector<std::string_view> all;
    if (has_result(instruction)) collect(instruction.operands[0], all);
    return all;
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

Flow UnsetValues::execute(Warp& warp, const Insn& insn, Mask active) {
    std::vector<Value>& values = values_of(warp);
    if (values.empty()) return insn.execute(warp, insn, active);  // nearly always

    const Image& image = warp.execution->image;
    const ptx::Instruction& instruction = *image.instructions[insn.pc];
    const std::uint32_t function = function_of(image, insn.pc);
    // Of a store, the values that go into the block's own memory: which lanes, which element.
    struct Stored {
        std::size_t element = 0;
        Mask lanes = 0;
    };
    std::vector<Stored> stored;
    std::vector<Value> results;
    const Mask here = warp.paths.back().mask;
    for (const Value& value : values) {
        if (value.function != function) continue;
        if (instruction.guard == value.name) report_use(warp, value, value.lanes & here);
        const Mask lanes = value.lanes & active;
        const auto reads = [&](std::size_t i) {
            return i < instruction.operands.size() && names(instruction.operands[i], value.name);
        };
        bool is_read = false;
        for (std::size_t i = has_result(instruction) ? 1 : 0; i < instruction.operands.size(); ++i)
            is_read |= reads(i);
        if (!is_read || lanes == 0) continue;
        if (insn.kind == Kind::plain && has_result(instruction)) {
            for (const std::string_view name : results_of(instruction))
                results.push_back(
                    {name, function, lanes, value.is_copy && is_move(instruction), value.origin});
            continue;
        }
        Mask matters = lanes;
        if (is_plain_store(instruction) && value.is_copy && !reads(0)) {
            const Addresses at = addresses_of(warp, insn);
            each_lane(lanes, [&](unsigned lane) {
                if (is_of_block(at.lane[lane])) matters &= ~(Mask{1} << lane);
            });
            const ptx::Operand& from = instruction.operands[1];
            for (std::size_t k = 0; k < insn.vector; ++k)
                if (names(from.elements.empty() ? from : from.elements.at(k), value.name))
                    stored.push_back({k, lanes & ~matters});
        }
        report_use(warp, value, matters);
    }
    const Addresses at = stored.empty() ? Addresses() : addresses_of(warp, insn);
    for (const std::string_view name : results_of(instruction))
        for (Value& value : values)
            if (value.function == function && value.name == name) value.lanes &= ~active;
    const Flow flow = insn.execute(warp, insn, active);
    if (flow == Flow::stop) return flow;
    for (const auto& [element, lanes] : stored) {
        const std::uint32_t bytes = insn.access_bytes / insn.vector;
        each_lane(lanes, [&](unsigned lane) {
            mark_unset(warp, lane, at.lane[lane] + element * bytes, bytes);
        });
    }
    values.insert(values.end(), results.begin(), results.end());
    std::erase_if(values, [](const Value& value) { return value.lanes == 0; });
    return flow;
}

bool UnsetValues::follow(Warp& warp, const Insn& insn, Mask lanes, const Finding& finding) {
    const Image& image = warp.execution->image;
    const ptx::Instruction& instruction = *image.instructions[insn.pc];
    const bool is_of_block = finding.space == Space::shared || finding.space == Space::local;
    if (instruction.opcode != "ld" || !is_of_block) return false;
    const auto origin = static_cast<std::uint32_t>(findings_.size());
    findings_.push_back(finding);
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
        values_of(warp).push_back({element.text, function_of(image, insn.pc), unset, true, origin});
    }
    return true;
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
