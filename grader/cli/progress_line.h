// Reports a build's progress on stderr, once it takes longer than users wait without wondering.
#pragma once

#include <string>

#include "core/course/project.h"

namespace lab::cli {

class ProgressLine {
public:
    /// `rewrites`: stderr is a terminal, so one line is rewritten. Elsewhere a line is added now
    /// and then.
    explicit ProgressLine(bool rewrites) : rewrites_(rewrites) {}

    /// The text to write now; usually empty.
    std::string update(const BuildProgress& progress);

private:
    bool rewrites_;
    bool is_shown_ = false;
    double next_s_ = kPatience_s;

    static constexpr double kPatience_s = 3;  ///< a wait that needs no explanation
    static constexpr double kPause_s = 15;    ///< between lines that stay
};

}  // namespace lab::cli
