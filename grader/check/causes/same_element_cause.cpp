#include "check/causes/same_element_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "check/causes/finding_cause.h"
#include "check/causes/matrix_cause.h"

namespace lab {
namespace {

using vgpu::Finding;
using Place3 = std::array<std::uint64_t, 3>;

/// Where a thread is in its grid, along each axis.
Place3 place_of(const vgpu::Dim3& block, const vgpu::Dim3& thread, const LaunchRecord& launch) {
    return {std::uint64_t{block.x} * launch.block[0] + thread.x,
            std::uint64_t{block.y} * launch.block[1] + thread.y,
            std::uint64_t{block.z} * launch.block[2] + thread.z};
}

/// Two threads, the only launch of the call, and the element at which they meet.
struct Meeting {
    const LaunchRecord* launch;
    Place3 one, other;
    std::uint64_t element;
};

std::optional<Meeting> meeting_of(const Finding& finding, const Buffer& buffer,
                                  const Outcome& outcome) {
    if (outcome.records.launches.size() != 1) return std::nullopt;
    const LaunchRecord& launch = outcome.records.launches.front();
    if (!finding.other || !finding.nearest) return std::nullopt;
    const std::uint64_t base = finding.nearest->allocation.base;
    if (base == 0 || finding.address < base) return std::nullopt;
    return Meeting{&launch, place_of(finding.block, finding.thread, launch),
                   place_of(finding.other->block, finding.other->thread, launch),
                   (finding.address - base) / buffer.element.size_bytes};
}

}  // namespace

std::string meeting_in_a_vector(const Finding& finding, const Buffer& buffer,
                                const Marshalled& call, const Outcome& outcome) {
    const auto meeting = meeting_of(finding, buffer, outcome);
    // Beside arrays of other lengths, elements are not the threads' own: a histogram of many
    // values.
    const bool has_own_elements = std::ranges::all_of(
        call.buffers, [&](const Buffer& other) { return other.elements == buffer.elements; });
    if (!meeting || !has_own_elements) return "";
    const LaunchRecord& launch = *meeting->launch;
    const std::uint64_t threads = launch.grid[0] * std::uint64_t{launch.block[0]};
    const bool is_flat = threads == launch.blocks() * launch.threads_per_block();
    const std::uint64_t low = std::min(meeting->one[0], meeting->other[0]),
                        high = std::max(meeting->one[0], meeting->other[0]),
                        element = meeting->element;
    // A grid that is too small for the array: its threads go on in steps.
    if (!is_flat || threads >= buffer.elements || element >= buffer.elements) return "";
    const std::string both = fmt::format("The threads with the ids {} and {} both come to {}[{}].",
                                         low, high, buffer.parameter.name, element);
    if (element < high) {
        return fmt::format(
            "{} It lies before the first element of thread {}, which is the one with its id.", both,
            high);
    }
    if ((element - low) % threads == 0 && (element - high) % threads == 0) return "";
    return fmt::format(
        "{} The grid has {} threads: from one of its elements to the next, does each jump over "
        "those of all the others?",
        both, threads);
}

std::string meeting_in_a_matrix(const CallPlan& plan, const Finding& finding, const Buffer& buffer,
                                const Outcome& outcome) {
    const auto matrix = matrix_of(plan, buffer);
    const auto meeting = meeting_of(finding, buffer, outcome);
    if (!matrix || !meeting) return "";
    const auto axis = [](const Place3& at, std::size_t i) {
        return static_cast<std::int64_t>(at[i]);
    };
    const std::int64_t x = axis(meeting->one, 0), y = axis(meeting->one, 1),
                       other_x = axis(meeting->other, 0), other_y = axis(meeting->other, 1),
                       element = static_cast<std::int64_t>(meeting->element);
    const auto& [rows, cols] = *matrix;
    const bool inside =
        x < cols.value && other_x < cols.value && y < rows.value && other_y < rows.value;
    // A guard that looks at the whole index lets the threads to the right of a row into the next.
    for (const auto& [at_x, at_y] : {std::pair{x, y}, std::pair{other_x, other_y}}) {
        if (at_x < cols.value || at_y * cols.value + at_x != element) continue;
        return fmt::format(
            "The thread at column {}, row {} of the grid has no element, as a row has {} = {}. It "
            "stores {}[{}], which is another thread's. Such threads must do nothing.",
            at_x, at_y, cols.name, cols.value, buffer.parameter.name, element);
    }
    // The factor of the wrong index: what is y's is x's.
    if (inside && x * cols.value + y == element && other_x * cols.value + other_y == element) {
        return fmt::format(
            "The threads at ({}, {}) and ({}, {}) along x and y of the grid both store {}[{}]: "
            "there the index along the grid's x is multiplied by {} = {}. In memory, a step along "
            "x moves by 1 element.",
            x, y, other_x, other_y, buffer.parameter.name, element, cols.name, cols.value);
    }
    if (y == other_y) return "";
    if (inside && x == other_x && element == x) {
        return fmt::format(
            "The threads at column {}, row {} and at column {}, row {} of the grid both store "
            "{}[{}]: the row is missing from the index. (Of a, b in brackets only b counts.)",
            x, y, other_x, other_y, buffer.parameter.name, element);
    }
    const std::int64_t step = (x - other_x) / (other_y - y);
    const bool is_step = step > 0 && y * step + x == element && other_y * step + other_x == element;
    if (!is_step || !inside || step == cols.value) return "";
    std::string which;
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.integer == step && which.empty()) {
            which = fmt::format(", which is {}", argument.parameter.name);
        }
    }
    return fmt::format(
        "The threads at column {}, row {} and at column {}, row {} of the grid both store {}[{}]: "
        "from row to row the index goes on by {}{}, and a row of {} has {} = {} elements.",
        x, y, other_x, other_y, buffer.parameter.name, element, step, which, buffer.parameter.name,
        cols.name, cols.value);
}

std::string meeting_in_a_box(const CallPlan& plan, const Finding& finding, const Buffer& buffer,
                             const Outcome& outcome) {
    const auto meeting = meeting_of(finding, buffer, outcome);
    if (!meeting) return "";
    constexpr std::array kNames{"K", "J", "I"};
    Place3 lengths{};
    for (const PlannedArgument& argument : plan.arguments) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (!argument.is_integer || argument.integer <= 0) continue;
            if (argument.parameter.name == std::string(kNames[axis])) {
                lengths[axis] = static_cast<std::uint64_t>(argument.integer);
            }
        }
    }
    if (lengths[0] * lengths[1] * lengths[2] != buffer.elements) return "";
    const auto text = [](const Place3& at) {
        return fmt::format("i = {}, j = {}, k = {}", at[2], at[1], at[0]);
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint64_t block = meeting->launch->block[axis];
        if ((lengths[axis] + block - 1) / block != meeting->launch->grid[axis]) return "";
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const Place3& at : {meeting->one, meeting->other}) {
            if (at[axis] < lengths[axis]) continue;
            return fmt::format(
                "The thread at {} has no element, as {} is {}. It stores {}[{}], which is another "
                "thread's. Such threads must do nothing.",
                text(at), kNames[axis], lengths[axis], buffer.parameter.name, meeting->element);
        }
    }
    return fmt::format(
        "The threads at {} and at {} both store {}[{}]. How many elements apart are these two in "
        "memory?",
        text(meeting->one), text(meeting->other), buffer.parameter.name, meeting->element);
}

}  // namespace lab
