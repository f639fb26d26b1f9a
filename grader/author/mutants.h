// Mechanical mutants of a solution: one operator, bound, index, literal or statement of it changed.
// The share that a lab's tests notice says how much the tests see.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct Mutant {
    std::string kind;  ///< "operator", "comparison", "index", "direction", "literal", "mask",
                       ///< "qualifier", "guard", "barrier" or "statement"
    int line = 0;      ///< of the solution's file, where the change begins
    std::string from, to;
    std::string program;  ///< the whole file; lines stay where they were
};

/// All mutants of the SOLUTION parts, in the order of the file; no program twice.
std::vector<Mutant> mutants_of(std::string_view solution);

/// `count` of them, spread evenly over the file and always the same; all when there are no more.
std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count);

/// "literal: 255 -> 256", in one line.
std::string change_of(const Mutant& mutant);

/// The lines that differ: '-' of the solution, '+' of the mutant.
std::string diff_of(std::string_view solution, const Mutant& mutant);

}  // namespace lab
