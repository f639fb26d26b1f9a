// Groups changes that follow each other quickly: an editor writes a file in several steps, and a
// formatter writes it again.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace lab::cli {

class Debounce {
public:
    using Clock = std::chrono::steady_clock;

    /// The file changed.
    void change(Clock::time_point now) {
        if (!first_) first_ = now;
        last_ = now;
    }

    /// True once for each group: when it is quiet, or when the group has lasted kLongest.
    bool is_over(Clock::time_point now) {
        if (!first_ || now < end()) return false;
        first_.reset();
        return true;
    }

    /// The time until is_over() may answer true; nothing if no change is waiting.
    std::optional<std::chrono::milliseconds> wait(Clock::time_point now) const {
        if (!first_) return std::nullopt;
        return std::max(std::chrono::milliseconds(0),
                        std::chrono::ceil<std::chrono::milliseconds>(end() - now));
    }

    /// Editors that rename take a few milliseconds; a formatter starts within this time (chosen).
    static constexpr std::chrono::milliseconds kQuiet{100};
    /// A program that never stops writing is graded, too (chosen).
    static constexpr std::chrono::milliseconds kLongest{1000};

private:
    Clock::time_point end() const { return std::min(last_ + kQuiet, *first_ + kLongest); }

    std::optional<Clock::time_point> first_;
    Clock::time_point last_{};
};

}  // namespace lab::cli
