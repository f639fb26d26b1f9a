// A batch of 10,000 submissions, from what was handed in to grades; only the gradings are invented.

#include <catch2/catch_all.hpp>

#include "base/files.h"
#include "batch/intake/intake.h"
#include "batch/plan.h"
#include "batch/queue.h"
#include "batch/test_support.h"

using namespace lab;

namespace {

/// The most that this process ever had in memory.
long peak_mib() {
    const std::string status = read_file("/proc/self/status");
    return std::stol(status.substr(status.find("VmHWM:") + 6)) / 1024;
}

}  // namespace

TEST_CASE("scale: 10,000 submissions, all different, take less than 200 MiB") {
    constexpr int kStudents = 1000, kAttempts = 10;
    const TemporaryFolder in, results;
    const std::string source(4000, ' ');
    for (int student = 0; student < kStudents; ++student)
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            const fs::path folder =
                in.path() / fmt::format("student{}/attempt-{}", student, attempt);
            make_folder(folder);
            write_atomically(folder / "vector_add.cu",
                             fmt::format("int a{}_{};\n{}", student, attempt, source));
        }
    Project project;
    project.root = LAB_TEST_ROOT;
    Store store(results.path());
    IntakeRequest request;
    request.folder_or_archive = in.path();
    request.store = store.submissions();
    store.remember(take_in(project, request));

    const GraderVersions versions = {{"02-vector-add", "v1"}};
    const Plan plan = plan_of(store.remembered(), versions, store);
    REQUIRE(plan.jobs.size() == kStudents * kAttempts);
    const auto grade = [&](const Job& job) {
        write_atomically(result_file(store.gradings(), job), lines_of_grading(job.key));
        return JobResult{JobEnd::graded, "", 0};
    };
    QueueEvents events;
    events.begins = [](const Job&) {};
    events.ends = [&](const Job& job, const JobResult&, bool) {
        record_result(job, versions, store);
    };
    CHECK(run_queue(plan.jobs, {.at_once = 2}, grade, events).graded == plan.jobs.size());
    CHECK(grades_of(store).grades.size() == kStudents);
    CHECK(plan_of(store.remembered(), versions, store).jobs.empty());
    CHECK(peak_mib() < 200);
}
