#include "check/causes/failed_call_cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/causes/outside_access.h"

namespace lab {
namespace {

/// A grid of no blocks: rounded down, or for no elements.
std::string no_blocks(const CallPlan& plan) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.integer == 0) {
            return fmt::format(
                "You launched 0 blocks, and CUDA needs at least 1. With {} = 0, return before the "
                "launch, or, if a result must be stored all the same, launch one.",
                argument.parameter.name);
        }
    }
    return "You launched 0 blocks, and CUDA needs at least 1. A division of ints rounds down: does "
           "yours leave a block for the elements that do not fill one?";
}

/// A grid that would do if its axes were exchanged.
std::string too_long_an_axis(char axis) {
    return fmt::format(
        "The grid is too long along {}: it has at most 65535 blocks there, and 2147483647 along x. "
        "Which of your sizes may be larger? Put its blocks along x.",
        axis);
}

/// Memory of the student's own that was allocated for as many bytes as there are elements.
std::string short_allocation(const CallPlan& plan, const vgpu::Overrun& overrun) {
    const auto pointer = std::ranges::find_if(
        plan.arguments, [](const PlannedArgument& argument) { return argument.has_data; });
    if (pointer == plan.arguments.end()) return "";
    return counts_elements(plan, overrun.allocation.name, overrun.allocation.size_bytes,
                           pointer->element.size_bytes);
}

}  // namespace

std::string diagnose_failed_call(const CallPlan& plan, const Outcome& outcome) {
    if (outcome.records.failed_calls.empty()) return "";
    const vgpu::FailedCall& failed = outcome.records.failed_calls.back();
    const auto says = [&](const char* words) {
        return failed.why.find(words) != std::string::npos;
    };
    if (says("you launched 0 blocks")) return no_blocks(plan);
    for (const char axis : {'y', 'z'}) {
        if (says(fmt::format("blocks along {}:", axis).c_str())) return too_long_an_axis(axis);
    }
    if (says("must not call CUDA itself")) {
        return "A function that cudaLaunchHostFunc runs launches a kernel or calls CUDA: that is "
               "not permitted. Launch the kernel yourself: the stream keeps the order.";
    }
    if (failed.overrun) return short_allocation(plan, *failed.overrun);
    if (says("width of a row is larger than its pitch")) {
        return "Widths and pitches count bytes. Was the memory allocated for rows of that "
               "many bytes?";
    }
    if (failed.function == "cudaMalloc" && says("pointer to the result is null")) {
        return "cudaMalloc was given a null pointer. It stores an address in your pointer, so it "
               "needs to know where that is: &pointer.";
    }
    return "";
}

}  // namespace lab
