#include "check/causes/pitch_cause.h"

#include <fmt/format.h>

#include <cstdint>

#include "check/causes/finding_cause.h"

namespace lab {
namespace {

struct ThreadPixel {
    std::uint64_t x = 0, y = 0;
};

ThreadPixel pixel_of(const vgpu::Dim3& block, const vgpu::Dim3& thread,
                     const LaunchRecord& launch) {
    return {std::uint64_t{block.x} * launch.block[0] + thread.x,
            std::uint64_t{block.y} * launch.block[1] + thread.y};
}

/// The name of the integer argument that is the buffer's pitch; empty: none is.
std::string name_of_pitch(const CallPlan& plan, const Buffer& buffer) {
    for (const PlannedArgument& argument : plan.arguments) {
        const std::string name = argument.parameter.name;
        if (argument.is_integer && name.ends_with("pitch") &&
            static_cast<std::uint64_t>(argument.integer) == buffer.pitch_elements) {
            return name;
        }
    }
    return "";
}

}  // namespace

std::string pitch_taken_for_bytes(const CallPlan& plan, const vgpu::Finding& finding,
                                  const Marshalled& call, const Outcome& outcome) {
    std::uint64_t base = 0;
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        const std::uint64_t begin = outcome.page.addresses[i];
        const bool is_here = begin != 0 && finding.address >= begin &&
                             finding.address - begin < call.areas[i].image.size();
        if (is_here) base = begin;
    }
    const Buffer* const buffer = buffer_at(base, call, outcome);
    if (buffer == nullptr || !buffer->pitched() || outcome.records.launches.empty()) return "";
    const auto [x, y] = pixel_of(finding.block, finding.thread, outcome.records.launches.back());
    const std::string pitch = name_of_pitch(plan, *buffer);
    const std::uint64_t as_bytes = y * buffer->pitch_elements + x * buffer->element.size_bytes;
    if (y == 0 || pitch.empty() || finding.address - base != as_bytes) return "";
    return fmt::format(
        "Row {} begins {} bytes after the start of {} here, which is {} * {}. But {} counts "
        "elements, and a char* goes on by bytes.",
        y, y * buffer->pitch_elements, buffer->parameter.name, y, pitch, pitch);
}

std::string meeting_in_pitched_rows(const CallPlan& plan, const vgpu::Finding& finding,
                                    const Buffer& buffer, const Outcome& outcome) {
    if (!buffer.pitched() || !finding.other || !finding.nearest) return "";
    if (outcome.records.launches.size() != 1) return "";
    const LaunchRecord& launch = outcome.records.launches.front();
    const std::uint64_t each = buffer.element.size_bytes, step = buffer.pitch_elements / each,
                        element = (finding.address - finding.nearest->allocation.base) / each;
    const auto is_there = [&](const ThreadPixel& at) { return at.y * step + at.x == element; };
    const std::string pitch = name_of_pitch(plan, buffer);
    if (pitch.empty() || !is_there(pixel_of(finding.block, finding.thread, launch)) ||
        !is_there(pixel_of(finding.other->block, finding.other->thread, launch))) {
        return "";
    }
    return fmt::format(
        "From row to row the index goes on by {}, which is {} / {}: but {} counts elements "
        "already, "
        "not bytes.",
        step, pitch, each, pitch);
}

}  // namespace lab
