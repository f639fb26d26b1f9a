// The rules of a course: class.toml.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "batch/class.h"

namespace lab {

struct Rules {
    Policy policy;  ///< extensions by the words that the file has for students
    std::map<std::string, std::string> groups;  ///< by such words
    /// Files in folders were last changed when they were handed in: true of few copies.
    bool takes_file_times = false;
};

/// An example, for messages and the guide, is in docs/instructor-guide.md. `lab_named` turns "02"
/// into "02-vector-add" and throws for what no lab is called. Throws Failure (our fault) that names
/// file, line and column.
Rules parse_rules(std::string_view toml, const std::string& place,
                  const std::function<std::string(const std::string&)>& lab_named);

}  // namespace lab
