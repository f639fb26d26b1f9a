// Finds parts of solutions in the files of a student release.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/project.h"

namespace lab {

/// A file with so many distinctive lines of solutions has a part of one (chosen: our own sources
/// share at most two with all solutions).
inline constexpr std::size_t kLeakedLines = 3;

/// Lines without white space and comments; the short ones are left out, as any program has them.
std::set<std::string> distinctive_lines(std::string_view text);

class SolutionLines {
public:
    /// The lines of all programs under solutions/ that are right or ours (wrong/ has parts of the
    /// same), without those that students get: skeletons, contracts and handouts.
    explicit SolutionLines(const Project& project);
    SolutionLines(std::set<std::string> secret, const std::set<std::string>& given);

    /// Those that are in the text.
    std::vector<std::string> in(std::string_view text) const;

private:
    std::set<std::string> lines_;
};

}  // namespace lab
