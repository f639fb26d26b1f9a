// Accesses outside of an allocation of the student's own, whose size is to blame.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "check/causes/outside_access.h"

namespace lab {
namespace {

/// A pixel whose row is as many elements down as it should be bytes. From rows and columns
/// exchanged, say, another one comes.
bool counts_pitch_in_elements(const OutsideAccess& access, std::uint64_t size_bytes) {
    const Outside& at = access.at;
    const std::uint64_t x = access.index(0), y = access.index(1);
    if (y == 0 || at.element < 0) return false;
    return std::ranges::any_of(access.plan.arguments, [&](const PlannedArgument& argument) {
        if (!argument.is_integer || argument.integer < 2) return false;
        const auto rows = static_cast<std::uint64_t>(argument.integer);
        const std::uint64_t pitch = size_bytes / rows;
        return size_bytes % rows == 0 && x < pitch && y < rows &&
               static_cast<std::uint64_t>(at.element) == y * pitch + x;
    });
}

/// A pixel in rows that are as many elements apart as a row of one of the lengths has bytes; 0:
/// none.
std::uint64_t row_bytes_as_elements(const OutsideAccess& access) {
    const std::uint64_t x = access.index(0), y = access.index(1);
    if (y == 0 || access.at.element < 0) return 0;
    for (const PlannedArgument& argument : access.plan.arguments) {
        if (!argument.is_integer || argument.integer < 2) continue;
        const std::uint64_t bytes = static_cast<std::uint64_t>(argument.integer) * sizeof(float);
        if (static_cast<std::uint64_t>(access.at.element) == y * bytes + x) return bytes;
    }
    return 0;
}

}  // namespace

std::string counts_elements(const CallPlan& plan, const std::string& name, std::uint64_t size_bytes,
                            std::uint64_t access_bytes) {
    if (access_bytes < 2 || !name.starts_with("cudaMalloc")) return "";
    std::vector<std::pair<std::string, std::uint64_t>> lengths;
    for (const PlannedArgument& argument : plan.arguments) {
        if (!argument.is_integer || argument.integer <= 1) continue;
        lengths.emplace_back(argument.parameter.name, static_cast<std::uint64_t>(argument.integer));
    }
    for (std::size_t i = 0, single = lengths.size(); i < single; ++i) {
        for (std::size_t k = i; k < single; ++k) {
            lengths.emplace_back(lengths[i].first + " * " + lengths[k].first,
                                 lengths[i].second * lengths[k].second);
        }
    }
    for (auto [text, value] : lengths) {
        if (value + 1 == size_bytes) {
            text += " + 1";
        } else if (value != size_bytes) {
            continue;
        }
        return fmt::format(
            "It has {} bytes, which is {}, but each element takes {}. The size of an allocation "
            "counts bytes, not elements.",
            size_bytes, text, access_bytes);
    }
    return "";
}

std::string too_short(const OutsideAccess& access, std::uint64_t size_bytes) {
    const Outside& at = access.at;
    if (at.array.starts_with("cudaMalloc") && size_bytes == sizeof(void*)) {
        return "It has 8 bytes, the size of a pointer. sizeof of a pointer does not say how long "
               "its array is.";
    }
    if (at.array.starts_with("cudaMallocPitch")) {
        if (const std::uint64_t bytes = row_bytes_as_elements(access); bytes != 0) {
            return fmt::format(
                "From row to row the index goes on by {0}, the number of bytes of a row. An index "
                "counts elements.",
                bytes);
        }
        if (!counts_pitch_in_elements(access, size_bytes)) return "";
        return "cudaMallocPitch gives the pitch in bytes, but an index of an array counts "
               "elements.";
    }
    if (!at.array.starts_with("cudaMalloc")) return "";
    for (const PlannedArgument& argument : access.plan.arguments) {
        if (!argument.is_integer || argument.integer < 2) continue;
        if (static_cast<std::uint64_t>(argument.integer) != at.elements) continue;
        return fmt::format("{} has room for {} elements, which is {}. Is that enough?", at.array,
                           at.elements, argument.parameter.name);
    }
    return "";
}

}  // namespace lab
