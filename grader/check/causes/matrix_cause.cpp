#include "check/causes/matrix_cause.h"

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

/// Whether the thread may have meant (row, col): tiles and elements of a thread lie whole blocks
/// apart. Only in blocks so large that chance is small.
bool may_mean(const ThreadInBlock& thread, std::int64_t row, std::int64_t col) {
    constexpr std::int64_t kSmallest = 8;
    return thread.block_width >= kSmallest && thread.block_height >= kSmallest &&
           row % thread.block_height == thread.y && col % thread.block_width == thread.x;
}

/// Whether it may have meant an element of a row of this length, or past the end of that row by
/// less than a block.
bool may_mean_element(const ThreadInBlock& thread, std::int64_t element, std::int64_t cols) {
    for (std::int64_t row = element / cols, col = element % cols;
         row >= 0 && col < cols + thread.block_width; --row, col += cols) {
        if (may_mean(thread, row, col)) return true;
    }
    return false;
}

/// Rows as long as another matrix's, where only that explains the element.
std::string rows_of_another(const CallPlan& plan, const Marshalled& call, const Buffer& buffer,
                            const Matrix& own, std::int64_t element, const ThreadInBlock& thread) {
    if (may_mean_element(thread, element, own.cols.value)) return "";
    for (const Buffer& other : call.buffers) {
        const auto matrix = matrix_of(plan, other);
        if (!matrix || matrix->cols.value == own.cols.value) continue;
        const std::int64_t row = element / matrix->cols.value, col = element % matrix->cols.value;
        if (!may_mean(thread, row, col)) continue;
        const std::string or_another =
            buffer.written() ? "" : fmt::format("{} is meant, or ", other.parameter.name);
        return fmt::format(
            "{} has rows of {} = {} elements. This is where row {}, column {} would be if a row "
            "had {} = {}, as in {}: {}the lengths are those of another matrix.",
            buffer.parameter.name, own.cols.name, own.cols.value, row, col, matrix->cols.name,
            matrix->cols.value, other.parameter.name, or_another);
    }
    return "";
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

std::string outside_the_matrix(const CallPlan& plan, const Marshalled& call, const Buffer& buffer,
                               std::int64_t element, const ThreadInBlock& thread) {
    const auto matrix = matrix_of(plan, buffer);
    if (!matrix || element < matrix->rows.value * matrix->cols.value) return "";
    std::string rows_are = rows_of_another(plan, call, buffer, *matrix, element, thread);
    if (!rows_are.empty()) return rows_are;
    const auto& [rows, cols] = *matrix;
    const std::int64_t row = element / cols.value, col = element % cols.value;
    const std::string or_beside =
        row == rows.value && rows.value > 0
            ? fmt::format(", or column {} of row {}", cols.value + col, row - 1)
            : "";
    return fmt::format(
        "{} has {} = {} rows of {} = {} elements, so that would be row {}, column {}{}. A thread "
        "must not touch an element that does not exist.",
        buffer.parameter.name, rows.name, rows.value, cols.name, cols.value, row, col, or_beside);
}

}  // namespace lab
