#include "batch/job.h"

#include <fmt/format.h>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/results.h"

namespace lab {
namespace {

/// A grading has limits of its own, for each of its parts; this one ends what slipped through them
/// (chosen).
constexpr std::chrono::minutes kJobLimit{20};

/// Who must act when `lab grade` ends without a verdict.
JobEnd end_of(int exit_code) {
    return exit_code == static_cast<int>(Exit::no_device) ? JobEnd::stop : JobEnd::infra;
}

}  // namespace

std::string job_key(const std::string& sha256_of_file, const std::string& grader_version) {
    return sha256("job 1\n" + sha256_of_file + "\n" + grader_version);
}

std::string job_seed(const std::string& secret, const std::string& key) {
    return std::to_string(std::stoul(sha256(secret + "\n" + key).substr(0, 8), nullptr, 16));
}

fs::path result_file(const fs::path& gradings, const Job& job) {
    return gradings / job.lab / (job.key + ".jsonl");
}

JobResult run_job(const Project& project, DeviceKind device, const Job& job,
                  const fs::path& gradings, const fs::path& evidence) {
    JobResult result;
    try {
        Command grade;
        grade.argv = {project.binary("lab").string(),
                      "grade",
                      job.lab,
                      "--json",
                      "--device",
                      to_string(device),
                      "--seed",
                      job.seed,
                      "--file",
                      job.file.filename().string()};
        if (!evidence.empty())
            grade.argv.insert(grade.argv.end(), {"--evidence", fs::absolute(evidence)});
        // Messages name the file as its author does.
        grade.working_folder = job.file.parent_path();
        grade.environment = {"LAB_ROOT=" + project.root.string(),
                             "LAB_BUILD=" + project.build.string()};
        grade.time_limit = kJobLimit;
        const Finished finished = run(grade);
        result.seconds = finished.seconds;
        const bool has_verdict = finished.exit_code == static_cast<int>(Exit::full_marks) ||
                                 finished.exit_code == static_cast<int>(Exit::tests_failed) ||
                                 finished.exit_code == static_cast<int>(Exit::build);
        if (finished.timed_out) {
            result.why = fmt::format("The grading took longer than {} minutes.", kJobLimit.count());
        } else if (!has_verdict) {
            result.end = end_of(finished.exit_code);
            result.why = fmt::format("lab grade ended with exit code {}: {}", finished.exit_code,
                                     last_lines(finished.err, 10));
        } else {
            read_grading(finished.out);  // throws if it is not whole
            try {
                write_atomically(result_file(gradings, job), finished.out);
                result.end = JobEnd::graded;
            } catch (const Failure& failure) {
                result.end = JobEnd::stop;
                result.why = failure.what();
            }
        }
    } catch (const std::exception& error) {
        result.why = error.what();
    }
    return result;
}

}  // namespace lab
