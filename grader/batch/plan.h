// What is left to grade of a class, and by which version of the grader.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "batch/job.h"
#include "batch/store.h"

namespace lab {

/// By lab.
using GraderVersions = std::map<std::string, std::string>;

/// A GPU that only the machines have on which the jobs will run.
Device elsewhere();
bool is_here(const Device& device);

/// Builds what the class's labs need, and returns by which version each will be graded. Throws
/// Failure (our fault).
GraderVersions prepare_labs(const Project& project, const Device& device, const Class& all);

struct Plan {
    std::vector<Job> jobs;  ///< by lab; submissions of equal content share one
    GraderVersions versions;
    std::map<std::string, std::string> who;  ///< by key: "ada and eva, 02-vector-add"
    std::size_t known = 0;                   ///< submissions that have a result
    std::size_t not_gradable = 0;
    std::size_t needs_human = 0;  ///< gradings that failed too often
};

/// First takes over results whose files are there but were not recorded: we were stopped in
/// between, or another machine made them.
Plan plan_of(const Class& all, const GraderVersions& versions, Store& store);

/// Takes a job's result over from its file into the store.
GradingRecord record_result(const Job& job, const GraderVersions& versions, Store& store);

}  // namespace lab
