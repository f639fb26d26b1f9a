#include "check/explain/failed_call_cause.h"

#include <fmt/format.h>

namespace lab {
namespace {

/// A grid of no blocks: rounded down, or for no elements.
std::string no_blocks(const CallPlan& plan) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.integer == 0) {
            return fmt::format(
                "You launched 0 blocks, and CUDA needs at least 1. With {} = 0 there is nothing to "
                "do: launch nothing then.",
                argument.parameter.name);
        }
    }
    return "You launched 0 blocks, and CUDA needs at least 1. A division of ints rounds down: does "
           "yours leave a block for the elements that do not fill one?";
}

}  // namespace

std::string diagnose_failed_call(const CallPlan& plan, const Outcome& outcome) {
    if (outcome.records.failed_calls.empty()) return "";
    const vgpu::FailedCall& failed = outcome.records.failed_calls.back();
    const auto says = [&](const char* words) {
        return failed.why.find(words) != std::string::npos;
    };
    if (says("you launched 0 blocks")) return no_blocks(plan);
    if (failed.function == "cudaMalloc" && says("pointer to the result is null")) {
        return "cudaMalloc was given a null pointer. It stores an address in your pointer, so it "
               "needs to know where that is: &pointer.";
    }
    return "";
}

}  // namespace lab
