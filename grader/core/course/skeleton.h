// Cuts the skeleton that a student starts from out of a solution, so that the two never drift.
//
//     // TODO(1/2): ...            stays
//     // BEGIN SOLUTION            } dropped, but for
//     // SKELETON int i = 0;       }     int i = 0;
//     int i = threadIdx.x;         }
//     // END SOLUTION              }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

/// Throws Failure (our fault) at `place`:line when markers do not match or there are none.
std::string cut_skeleton(std::string_view solution, const std::string& place);

/// The solution as a student would have written it: all of it, without the marks.
std::string without_markers(std::string_view solution);

/// Lines of a text, counted from 1, the last included.
struct LineRange {
    int first = 0, last = 0;
};
/// What stands between each BEGIN SOLUTION and its END SOLUTION.
std::vector<LineRange> solution_parts(std::string_view solution);

/// The skeleton of a lab, cut from its solution; of a student release, as it was cut for that.
std::string skeleton_of(const Project& project, const Lab& lab);

/// The first line in which two texts differ; nothing stands for the end of a text.
struct Difference {
    int line = 0;
    std::optional<std::string> expected, got;
};
std::optional<Difference> first_difference(std::string_view expected, std::string_view got);

}  // namespace lab
