// Tables of grades that learning systems import. Open grades stay as they are in the system.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batch/grades.h"

namespace lab {

/// Names and contents of files, and what the instructor should look at, a sentence each.
struct GradeTables {
    std::vector<std::pair<std::string, std::string>> files;
    std::vector<std::string> notes;
};

/// Canvas: a gradebook with a column for each lab. Student::id is taken for the SIS User ID.
GradeTables canvas_csv(const Grades& grades);

/// The same, from the gradebook that Canvas exported: fills the columns of labs for the students it
/// has, by SIS User ID, ID, or SIS Login ID, and leaves every other byte as it is. The column of a
/// lab is called like the lab, its number, topic or title: "02-vector-add (1234)", "Lab 2",
/// "Vector add". Notes a "Points Possible" that is not the lab's. Throws Failure (usage) with
/// `place`:line for a table without students or labs.
GradeTables canvas_csv(const Grades& grades, std::string_view exported, const std::string& place);

/// Moodle: a file for each lab with grade and feedback, which Moodle loses if they come apart.
/// Students are named by email address if all have one of their own, else by ID number.
GradeTables moodle_csv(const Grades& grades);

}  // namespace lab
