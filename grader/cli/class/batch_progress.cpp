#include "cli/class/batch_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "base/utf8.h"
#include "base/visible.h"

namespace lab::cli {
namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

std::string about(double seconds) {
    if (seconds >= 90) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
    return fmt::format("{:.0f} s", std::ceil(seconds / 5) * 5);
}

}  // namespace

std::string BatchProgress::begins(const std::string& who) {
    running_.emplace(who, 0);
    return rewrites_ ? kEraseLine + line() : "";
}

std::string BatchProgress::ends(const std::string& who, const JobResult& result, bool is_last,
                                const std::string& points) {
    if (const auto one = running_.find(who); one != running_.end()) running_.erase(one);
    if (is_last) ++done_;
    if (is_last && result.end != JobEnd::graded) ++failed_;
    if (rewrites_) return kEraseLine + line();
    if (result.end == JobEnd::graded)
        return visible(fmt::format("{} of {}: {}: {} ({:.1f} s)\n", done_, jobs_, who, points,
                                   result.seconds));
    return visible(fmt::format("{} of {}: {}: not graded{}: {}\n", done_, jobs_, who,
                               is_last ? "" : ", will be tried again", result.why));
}

std::string BatchProgress::finished() const {
    return rewrites_ ? kEraseLine : "";
}

std::string BatchProgress::line() const {
    std::string text = fmt::format("{} of {} graded", done_ - failed_, jobs_);
    if (failed_ > 0) text += fmt::format(", {} failed", failed_);
    if (done_ > 0) {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        const double left =
            seconds / static_cast<double>(done_) * static_cast<double>(jobs_ - done_);
        text += fmt::format(", about {} left", about(left));
    }
    std::string now;
    for (const auto& [who, unused] : running_) now += (now.empty() ? " · now: " : "; ") + who;
    // A line that wraps could not be erased.
    return cut_to_width(visible_word(text + now), columns_ - 1);
}

}  // namespace lab::cli
