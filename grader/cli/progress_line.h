// Says on stderr how far a build is, when it takes longer than people wait without wondering.
#pragma once

#include <string>

#include "core/project.h"

namespace lab::cli {

class ProgressLine {
public:
    /// `rewrites`: stderr is a terminal, and one line is written again and again. Elsewhere a line
    /// is added now and then.
    explicit ProgressLine(bool rewrites) : rewrites_(rewrites) {}

    /// What to write now; mostly nothing.
    std::string update(const BuildProgress& progress);

private:
    bool rewrites_;
    bool is_shown_ = false;
    double next_s_ = kPatience_s;

    static constexpr double kPatience_s = 3;  ///< a wait that nobody explains
    static constexpr double kPause_s = 15;    ///< between lines that stay
};

}  // namespace lab::cli
