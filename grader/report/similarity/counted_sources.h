// Finds the submissions of a class to compare: one for each student or group, the one that counts.
#pragma once

#include <string>
#include <vector>

#include "batch/grades.h"

namespace lab {

/// A submission that counts.
struct CountedSource {
    const LabGrade* grade = nullptr;  ///< of the student, or of the group's first member
    std::string text;                 ///< UTF-8 without zero bytes, at most kSubmissionLimitBytes

    const Student& student() const { return grade->student; }
};

/// Those of one lab, by student. `grades` must outlive the result. What is no text, or no longer
/// there, is left out: nothing can be compared with it.
std::vector<CountedSource> counted_sources(const Grades& grades, const std::string& lab);

}  // namespace lab
