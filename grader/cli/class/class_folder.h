// Where the results of a class are kept.
#pragma once

#include <string>

#include "cli/session.h"

namespace lab::cli {

/// `given` if it is not empty; else next to what was handed in: week3.zip and week3/ have
/// week3-results/.
fs::path results_folder(const std::string& handed_in, const std::string& given);

/// The same for a command that needs results to be there. Throws Failure (usage) if they are not.
fs::path existing_results(const std::string& handed_in, const std::string& given);

}  // namespace lab::cli
