// Shell scripts that complete the commands of `lab`. They are static: at the prompt a shell reads
// them, the names in labs/ and, for --test, one grader's source, and starts nothing of ours.
#pragma once

#include <string>
#include <vector>

#include "cli/completion/table.h"

namespace lab::cli {

enum class Shell { bash, zsh, fish };

/// The script, which begins with how to install it.
std::string completion_script(Shell shell, const std::vector<CompletionCommand>& commands);

}  // namespace lab::cli
