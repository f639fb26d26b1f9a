#include "step/moves.h"

#include <algorithm>
#include <vector>

namespace lab {
namespace {

using vgpu::RecordedStep;
using Steps = std::vector<RecordedStep>;

/// Barriers open for all warps of a block at once: the last of these steps counts.
bool opens(const Steps& steps, std::size_t i) {
    if (steps[i].kind != RecordedStep::Kind::go_on) return false;
    return i + 1 == steps.size() || steps[i + 1].kind != RecordedStep::Kind::go_on ||
           steps[i + 1].block != steps[i].block;
}

bool is_stop(const Steps& steps, std::size_t i) {
    return steps[i].is_access() || steps[i].is_shuffle() ||
           steps[i].kind == RecordedStep::Kind::wait || opens(steps, i);
}

bool is_other_warp(const RecordedStep& a, const RecordedStep& b) {
    return a.warp != b.warp || a.block != b.block;
}

template <class Wanted>
std::size_t search(const Steps& steps, std::size_t from, int direction, const Wanted& wanted) {
    for (std::size_t i = from + static_cast<std::size_t>(direction); i < steps.size();
         i += static_cast<std::size_t>(direction))  // before the first one it wraps, and ends
        if (wanted(i)) return i;
    return from;
}

/// A moment of one warp: what its counterpart in another order, or in the reference, is found by.
/// Unlike at is_stop(), each warp's own way through a barrier counts: which one is last differs.
bool is_moment(const RecordedStep& step) {
    return step.is_access() || step.is_shuffle() || step.kind == RecordedStep::Kind::wait ||
           step.kind == RecordedStep::Kind::go_on;
}

}  // namespace

std::size_t next_access(const vgpu::Recording& recording, std::size_t from, int direction) {
    const Steps& steps = recording.steps;
    return search(steps, from, direction, [&](std::size_t i) { return is_stop(steps, i); });
}

std::size_t next_line(const vgpu::Recording& recording, std::size_t from, int direction) {
    const Steps& steps = recording.steps;
    return search(steps, from, direction, [&](std::size_t i) {
        return steps[i].line != steps[from].line || is_other_warp(steps[i], steps[from]);
    });
}

std::size_t next_barrier(const vgpu::Recording& recording, std::size_t from, int direction) {
    const Steps& steps = recording.steps;
    return search(steps, from, direction, [&](std::size_t i) { return opens(steps, i); });
}

std::size_t next_warp(const vgpu::Recording& recording, std::size_t from, int direction) {
    const Steps& steps = recording.steps;
    return search(steps, from, direction,
                  [&](std::size_t i) { return is_other_warp(steps[i], steps[from]); });
}

std::size_t first_access(const vgpu::Recording& recording) {
    return !recording.steps.empty() && is_stop(recording.steps, 0) ? 0
                                                                   : next_access(recording, 0, 1);
}

std::size_t same_moment(const vgpu::Recording& here, std::size_t at, const vgpu::Recording& there) {
    const auto is_its = [&](const RecordedStep& step) {
        return is_moment(step) && !is_other_warp(step, here.steps[at]);
    };
    const auto end = here.steps.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    auto left = std::count_if(here.steps.begin(), end, is_its);
    std::size_t found = first_access(there);
    for (std::size_t i = 0; i < there.steps.size(); ++i) {
        if (!is_its(there.steps[i])) continue;
        found = i;
        if (--left <= 0) break;  // before its first one, that one
    }
    return found;
}

}  // namespace lab
