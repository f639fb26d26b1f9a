#include "step/stepped_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace lab {
namespace {

bool is_number(std::uint64_t bytes, bool is_float) {
    return is_float ? bytes == 4 || bytes == 8
                    : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

template <class T>
T read(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

/// What accesses to an array move most often, and whether they touch it at all.
struct Votes {
    std::map<std::pair<std::uint64_t, bool>, int> types;
    std::pair<std::uint64_t, bool> winner() const {
        return std::ranges::max_element(types, {}, [](const auto& vote) { return vote.second; })
            ->first;
    }
};

}  // namespace

std::string number_text(const std::byte* bytes, std::uint64_t size, bool is_float) {
    if (is_float) {
        return size == 8 ? fmt::format("{:.5g}", read<double>(bytes))
                         : fmt::format("{:.5g}", read<float>(bytes));
    }
    switch (size) {
        // clang-format off
        case 1:  return fmt::format("{}", int{read<std::int8_t>(bytes)});
        case 2:  return fmt::format("{}", read<std::int16_t>(bytes));
        case 4:  return fmt::format("{}", read<std::int32_t>(bytes));
        default: return fmt::format("{}", read<std::int64_t>(bytes));
            // clang-format on
    }
}

std::string ShownArray::type() const {
    static const std::map<std::uint64_t, const char*> integers{
        {1, "char"}, {2, "short"}, {4, "int"}, {8, "long long"}};
    const char* const number =
        is_float ? (element_bytes == 8 ? "double" : "float") : integers.at(element_bytes);
    const auto size = static_cast<std::int64_t>(count());
    return (is_shared ? "shared " : "") +
           (columns == 0
                ? fmt::format("{}[{}]", number, size)
                : fmt::format("{}[{}][{}]", number, (size + columns - 1) / columns, columns));
}

std::string ShownArray::element(std::int64_t index) const {
    const bool is_inside = index >= 0 && index < static_cast<std::int64_t>(count());
    if (columns == 0 || !is_inside) return fmt::format("{}[{}]", name, index);
    return fmt::format("{}[{}][{}]", name, index / columns, index % columns);
}

std::string ShownArray::value(const std::byte* bytes) const {
    return number_text(bytes, element_bytes, is_float);
}

std::vector<ShownArray> arrays_of(const SteppedRun& run) {
    std::map<const vgpu::Allocation*, Votes> votes;
    for (const vgpu::RecordedStep& step : run.recording.steps) {
        if (!step.is_access()) continue;
        const StepPlace place = place_of(run.recording, run.recording.addresses[step.addresses]);
        if (!place.is_outside() && is_number(step.element_bytes, step.is_float))
            ++votes[place.array].types[{step.element_bytes, step.is_float}];
    }
    std::vector<ShownArray> arrays;
    const auto add = [&](const std::vector<vgpu::Allocation>& allocations, bool is_shared) {
        for (const vgpu::Allocation& allocation : allocations) {
            const auto touched = votes.find(&allocation);
            if (touched == votes.end()) continue;
            ShownArray array{allocation, is_shared, allocation.name};
            std::tie(array.element_bytes, array.is_float) = touched->second.winner();
            const auto known =
                std::ranges::find(run.arrays, allocation.name, &SteppedArray::recorded);
            if (known != run.arrays.end()) {
                array.name = known->name;
                array.columns = known->columns;
                if (is_number(known->element_bytes, known->is_float)) {
                    array.element_bytes = known->element_bytes;
                    array.is_float = known->is_float;
                }
            }
            arrays.push_back(std::move(array));
        }
    };
    add(run.recording.shared_variables, true);
    add(run.recording.allocations, false);
    return arrays;
}

ShownElement element_at(const std::vector<ShownArray>& arrays, const SteppedRun& run,
                        vgpu::Address address) {
    const StepPlace place = place_of(run.recording, address);
    if (place.array == nullptr) return {};
    for (const ShownArray& array : arrays) {
        if (array.allocation.base != place.array->base || array.is_shared != place.is_shared)
            continue;
        const auto bytes = static_cast<std::int64_t>(array.element_bytes);
        const std::int64_t index =
            place.byte >= 0 ? place.byte / bytes : (place.byte - bytes + 1) / bytes;
        return {&array, index, place.is_outside()};
    }
    return {};
}

}  // namespace lab
