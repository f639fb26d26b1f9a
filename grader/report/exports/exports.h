// Writes grades as learning systems import them: the one door of this library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch/grades.h"
#include "core/course/project.h"

namespace lab {

struct ExportOptions {
    /// The gradebook that Canvas exported, to be filled; empty: a new one.
    fs::path canvas_template{};
    /// Whose labs the skeletons of "sources" are cut from; needed for it alone.
    const Project* project = nullptr;
    /// A random text of the class that nobody else knows: nobody else can tell pseudonyms from ids.
    std::string secret{};
};

/// "gradescope", "github-classroom", "canvas", "moodle", "junit", "prairielearn", "autolab",
/// "submitty", "sources".
std::vector<std::string> export_formats();

/// Writes into `folder`, and returns what the instructor should look at, a sentence each. Tables
/// are files of their own: canvas.csv, moodle-LAB.csv. The rest lies in FORMAT/STUDENT/LAB/, and
/// of JUnit in junit/STUDENT.xml. "sources" are submissions without names (sources.h). Replaces the
/// files that it writes and removes none, but for sources/, which it makes anew. Grades that
/// are still open are left out, but for JUnit, which skips them. Throws Failure: usage for an
/// unknown format or a template that is no gradebook, our fault when a file cannot be written.
std::vector<std::string> write_exports(const Grades& grades, const std::string& format,
                                       const fs::path& folder, const ExportOptions& options = {});

}  // namespace lab
