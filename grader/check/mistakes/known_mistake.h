// The list type of a lab's known mistakes. Matchers take a whole list: or_looks_like(mistakes).
#pragma once

#include <string>

namespace lab {

/// A well-known wrong program: what it computes, and the sentence for it. `Result` is the output, a
/// function that makes it, or (for in_ranges) a function that makes element i.
template <class Result>
struct KnownMistake {
    Result result;
    std::string sentence;
};

}  // namespace lab
