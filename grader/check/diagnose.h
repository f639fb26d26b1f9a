// Diagnosers: each recognises one mistake from where an output is right, wrong or untouched, and
// says it in a sentence. A wrong diagnosis costs a student more than none, so each speaks only when
// nothing else that students write looks the same, and has a test with such a lookalike.
//
// Interface: Evidence, Diagnoser, Diagnosers, indexing_mistakes and its parts.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/launch_record.h"

namespace lab {

/// An output against what was expected, without its type.
struct Evidence {
    std::string name;                    ///< of the output parameter
    std::vector<bool> right, untouched;  ///< a flag an element
    /// Is what stands at `got` what was expected at `expected`?
    std::function<bool(std::size_t got, std::size_t expected)> same;
    /// Are the expected values at two places different (or could anything go anywhere)?
    std::function<bool(std::size_t, std::size_t)> expected_differ;
    std::vector<LaunchRecord> launches;  ///< on the virtual GPU

    std::size_t size() const { return right.size(); }
};

/// The mistake in a sentence, or nothing.
using Diagnoser = std::function<std::optional<std::string>(const Evidence&)>;
using Diagnosers = std::vector<Diagnoser>;

// One mistake each; see the sentences in diagnose_*.cpp.
std::optional<std::string> nothing_written(const Evidence&);
std::optional<std::string> only_first_block(const Evidence&);
std::optional<std::string> only_first_grid(const Evidence&);
std::optional<std::string> only_one_thread(const Evidence&);
std::optional<std::string> last_partial_block(const Evidence&);
std::optional<std::string> one_thread_a_block(const Evidence&);
std::optional<std::string> shifted_by_one(const Evidence&);
std::optional<std::string> last_element_missing(const Evidence&);

/// All of the above, surest first: for functions that give each element to one thread.
extern const Diagnosers indexing_mistakes;

}  // namespace lab
