// Remembers what the student has reached in each lab: in .lab/ next to labs/, which neither a
// deleted build folder nor an update of the course touches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/results.h"

namespace lab {

/// The form of .lab/standing/NAME.json. 1, which had only the grading's own lines in .lab/results/,
/// is read as well, and becomes 2 with the next grading.
inline constexpr int kStandingSchema = 2;

/// A lab's record of earlier gradings.
struct Standing {
    double points = 0, max_points = 0;  ///< of the last grading
    double best_points = 0;
    std::string time, device;
    /// Of the last grading; empty if an older grader wrote it in a form that is no longer known.
    std::vector<TestResult> tests;
    std::vector<TaskState> tasks;

    bool has_full_marks() const { return max_points > 0 && best_points >= max_points; }
};

/// Replaces the lab's record; the best points stay. Throws Failure (usage) without changing
/// anything if a newer grader wrote it.
void keep(const Project& project, const Grading& grading);

/// Nothing if the lab was never graded. Throws Failure (usage) if a newer grader wrote the record.
std::optional<Standing> standing_of(const Project& project, const std::string& lab);

}  // namespace lab
