#include "cli/progress_line.h"

#include <fmt/format.h>

#include <cmath>

namespace lab::cli {
namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

/// The steps differ by a factor of a hundred, so a second would claim too much.
std::string about(double seconds) {
    if (seconds >= 90) return fmt::format("about {:.0f} min", seconds / 60);
    return fmt::format("about {:.0f} s", std::ceil(seconds / 5) * 5);
}

std::string text_of(const BuildProgress& progress) {
    if (progress.is_waiting) return "Another lab is building here; waiting for it";
    const double left = progress.done == 0
                            ? 0
                            : progress.seconds * (progress.total - progress.done) / progress.done;
    return fmt::format("Building the tests: {} of {} steps{}", progress.done, progress.total,
                       progress.done == 0 ? "" : ", " + about(left) + " left");
}

}  // namespace

std::string ProgressLine::update(const BuildProgress& progress) {
    if (progress.is_done) {
        const bool erases = is_shown_ && rewrites_;
        is_shown_ = false;
        next_s_ = kPatience_s;
        return erases ? kEraseLine : "";
    }
    if (!progress.is_waiting && progress.seconds < next_s_) return "";
    is_shown_ = true;
    if (rewrites_) return kEraseLine + text_of(progress);
    next_s_ = progress.seconds + kPause_s;
    return text_of(progress) + "\n";
}

}  // namespace lab::cli
