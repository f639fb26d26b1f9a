// Reads what a learning system exported into a class. It may be
//
//   a folder or an archive a student, with the lab's file anywhere in it, and attempts as folders
//       attempt-1, attempt-2, ...                  ada/vector_add.cu
//   Moodle's        Ada Lovelace_1815_assignsubmission_file_/vector_add.cu
//   Canvas's        lovelaceada_LATE_1815_20260_vector_add-1.cu
//   Gradescope's    submission_1815/vector_add.cu and submission_metadata.yml
//   GitHub Classroom's   ASSIGNMENT-USER/labs/02-vector-add/vector_add.cu and classroom_roster.csv
//
// as a folder or as one archive (zip, tar with any compression, 7z).
#pragma once

#include <string>
#include <vector>

#include "batch/class.h"
#include "core/course/project.h"

namespace lab {

struct IntakeRequest {
    fs::path folder_or_archive;
    std::vector<std::string> labs;  ///< their names; empty: all
    /// Tables and rules; empty: roster.csv, times.csv and class.toml in what was handed in, if they
    /// are there.
    fs::path roster, times, rules;
    fs::path store;  ///< gets a copy of each file of a lab
};

/// Copies the files that labs name, and reads nothing else of what students wrote. A student's file
/// that cannot be graded is an attempt with a problem; what the instructor should know is a note.
/// Throws Failure (usage) if there is nothing to read, and for mistakes in tables and rules, with
/// file and line.
Class take_in(const Project& project, const IntakeRequest& request);

}  // namespace lab
