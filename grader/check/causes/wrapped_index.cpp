#include "check/causes/wrapped_index.h"

#include <fmt/format.h>

#include "check/causes/finding_cause.h"

namespace lab {

std::string WrappedIndex::sentence() const {
    return fmt::format(
        "The index of {} is {}: it went below 0, to {}, and an unsigned number has no place for "
        "that. It wraps around.",
        buffer->parameter.name, index, meant);
}

std::optional<WrappedIndex> wrapped_index(const vgpu::Finding& finding, const Marshalled& call,
                                          const Outcome& outcome) {
    constexpr std::uint64_t kWrap = std::uint64_t{1} << 32;
    constexpr std::uint64_t kFarthest = 1 << 16;  // below 0; chosen
    if (finding.check != vgpu::Check::out_of_bounds || finding.space != vgpu::Space::global) {
        return std::nullopt;
    }
    std::optional<WrappedIndex> nearest;
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        const std::uint64_t base = outcome.page.addresses[i];
        const Buffer* const buffer = buffer_at(base, call, outcome);
        if (buffer == nullptr || finding.address < base || finding.access_bytes == 0) continue;
        if (finding.is_write && !buffer->written()) continue;
        const std::uint64_t each = buffer->element.size_bytes;
        const std::uint64_t index = (finding.address - base) / each;
        const bool is_element =
            finding.access_bytes == each && (finding.address - base) % each == 0;
        if (!is_element || index >= kWrap || index < kWrap - kFarthest) continue;
        const auto meant = static_cast<std::int64_t>(index) - static_cast<std::int64_t>(kWrap);
        if (!nearest || meant > nearest->meant) nearest = WrappedIndex{buffer, base, index, meant};
    }
    return nearest;
}

vgpu::Finding from_the_array_that_was_meant(vgpu::Finding finding, const Marshalled& call,
                                            const Outcome& outcome) {
    if (const auto wrapped = wrapped_index(finding, call, outcome)) {
        const std::uint64_t size_bytes = wrapped->buffer->data_bytes();
        finding.nearest =
            vgpu::Nearest{{wrapped->base, size_bytes, wrapped->buffer->parameter.name},
                          static_cast<std::int64_t>(finding.address - wrapped->base - size_bytes)};
    }
    return finding;
}

}  // namespace lab
