#include "check/diagnose_matrix.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "check/diagnose_finding.h"

namespace lab {
namespace {

using nlohmann::json;
using Place3 = std::vector<std::int64_t>;

struct Length {
    std::string name;
    std::int64_t value = 0;
};
struct Matrix {
    Length rows, cols;
};

std::optional<Length> length_of(const CallPlan& plan, std::string_view name) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (!argument.is_integer || argument.parameter.name != name) continue;
        if (argument.integer > 0) return Length{std::string(name), argument.integer};
    }
    return std::nullopt;
}

/// The two lengths, where the extent is the product of two arguments.
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

/// Column and row of a thread in its grid.
struct At {
    std::int64_t x = 0, y = 0;
};

std::optional<At> place_of(const json& thread_of, const LaunchRecord& launch) {
    const auto block = member_of<Place3>(thread_of, "block", {});
    const auto thread = member_of<Place3>(thread_of, "thread", {});
    if (block.size() != 3 || thread.size() != 3) return std::nullopt;
    return At{block[0] * launch.block[0] + thread[0], block[1] * launch.block[1] + thread[1]};
}

}  // namespace

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

std::string shared_row_step(const CallPlan& plan, const json& finding, const Buffer& buffer,
                            const Outcome& outcome) {
    const auto matrix = matrix_of(plan, buffer);
    if (!matrix || outcome.records.launches.size() != 1) return "";
    const LaunchRecord& launch = outcome.records.launches.front();
    const auto one = place_of(finding, launch),
               other = place_of(member_of(finding, "other", json::object()), launch);
    if (!one || !other || one->y == other->y) return "";
    const auto base = member_of<std::uint64_t>(member_of(finding, "nearest", json::object()),
                                               "base", 0),
               address = member_of<std::uint64_t>(finding, "address", 0);
    if (base == 0 || address < base) return "";
    const auto element = static_cast<std::int64_t>((address - base) / buffer.element.size_bytes);
    const auto& [rows, cols] = *matrix;
    const std::int64_t step = (one->x - other->x) / (other->y - one->y);
    const bool is_step =
        step > 0 && one->y * step + one->x == element && other->y * step + other->x == element;
    const bool have_own = one->x < cols.value && other->x < cols.value && one->y < rows.value &&
                          other->y < rows.value;
    if (!is_step || !have_own || step == cols.value) return "";
    std::string which;
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.integer == step && which.empty()) {
            which = fmt::format(", which is {}", argument.parameter.name);
        }
    }
    return fmt::format(
        "The threads at column {}, row {} and at column {}, row {} of the grid both store {}[{}]: "
        "from row to row the index goes on by {}{}, and a row of {} has {} = {} elements.",
        one->x, one->y, other->x, other->y, buffer.parameter.name, element, step, which,
        buffer.parameter.name, cols.name, cols.value);
}

}  // namespace lab
