// The files of one student's attempt: which of them is whose lab's.
#pragma once

#include <string>
#include <vector>

#include "batch/intake/layout.h"
#include "core/course/lab.h"

namespace lab {

/// One owner's files of one attempt.
struct HandedIn {
    Owner owner;  ///< of its first file
    std::vector<const SourceFile*> files;
    std::vector<std::string> rests;  ///< their paths below the student's folder
};

struct FoundFile {
    std::string lab;
    const SourceFile* file = nullptr;  ///< null: none
    std::string problem;               ///< for the student, if there is none
    std::string note;                  ///< for the instructor: why this one; or empty
};

/// The file of each lab among them. For a class of a single lab a missing file is found, too, as a
/// problem, and the only .cu counts whatever its name.
std::vector<FoundFile> files_of_labs(const HandedIn& handed_in, const std::vector<Lab>& labs);

/// Names of the files that are no lab's.
std::vector<std::string> extras_of(const HandedIn& handed_in, const std::vector<FoundFile>& found);

}  // namespace lab
