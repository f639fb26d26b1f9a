#include "check/call/call.h"

#include <cstdlib>

#include "check/call/show_element.h"

namespace lab {

std::string CallPlan::case_text() const {
    std::string text;
    for (const PlannedArgument& argument : arguments) {
        if (argument.text.empty()) continue;
        if (!text.empty()) text += ", ";
        text += std::string(argument.parameter.name) + " = " + argument.text;
    }
    return text;
}

std::string CallPlan::call_text() const {
    return function + "(" + case_text() + ")";
}

std::string detail::text_of(float value) {
    return show_float(value);
}

std::string detail::text_of(double value) {
    return show_float(value);
}

std::string detail::view_text(const Parameter& parameter, std::int64_t offset) {
    const std::string base = parameter.base == nullptr ? "?" : parameter.base;
    if (offset == 0) return base;
    return base + (offset > 0 ? " + " : " - ") + std::to_string(std::abs(offset));
}

}  // namespace lab
