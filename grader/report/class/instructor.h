// The instructor's page: what needs a decision, how the class did, and what to teach next week.
#pragma once

#include <string>
#include <vector>

#include "batch/grades.h"
#include "core/course/project.h"
#include "report/similarity/similarity.h"

namespace lab {

/// A page that needs nothing else; its links lead to the feedback next to it (feedback_path).
/// `project`: where the plots' scripts are. Without gnuplot there are tables.
/// `similarity`: of the same grades; empty: they were not compared.
std::string instructor_html(const Project& project, const Grades& grades,
                            const std::vector<LabSimilarity>& similarity = {});

}  // namespace lab
