// Makes a new lab from the template: two folders and one line in CMakeLists.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/course/project.h"

namespace lab {

struct NewLab {
    std::string name, number, topic;  ///< "11-some-topic", "11", "some_topic"
    std::vector<fs::path> files;      ///< all new files, from the project's root
};

/// Makes labs/NAME and solutions/NAME from grader/author/templates/lab, and adds the lab to
/// CMakeLists.txt after those with smaller numbers. Throws Failure (usage) before writing anything
/// if the name is not NN-topic, the number or topic is taken, or the title is empty.
NewLab make_lab(const Project& project, const std::string& name, const std::string& title);

/// The text of CMakeLists.txt with one line more. Throws Failure (our fault) when it adds no labs.
std::string with_lab_added(std::string_view cmake_lists, const std::string& name);

}  // namespace lab
