#include "check/call/endless.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lab {
namespace {

// Chosen: an endless kernel reaches it in a tenth of a second.
constexpr std::uint64_t kLeast = 2'000'000;
/// Later tests have more data; eight times as much work as ever before is a sign of an endless loop
/// in a function that had one already (chosen).
constexpr std::uint64_t kMostTimes = 8;

/// The kernel that was stopped, with its parameters; nothing when none was.
std::optional<std::string> stopped_kernel(const Outcome& outcome) {
    for (const vgpu::Finding& finding : outcome.records.findings) {
        if (finding.check == vgpu::Check::instruction_limit) return finding.kernel;
    }
    return std::nullopt;
}

}  // namespace

void Endless::note(const std::string& function, const Outcome& outcome, const std::string& test) {
    for (const LaunchRecord& launch : outcome.records.launches) {
        if (launch.outcome != "ok" || launch.merged != 1) continue;
        std::uint64_t& longest = longest_[function];
        longest = std::max(longest, launch.warp_instructions);
    }
    if (const auto kernel = stopped_kernel(outcome)) {
        stopped_.try_emplace(function, test);
        stopped_.try_emplace(*kernel, test);
    }
    if (outcome.ended == Ended::timed_out) hung_.try_emplace(function, test);
}

std::uint64_t Endless::limit(const std::string& function, std::uint64_t usual) const {
    if (stopped_.empty()) return usual;
    const auto longest = longest_.find(function);
    const std::uint64_t most = longest == longest_.end() ? 0 : longest->second;
    return std::min(usual, std::max(kLeast, kMostTimes * most));
}

std::string Endless::hung_before(const std::string& function) const {
    const auto found = hung_.find(function);
    if (found == hung_.end()) return "";
    return fmt::format("Not run: {} never returned in \"{}\".", function, found->second);
}

bool Endless::may_be_long(const std::string& function, const Outcome& outcome) const {
    const auto kernel = stopped_kernel(outcome);
    return kernel && !stopped_.empty() && !stopped_.contains(function) &&
           !stopped_.contains(*kernel);
}

std::string Endless::stopped_again(const std::string& function, const Outcome& outcome) const {
    const auto kernel = stopped_kernel(outcome);
    if (!kernel) return "";
    auto found = stopped_.find(function);
    if (found == stopped_.end()) found = stopped_.find(*kernel);
    if (found == stopped_.end()) return "";
    return fmt::format(
        "Not graded: a kernel of {} never finished here either. The first time is reported in "
        "\"{}\".",
        function, found->second);
}

}  // namespace lab
