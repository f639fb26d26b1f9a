// How learning systems name what they export: whose a file is, and which attempt.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batch/class.h"
#include "batch/intake/source_tree.h"

namespace lab {

/// Whose a file is, as far as its path says.
struct Owner {
    std::string id;  ///< what the system calls the student, or else the name of the folder
    std::string name, email;
    std::string group;    ///< handed in together: a text that is the same for all members
    std::string attempt;  ///< distinguishes attempts of one student; in their order, as text
    std::optional<Time> time;
    std::string rest;  ///< the file's path below the student's folder
};

/// All owners of a file: several for a group; none: the file is nobody's (a table, a note).
using OwnersOf = std::function<std::vector<Owner>(const SourceFile& file)>;

struct Layout {
    std::string name;  ///< "Moodle"
    OwnersOf owners;
};

/// Each returns nothing if the tree does not look like the system's export.
std::optional<Layout> gradescope_layout(const SourceTree& tree);
std::optional<Layout> moodle_layout(const SourceTree& tree);
std::optional<Layout> canvas_layout(const SourceTree& tree);
std::optional<Layout> github_layout(const SourceTree& tree);
/// A folder (or archive) a student; in it perhaps folders attempt-1, attempt-2, ...
Layout plain_layout();

/// The first that fits.
Layout layout_of(const SourceTree& tree);

/// Removes a folder that holds everything, as archives have it; not a class's only student.
void strip_common_folder(SourceTree& tree);

}  // namespace lab
