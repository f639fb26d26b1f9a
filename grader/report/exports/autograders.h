// What an autograder leaves for its learning system: one text for each student and lab. Each format
// is held to its documentation; autograders_test.cpp has the schemas. Not for open grades.
#pragma once

#include <string>

#include "report/exports/export_grade.h"

namespace lab {

/// Gradescope: /autograder/results/results.json. `score` is the total, whatever the tests add up
/// to.
std::string gradescope_json(const ExportGrade& grade);

/// GitHub Classroom: the result of a step, version 1. Its reporter sends the sum of the tests'
/// scores to the classroom; the table in its log counts passed tests, all alike.
std::string github_classroom_json(const ExportGrade& grade);
/// The same as the line that a step appends to $GITHUB_OUTPUT.
std::string github_classroom_output(const ExportGrade& grade);

/// PrairieLearn: /grade/results/results.json, under 1 MB. `score` is between 0 and 1.
std::string prairielearn_json(const ExportGrade& grade);

/// Autolab: what an autograder prints. Its last line has the score, of one problem that is called
/// like the lab; no line before can be taken for it.
std::string autolab_output(const ExportGrade& grade);

/// Submitty: validation_results.json of a custom validator. `score` is between 0 and 1.
std::string submitty_json(const ExportGrade& grade);

}  // namespace lab
