#include "batch/plan.h"

#include <algorithm>
#include <iterator>

#include "base/failure.h"
#include "base/files.h"
#include "batch/queue.h"
#include "core/build/targets.h"
#include "core/grade.h"
#include "core/grader_version.h"

namespace lab {
namespace {

/// True if the job has a result now.
bool take_over(const Job& job, const GraderVersions& versions, Store& store) {
    if (store.has_grading(job.key)) return true;
    if (!fs::exists(result_file(store.gradings(), job))) return false;
    try {
        record_result(job, versions, store);
        return true;
    } catch (const Failure&) {
        if (store.has_grading(job.key)) return true;
        fs::remove(result_file(store.gradings(), job));  // not whole: to be graded again
        return false;
    }
}

}  // namespace

Device elsewhere() {
    return {DeviceKind::gpu, "a GPU of another machine", "", ""};
}

bool is_here(const Device& device) {
    return device.kind == DeviceKind::vgpu || !device.architecture.empty();
}

GraderVersions prepare_labs(const Project& project, const Device& device, const Class& all) {
    GraderVersions versions;
    for (const Attempt& attempt : all.attempts)
        if (attempt.problem.empty()) versions[attempt.lab];
    std::vector<std::string> targets = {"lab"};
    for (const auto& [name, unused] : versions)
        std::ranges::copy(Builder(project, read_lab(project, name), device).targets(),
                          std::back_inserter(targets));
    ensure_targets(project, targets);
    for (auto& [name, version] : versions) {
        const Lab lab = read_lab(project, name);
        if (is_here(device)) prepare(project, lab, device);
        version = grader_version(project, lab, device, Builder(project, lab, device));
    }
    return versions;
}

Plan plan_of(const Class& all, const GraderVersions& versions, Store& store) {
    Plan plan;
    plan.versions = versions;
    const std::string secret = store.secret();
    const auto failures = store.failures();
    std::map<std::string, bool> is_done;  ///< by key
    for (const Attempt& attempt : all.attempts) {
        if (!attempt.problem.empty()) {
            ++plan.not_gradable;
            continue;
        }
        const std::string key = job_key(attempt.sha256, versions.at(attempt.lab));
        const Job job{key, attempt.lab, attempt.file, job_seed(secret, key)};
        const bool is_new = !is_done.contains(key);
        if (is_new) is_done[key] = take_over(job, versions, store);
        if (is_done[key]) {
            ++plan.known;
            continue;
        }
        if (const auto failed = failures.find(key);
            failed != failures.end() && failed->second.size() >= kMostTries) {
            plan.needs_human += is_new ? 1 : 0;
            continue;
        }
        if (is_new) plan.jobs.push_back(job);
        std::string& who = plan.who[key];
        who += (who.empty() ? "" : " and ") + attempt.student;
    }
    for (const Job& job : plan.jobs) plan.who[job.key] += ", " + job.lab;
    std::ranges::stable_sort(plan.jobs, {}, &Job::lab);
    return plan;
}

GradingRecord record_result(const Job& job, const GraderVersions& versions, Store& store) {
    const GradingRecord record = summary_of(
        read_grading(read_file(result_file(store.gradings(), job))), job.key, versions.at(job.lab));
    store.add(record);
    return record;
}

}  // namespace lab
