// Writes what a class gets into a folder: the one door of this library.
#pragma once

#include <filesystem>
#include <vector>

#include "batch/grades.h"
#include "core/course/project.h"
#include "report/similarity/similarity.h"

namespace lab {

struct ReportKinds {
    bool gradebook = true;   ///< gradebook.csv, gradebook-narrow.csv
    bool feedback = true;    ///< feedback/STUDENT/LAB.html and .md
    bool instructor = true;  ///< instructor.html
    /// similarity.csv, and a section of instructor.html; empty: neither.
    std::vector<LabSimilarity> similarity{};
};

/// Replaces the files that it writes, one after the other, and removes none. Throws Failure (our
/// fault) when a file cannot be written or gnuplot fails.
void write_reports(const Project& project, const Grades& grades, const fs::path& folder,
                   const ReportKinds& kinds = {});

}  // namespace lab
