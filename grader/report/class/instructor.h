// The instructor's page: what needs a decision, how the class did, and what to teach next week.
#pragma once

#include <string>

#include "batch/grades.h"
#include "core/project.h"

namespace lab {

/// A page that needs nothing else; its links lead to the feedback next to it (feedback_path).
/// `project`: where the plots' scripts are. Without gnuplot there are tables.
std::string instructor_html(const Project& project, const Grades& grades);

}  // namespace lab
