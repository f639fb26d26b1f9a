// Makes nvcc's messages useful to a beginner: the first error in full with a line of explanation,
// the others counted.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `output` is nvcc's about a file that it names `shown`, whose text is `source`. With errors: the
/// first one, explained if we know it, and the number of others. Otherwise: each warning once,
/// explained likewise. Unknown output comes back unchanged, except for very long lines.
std::string explain_nvcc(std::string_view output, std::string_view source,
                         const std::string& shown);

}  // namespace lab
