#include "check/causes/endless_cause.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {
namespace {

using vgpu::Finding;

/// How many blocks came before the one of a finding.
std::uint64_t blocks_before(const Finding& finding, const LaunchRecord& launch) {
    const std::uint64_t row = std::uint64_t{finding.block.z} * launch.grid[1] + finding.block.y;
    return row * launch.grid[0] + finding.block.x;
}

/// A race that was stopped: who does all the work, where the launch says it.
std::string too_slow(const Outcome& outcome) {
    const std::string slow =
        "This is too slow: the smaller calls of the tests before came to an end, and the limit is "
        "many times what the reference needs here. ";
    if (outcome.records.launches.empty()) return slow;
    const LaunchRecord& launch = outcome.records.launches.back();
    if (launch.blocks() == 1) {
        const std::uint64_t threads = launch.threads_per_block();
        return slow + fmt::format("{} does all the work.",
                                  threads == 1 ? "One thread"
                                               : fmt::format("One block of {} threads", threads));
    }
    return slow + "How many elements does the thread in that line visit, and do the others work?";
}

/// A grid of many threads for each element of the longest argument: n blocks where n threads are
/// needed.
std::string far_too_many_threads(const Marshalled& call, const Outcome& outcome) {
    constexpr std::uint64_t kMany = 16;
    if (outcome.records.launches.empty()) return "";
    const LaunchRecord& launch = outcome.records.launches.back();
    std::uint64_t elements = 0;
    for (const Buffer& buffer : call.buffers) elements = std::max(elements, buffer.elements);
    const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
    if (elements == 0 || threads / elements < kMany) return "";
    return fmt::format(
        "The grid has {} blocks of {} threads: {} threads for each of the {} elements of the "
        "longest array. Each block has many threads, so fewer blocks are enough.",
        launch.blocks(), launch.threads_per_block(), threads / elements, elements);
}

/// A kernel that was stopped after it had stored far more than there is to store.
std::string stored_too_often(const Marshalled& call, const Outcome& outcome) {
    constexpr std::uint64_t kFew = 64, kMany = 4;
    if (outcome.records.launches.empty()) return "";
    std::uint64_t elements = 0, output_bytes = 0;
    for (const Buffer& buffer : call.buffers) {
        if (!buffer.written()) continue;
        elements += buffer.elements;
        output_bytes += buffer.data_bytes();
    }
    const LaunchRecord& launch = outcome.records.launches.back();
    const std::uint64_t stored_bytes = launch.global_store_bytes,
                        threads = launch.blocks() * launch.threads_per_block();
    if (elements < kFew || stored_bytes / output_bytes < kMany) return "";
    // More than if each of them went through all elements: it is one element again and again.
    if (stored_bytes / output_bytes > threads) return "";
    return fmt::format(
        "By then its threads had stored {} times as much as the output holds. Does each thread "
        "handle only its own elements?",
        stored_bytes / output_bytes);
}

/// A kernel that was stopped in a loop around an atomicCAS that stores nothing.
std::string failing_swap(const Finding& finding) {
    const auto* const endless = finding.cause_as<vgpu::cause::Endless>();
    if (endless == nullptr || !endless->swap) return "";
    if (endless->swap->expects == 0 && endless->swap->finds == 1) {
        return "If this is a lock, nobody releases it: the thread that has taken it must set it "
               "back to 0 on every way out. It must not wait at a barrier meanwhile.";
    }
    return "atomicCAS stores nothing when another thread was faster, and returns what is there "
           "now. The next try must expect that, and not the number from before, which may never be "
           "there again.";
}

/// A kernel that was stopped for its length, though many of its blocks had ended: it may be slow,
/// not endless.
bool has_finished_blocks(const Finding& finding, const Outcome& outcome) {
    // Some run at the same time, so the first few say nothing.
    constexpr std::uint64_t kSome = 64;
    // Where many run at once, as they wait for each other, a block's number says nothing either.
    const auto* const endless = finding.cause_as<vgpu::cause::Endless>();
    const bool is_alone = endless == nullptr || endless->blocks_at_once == 1;
    return is_alone && !outcome.records.launches.empty() &&
           blocks_before(finding, outcome.records.launches.back()) >= kSome;
}

}  // namespace

std::string diagnose_endless(const CallPlan& plan, const Finding& finding, const Marshalled& call,
                             const Outcome& outcome) {
    const auto* const endless = finding.cause_as<vgpu::cause::Endless>();
    if (endless != nullptr && endless->is_certain && !endless->swap) {
        return "Nothing that the loop's condition depends on changes any more. Does the loop "
               "change its variable? (A flag that another thread sets must be volatile or atomic.)";
    }
    if (plan.for_speed) {
        const std::string grid = far_too_many_threads(call, outcome);
        return grid.empty() ? too_slow(outcome) : grid;
    }
    if (const std::string swap = failing_swap(finding); !swap.empty()) return swap;
    if (has_finished_blocks(finding, outcome)) {
        const LaunchRecord& launch = outcome.records.launches.back();
        return fmt::format(
            "{} of {} blocks were done by then, so the loop is probably not endless, but far too "
            "long. How many elements does one thread visit?",
            blocks_before(finding, launch), launch.blocks());
    }
    return stored_too_often(call, outcome);
}

}  // namespace lab
