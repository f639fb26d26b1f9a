// One grading of a batch: a `lab grade --json` of its own, so that whatever happens to it happens
// to no other, and its result as a file that appears whole or not at all.
#pragma once

#include <string>
#include <vector>

#include "batch/class.h"
#include "core/course/lab.h"
#include "core/device.h"

namespace lab {

struct Job {
    std::string key;  ///< of its result: equal for equal source, grader, toolchain and device
    std::string lab;  ///< "02-vector-add"
    fs::path file;    ///< the submission, absolute
    std::string seed;
};

/// From the hash of the submission's file and the grader's version (core/grader_version.h).
std::string job_key(const std::string& sha256, const std::string& grader_version);

/// The seed of a job's data: a fixed one for each job, which nobody without the secret can guess.
std::string job_seed(const std::string& secret, const std::string& key);

enum class JobEnd {
    graded,  ///< the file of its result is there
    infra,   ///< by no fault of the submission's: the machine, the grader, somebody's kill
    stop,    ///< infra that would meet every job: no device, a full disk
};

struct JobResult {
    JobEnd end = JobEnd::infra;
    std::string why;     ///< not graded: what happened
    double seconds = 0;  ///< of wall time
};

/// Where the result of a job lies in a batch's folder: GRADINGS/LAB/KEY.jsonl.
fs::path result_file(const fs::path& gradings, const Job& job);

/// Grades, with this project's `lab`, which must be built with all that the lab needs. Writes the
/// result's file, and what its replay needs into the folder `evidence`, unless that is empty. Never
/// throws.
JobResult run_job(const Project& project, DeviceKind device, const Job& job,
                  const fs::path& gradings, const fs::path& evidence = {});

}  // namespace lab
