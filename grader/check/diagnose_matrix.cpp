#include "check/diagnose_matrix.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace lab {
namespace {

std::optional<Matrix::Length> length_of(const CallPlan& plan, std::string_view name) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (!argument.is_integer || argument.parameter.name != name) continue;
        if (argument.integer > 0) return Matrix::Length{std::string(name), argument.integer};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Matrix> matrix_of(const CallPlan& plan, const Buffer& buffer) {
    constexpr std::string_view kTimes = " * ";
    if (buffer.parameter.extent == nullptr || buffer.pitched()) return std::nullopt;
    const std::string_view extent = buffer.parameter.extent;
    const std::size_t times = extent.find(kTimes);
    if (times == std::string_view::npos) return std::nullopt;
    const auto rows = length_of(plan, extent.substr(0, times)),
               cols = length_of(plan, extent.substr(times + kTimes.size()));
    if (!rows || !cols) return std::nullopt;
    return Matrix{*rows, *cols};
}

std::string outside_the_matrix(const CallPlan& plan, const Buffer& buffer, std::int64_t element) {
    const auto matrix = matrix_of(plan, buffer);
    if (!matrix || element < matrix->rows.value * matrix->cols.value) return "";
    const auto& [rows, cols] = *matrix;
    const std::int64_t row = element / cols.value, col = element % cols.value;
    const std::string or_beside =
        row == rows.value && rows.value > 0
            ? fmt::format(", or column {} of row {}", cols.value + col, row - 1)
            : "";
    return fmt::format(
        "{} has {} = {} rows of {} = {} elements, so that would be row {}, column {}{}: before an "
        "element is touched, its row must be compared with {}, and its column with {}.",
        buffer.parameter.name, rows.name, rows.value, cols.name, cols.value, row, col, or_beside,
        rows.name, cols.name);
}

}  // namespace lab
