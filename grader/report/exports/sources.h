// Writes a class's submissions for programs that search for copies (JPlag, Dolos, MOSS).
//
//     LAB/base/TOPIC.cpp     the skeleton
//     LAB/s001/TOPIC.cpp     what counts, of a student or group: s001 is the same in all labs
//     pseudonyms.csv         who s001 is: the only file with names
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch/grades.h"
#include "core/course/project.h"

namespace lab {

/// A program as those programs read it. They know C++, not CUDA: <<<...>>> becomes <<...>>, which
/// is an expression there. Comments and the insides of literals become blank: they may name their
/// author, and are not compared.
std::string anonymous_cpp(std::string_view source);

/// Makes `folder` anew. The order of pseudonyms comes from `secret` and the ids, by hash. Returns
/// what the instructor should know. Throws Failure (our fault) when something cannot be written, or
/// `folder` is there and not ours.
std::vector<std::string> write_sources(const Project& project, const Grades& grades,
                                       const std::string& secret,
                                       const std::filesystem::path& folder);

}  // namespace lab
