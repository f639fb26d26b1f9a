// Reads a test's Catch2 tags: kind, task, points, and the test it needs.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace lab {

struct TestTags {
    std::string name;
    std::string kind = "correctness";  ///< or "speed", "robustness", "picture", "bench"
    int task = 0;
    double points = 0;
    std::string id;
    std::vector<std::string> needs;
};

/// Not part of a grading: a case that fills tables for ./lab picture or ./lab bench.
inline bool draws(const TestTags& tags) {
    return tags.kind == "picture" || tags.kind == "bench";
}

/// Reads the tags of one test, given without brackets. Throws GraderFault for a tag that a lab's
/// author must have mistyped.
TestTags read_tags(const std::string& name, const std::vector<std::string>& tags);

/// The tests whose name contains `part`, and all that they need, by name. Throws GraderFault when a
/// needed id is nobody's.
std::set<std::string> with_needed(const std::vector<TestTags>& tests, const std::string& part);

}  // namespace lab
