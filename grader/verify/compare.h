// Compares two results of one submission, field by field, times left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ResultDifference {
    std::string line;   ///< which line of the result: "test launch_vector_add: ...", "end"
    std::string field;  ///< "race/ratio"; empty: the whole line
    std::string recorded, replayed;  ///< JSON; empty: not there
};

/// Both are JSON lines as docs/results.md has them. Not compared: times, and what depends on the
/// machine: `isolation`, `isolation_note`, the line `best`. Throws Failure (our fault) for a line
/// that is no JSON object.
std::vector<ResultDifference> result_differences(std::string_view recorded,
                                                 const std::vector<std::string>& replayed);

}  // namespace lab
