#include "ptx/text.h"

#include <fmt/format.h>

namespace vgpu::ptx {
namespace {

std::string text_of(const Operand& operand, bool is_call);

std::string list_of(const std::vector<Operand>& operands, const char* between, bool is_call) {
    std::string text;
    for (const Operand& operand : operands)
        text += (text.empty() ? "" : between) + text_of(operand, is_call);
    return text;
}

std::string text_of(const Immediate& number) {
    if (!number.is_float) return fmt::format("{}", static_cast<std::int64_t>(number.bits));
    return number.float_bits == 32 ? fmt::format("0f{:08X}", number.bits)
                                   : fmt::format("0d{:016X}", number.bits);
}

std::string offset_text(std::int64_t offset) {
    return offset == 0 ? "" : fmt::format("{:+}", offset);
}

std::string text_of(const Operand& operand, bool is_call) {
    switch (operand.kind) {
        case Operand::Kind::immediate:
            return text_of(operand.immediate);
        case Operand::Kind::address: {
            const auto& [base, offset] = operand.address;
            std::string text =
                base.empty() ? fmt::format("{}", offset) : base + offset_text(offset);
            if (!operand.elements.empty()) text += ", " + list_of(operand.elements, ", ", is_call);
            return "[" + text + "]";
        }
        case Operand::Kind::tuple: {
            const std::string elements = list_of(operand.elements, ", ", is_call);
            return is_call ? "(" + elements + ")" : "{" + elements + "}";
        }
        case Operand::Kind::pair:
            return list_of(operand.elements, "|", is_call);
        case Operand::Kind::ignored:
            return "_";
        case Operand::Kind::name:
            break;
    }
    return (operand.negated ? "!" : "") + operand.text +
           (operand.component.empty() ? "" : "." + operand.component) +
           offset_text(operand.name_offset);
}

}  // namespace

std::string to_text(const Instruction& instruction) {
    std::string text;
    if (!instruction.guard.empty())
        text = fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", instruction.guard);
    text += instruction.full_opcode();
    const std::string operands = list_of(instruction.operands, ", ", instruction.opcode == "call");
    return operands.empty() ? text : text + " " + operands;
}

}  // namespace vgpu::ptx
