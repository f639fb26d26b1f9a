// Makes what an instructor gives away: a checkout for students, without solutions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "author/prebuilt.h"
#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

struct Packaged {
    fs::path file;  ///< or folder
    std::size_t files = 0;
    std::uintmax_t size_bytes = 0;  ///< of the file, or of all in the folder
};

/// Fills an empty or missing folder with a release of these labs (core/course/release.h).
/// Solutions, mistakes, tests, measurements and authors' documents are left out. Compiles our
/// programs of each lab with nvcc. With `programs` it becomes a prebuilt package. Throws Failure:
/// usage if the folder is in use; our fault if a file of the release has lines of a solution.
void write_release(const Project& project, const std::vector<Lab>& labs, const fs::path& folder,
                   std::optional<ProgramsFor> programs = {});

/// Who starts the grader of a release.
enum class PackageFor {
    students,
    gradescope,       ///< an autograder's zip, of one lab
    github_classroom  ///< a template repository
};

/// write_release() into a folder, or into an archive if `out` ends in .tar.gz or .zip, under the
/// archive's own name; with what starts the grader there (author/autograder.h). Throws Failure
/// (usage) if `out` exists, or Gradescope is to grade several labs.
Packaged package_release(const Project& project, const std::vector<Lab>& labs, const fs::path& out,
                         PackageFor whom = PackageFor::students,
                         std::optional<ProgramsFor> programs = {});

/// Packs all in `folder` into `out` (.tar.gz or .zip), by their paths from it.
void write_archive(const Project& project, const fs::path& folder, const fs::path& out);

/// README.md without the rows of its tables that link to files which are not in `root`.
std::string without_dead_rows(std::string_view markdown, const fs::path& root);

}  // namespace lab
