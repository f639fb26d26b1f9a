// Accesses outside of an array: finds the element, and the explanation that fits the shape of the
// grid.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "check/causes/finding_cause.h"
#include "check/causes/outside_access.h"
#include "check/causes/shared_memory_cause.h"
#include "check/causes/wrapped_index.h"

namespace lab {
namespace {

using vgpu::Finding;
using Indices = std::array<std::uint64_t, 3>;

/// An output of one element.
std::string outside_one_place(const Outside& at, const Indices& thread, const Indices& block) {
    // A sum for each block, say: the kernel may be right, and was given the wrong array.
    const bool is_of_block = thread == Indices{0, 0, 0} && block[0] > 0 &&
                             at.element == static_cast<std::int64_t>(block[0]) && !at.read;
    if (is_of_block) {
        return fmt::format(
            "{0} has one element, for the end result, but block {1} stores past it, as if each "
            "block had its own. Is {0} the array that this kernel should get?",
            at.array, block[0]);
    }
    return fmt::format("{0} has one element, which all threads of all blocks share.", at.array);
}

/// A load or store of several elements that begins inside and ends outside.
std::string vector_past_the_end(const Finding& finding, const Outside& at) {
    const std::uint64_t address = finding.address, bytes = finding.access_bytes,
                        base = finding.nearest ? finding.nearest->allocation.base : 0;
    if (at.buffer == nullptr || address < base) return "";
    const std::uint64_t each = at.buffer->element.size_bytes, first = (address - base) / each,
                        width = bytes / each;
    if (width < 2 || first >= at.elements) return "";
    return fmt::format(
        "{0} elements are {1} at once here, {2} to {3}, but the last one of {4} is {5}. The "
        "elements after the last whole group of {0} need code of their own.",
        width, at.read ? "loaded" : "stored", first, first + width - 1, at.array, at.elements - 1,
        at.elements);
}

/// An index that is negative, and nothing else known of it.
std::string below_zero(const Outside& at) {
    constexpr std::int64_t kHalf = std::int64_t{1} << 30;
    if (at.element < -kHalf) {
        return fmt::format(
            "The index is {}: it was computed beyond 2147483647, where an int ends, and wrapped "
            "around.",
            at.element);
    }
    return fmt::format("The index is {}, below 0, where {} begins.", at.element, at.array);
}

std::optional<Outside> outside_of(const Finding& finding, const vgpu::Nearest& nearest,
                                  const Marshalled& call, const Outcome& outcome) {
    const auto& [base, size_bytes, name] = nearest.allocation;
    const std::int64_t distance = nearest.distance_bytes;
    Outside at;
    at.read = !finding.is_write;
    at.buffer = buffer_at(base, call, outcome);
    const std::uint64_t each =
        at.buffer != nullptr ? at.buffer->element.size_bytes : finding.access_bytes;
    if (each == 0) return std::nullopt;
    at.array = at.buffer != nullptr ? at.buffer->parameter.name : name;
    at.elements = at.buffer != nullptr ? at.buffer->elements : size_bytes / each;
    const auto whole = static_cast<std::int64_t>(each);
    at.element = distance >= 0 ? static_cast<std::int64_t>(at.elements) + distance / whole
                               : -((-distance + whole - 1) / whole);
    return at;
}

}  // namespace

std::optional<std::uint64_t> integer_argument(const CallPlan& plan, const std::string& name) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.parameter.name == name && argument.integer >= 0) {
            return static_cast<std::uint64_t>(argument.integer);
        }
    }
    return std::nullopt;
}

std::string diagnose_outside(const CallPlan& plan, const Finding& finding, const Marshalled& call,
                             const Outcome& outcome) {
    if (finding.space == vgpu::Space::shared) return outside_shared(plan, finding, outcome);
    if (const auto wrapped = wrapped_index(finding, call, outcome)) return wrapped->sentence();
    if (finding.space != vgpu::Space::global || !finding.nearest) return "";
    const std::uint64_t size_bytes = finding.nearest->allocation.size_bytes;
    const Indices block{finding.block.x, finding.block.y, finding.block.z},
        thread{finding.thread.x, finding.thread.y, finding.thread.z};
    const auto at = outside_of(finding, *finding.nearest, call, outcome);
    if (!at) return "";
    if (at->buffer == nullptr) {
        const std::string why = counts_elements(plan, at->array, size_bytes, finding.access_bytes);
        if (!why.empty()) return why;
    }
    if (at->buffer != nullptr && at->buffer->written() &&
        std::string_view(at->buffer->parameter.extent) == "1") {
        return outside_one_place(*at, thread, block);
    }
    if (std::string why = vector_past_the_end(finding, *at); !why.empty()) return why;
    const auto stopped = std::ranges::find_if(
        outcome.records.launches, [](const LaunchRecord& l) { return l.outcome != "ok"; });
    if (stopped == outcome.records.launches.end()) return "";
    const OutsideAccess access{plan, call, *stopped, *at, block, thread};
    const bool is_flat =
        stopped->grid[1] * stopped->grid[2] * stopped->block[1] * stopped->block[2] == 1;
    std::string why;
    if (is_flat) {
        why = outside_the_vector(access);
    } else if (stopped->grid[2] * stopped->block[2] != 1) {
        why = outside_the_box(access);
    } else {
        why = outside_the_image(access);
    }
    if (why.empty() && at->element < 0) return below_zero(*at);
    if (!why.empty() || at->buffer != nullptr) return why;
    return too_short(access, size_bytes);
}

}  // namespace lab
