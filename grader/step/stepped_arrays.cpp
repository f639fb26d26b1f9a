#include "step/stepped_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
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

/// What accesses to an array move: how often numbers of a size, and of which sizes floats.
struct Votes {
    std::map<std::uint64_t, int> sizes;
    std::set<std::uint64_t> floats;
    std::pair<std::uint64_t, bool> winner() const {
        const std::uint64_t size = std::ranges::max_element(sizes, {}, [](const auto& vote) {
                                       return vote.second;
                                   })->first;
        return {size, floats.contains(size)};
    }
};

/// Of the arrays that are touched.
std::map<const vgpu::Allocation*, Votes> votes_of(const vgpu::Recording& recording) {
    std::map<const vgpu::Allocation*, Votes> votes;
    for (const vgpu::RecordedStep& step : recording.steps) {
        if (!step.is_access()) continue;
        const StepPlace place = place_of(recording, recording.addresses[step.addresses]);
        if (place.is_outside() || !is_number(step.element_bytes, step.is_float)) continue;
        Votes& of_array = votes[place.array];
        ++of_array.sizes[step.element_bytes];
        if (step.is_float) of_array.floats.insert(step.element_bytes);
    }
    return votes;
}

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

void find_types(std::vector<SteppedRun>& runs) {
    // Shared variables of two launches have nothing in common but their names.
    using Key = std::tuple<std::uint64_t, std::string, std::uint64_t>;
    std::map<Key, Votes> votes;
    const auto for_each = [&](const auto& what) {
        for (SteppedRun& run : runs) {
            for (const auto& [allocation, of_run] : votes_of(run.recording)) {
                auto array =
                    std::ranges::find(run.arrays, allocation->name, &SteppedArray::recorded);
                if (array == run.arrays.end())
                    array = run.arrays.insert(array, {allocation->name, allocation->name});
                const auto& shared = run.recording.shared_variables;
                const bool is_shared = std::ranges::any_of(
                    shared, [&](const auto& variable) { return &variable == allocation; });
                what(*array, Key{is_shared ? run.launch : 0, array->name, allocation->size_bytes},
                     of_run);
            }
        }
    };
    for_each([&](const SteppedArray&, const Key& key, const Votes& of_run) {
        for (const auto& [size, count] : of_run.sizes) votes[key].sizes[size] += count;
        votes[key].floats.insert(of_run.floats.begin(), of_run.floats.end());
    });
    for_each([&](SteppedArray& array, const Key& key, const Votes&) {
        if (!is_number(array.element_bytes, array.is_float))
            std::tie(array.element_bytes, array.is_float) = votes.at(key).winner();
    });
}

std::vector<ShownArray> arrays_of(const SteppedRun& run) {
    const auto votes = votes_of(run.recording);
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
