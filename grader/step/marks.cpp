#include "step/marks.h"

#include <algorithm>
#include <bit>

namespace lab {
namespace {

using vgpu::RecordedStep;
using vgpu::Recording;

std::string label_of(RecordedStep::Kind kind) {
    switch (kind) {
        // clang-format off
        case RecordedStep::Kind::line:   return "line";
        case RecordedStep::Kind::load:   return "read";
        case RecordedStep::Kind::store:  return "write";
        case RecordedStep::Kind::atomic: return "atomic";
        case RecordedStep::Kind::shuffle: return "shuffle";
        case RecordedStep::Kind::wait:   return "wait";
        case RecordedStep::Kind::go_on:  return "barrier";
        case RecordedStep::Kind::leave:  return "end";
            // clang-format on
    }
    return "";
}

std::uint32_t lane_of(const Recording& recording, const vgpu::Dim3& thread) {
    const vgpu::Dim3& block = recording.block;
    return (thread.x + block.x * (thread.y + block.y * thread.z)) % 32;
}

StepMarks of_finding(const Recording& recording, const vgpu::RecordedFinding& found) {
    StepMarks marks;
    const auto mark = [&](std::size_t step, const vgpu::Dim3& thread) {
        if (step == Recording::kNoStep) return;
        marks.steps.push_back(
            {step, lane_of(recording, thread), label_of(recording.steps[step].kind)});
    };
    if (found.finding.other) mark(found.other, found.finding.other->thread);
    mark(found.step, found.finding.thread);
    std::ranges::sort(marks.steps, {}, &StepMark::index);
    if (found.finding.access_bytes > 0) marks.address = found.finding.address;
    return marks;
}

/// The lane of a store that writes the byte.
std::optional<std::uint32_t> writer(const Recording& recording, const RecordedStep& step,
                                    vgpu::Address address) {
    if (!step.is_write()) return std::nullopt;
    std::size_t k = step.addresses;
    for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1, ++k) {
        const vgpu::Address at = recording.addresses[k];
        if (at <= address && address < at + step.bytes)
            return static_cast<std::uint32_t>(std::countr_zero(rest));
    }
    return std::nullopt;
}

/// "c", or the device's copy of it: "d_c".
bool is_named(const SteppedRun& run, const vgpu::Allocation& allocation, const std::string& name) {
    const auto known = std::ranges::find(run.arrays, allocation.name, &SteppedArray::recorded);
    const std::string& shown = known == run.arrays.end() ? allocation.name : known->name;
    return shown == name || shown.ends_with("_" + name);
}

/// Where the wrong element lies in a run's memory.
std::optional<vgpu::Address> address_in(const SteppedRun& run, const nlohmann::json& wrong) {
    const auto elements = wrong.at("elements").get<std::uint64_t>();
    const Recording& recording = run.recording;
    const auto array = std::ranges::find_if(recording.allocations, [&](const auto& allocation) {
        return elements > 0 && allocation.size_bytes % elements == 0 &&
               is_named(run, allocation, wrong.at("name"));
    });
    if (array == recording.allocations.end()) return std::nullopt;
    return array->base +
           wrong.at("first_wrong").get<std::uint64_t>() * (array->size_bytes / elements);
}

/// The last step that writes the byte, and its lane.
std::optional<StepMark> last_write(const Recording& recording, vgpu::Address address) {
    for (std::size_t i = recording.steps.size(); i-- > 0;)
        if (const auto lane = writer(recording, recording.steps[i], address))
            return StepMark{i, *lane, "wrong value"};
    return std::nullopt;
}

/// The last access of a warp, else where it leaves.
std::optional<std::size_t> last_access(const Recording& recording, const RecordedStep& warp) {
    std::optional<std::size_t> end;
    for (std::size_t i = recording.steps.size(); i-- > 0;) {
        const RecordedStep& step = recording.steps[i];
        if (step.block != warp.block || step.warp != warp.warp) continue;
        if (step.is_access()) return i;
        if (!end) end = i;
    }
    return end;
}

bool is_same_size(const vgpu::Dim3& a, const vgpu::Dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// The lane that should have written the wrong element, at the end of its warp's work: the one that
/// does so in the reference, where both have the same threads.
std::optional<StepMark> missing_write(const Recording& recording, const SteppedRun& reference,
                                      const nlohmann::json& wrong) {
    const Recording& right = reference.recording;
    if (recording.is_cut || !is_same_size(recording.grid, right.grid) ||
        !is_same_size(recording.block, right.block))
        return std::nullopt;
    const auto address = address_in(reference, wrong);
    const auto write = address ? last_write(right, *address) : std::nullopt;
    if (!write) return std::nullopt;
    const auto end = last_access(recording, right.steps[write->index]);
    if (!end) return std::nullopt;
    return StepMark{*end, write->lane, "should have written it", true};
}

StepMarks of_wrong_value(const SteppedRun& run, const nlohmann::json& wrong,
                         const SteppedRun* reference) {
    StepMarks marks;
    marks.address = address_in(run, wrong);
    std::optional<StepMark> mark;
    if (marks.address) mark = last_write(run.recording, *marks.address);
    if (!mark && reference != nullptr) mark = missing_write(run.recording, *reference, wrong);
    if (mark) marks.steps.push_back(*std::move(mark));
    return marks;
}

}  // namespace

StepMarks marks_of(const SteppedRun& run, const nlohmann::json& wrong,
                   const SteppedRun* reference) {
    if (!run.recording.findings.empty())
        return of_finding(run.recording, run.recording.findings.front());
    if (run.is_reference || !wrong.is_object()) return {};
    return of_wrong_value(run, wrong, reference);
}

}  // namespace lab
