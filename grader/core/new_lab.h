// Makes a new lab from the template: two folders and one line in CMakeLists.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project.h"

namespace lab {

struct NewLab {
    std::string name, number, topic;  ///< "11-some-topic", "11", "some_topic"
    std::vector<fs::path> files;      ///< all that was made, from the project's root
};

/// Makes labs/NAME and solutions/NAME from grader/core/templates/lab, and adds the lab to
/// CMakeLists.txt after those with smaller numbers. Throws Failure (usage) for a name that is no
/// NN-topic, a number or topic that is taken, or an empty title, before anything is written.
NewLab make_lab(const Project& project, const std::string& name, const std::string& title);

/// The text of CMakeLists.txt with one line more. Throws Failure (our fault) when it adds no labs.
std::string with_lab_added(std::string_view cmake_lists, const std::string& name);

}  // namespace lab
