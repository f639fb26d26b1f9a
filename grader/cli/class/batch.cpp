// lab batch: grades a class, and goes on where it stopped.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "base/files.h"
#include "batch/class_json.h"
#include "batch/grades.h"
#include "batch/intake/intake.h"
#include "batch/queue.h"
#include "batch/store.h"
#include "cli/class/batch_progress.h"
#include "cli/class/class_folder.h"
#include "cli/interruption.h"
#include "cli/session.h"
#include "core/grade.h"
#include "core/grader_version.h"
#include "core/progress.h"
#include "core/targets.h"
#include "report/text.h"

namespace lab::cli {
namespace {

struct BatchOptions {
    std::string handed_in, results, roster, times, rules, device = "auto";
    std::vector<std::string> labs;
    unsigned jobs = 0;  ///< 0: as the device allows
    bool retry = false;
};

/// Gradings on a GPU time each other's work if there are more (measured: three held on an H200,
/// twelve did not).
constexpr unsigned kMostOnGpu = 3;

/// What is to be done, and who waits for it: submissions of equal content share a job.
struct Plan {
    std::vector<Job> jobs;
    std::map<std::string, std::string> who;      ///< by key: "ada, 02-vector-add"
    std::map<std::string, std::string> version;  ///< of the grader, by lab
    std::size_t known = 0, not_gradable = 0, needs_human = 0;
};

Class take_in_class(Session& session, const BatchOptions& options, const Store& store) {
    IntakeRequest request;
    request.folder_or_archive = options.handed_in;
    for (const std::string& word : options.labs) request.labs.push_back(session.lab(word).name);
    request.roster = options.roster;
    request.times = options.times;
    request.rules = options.rules;
    request.store = store.submissions();
    return take_in(session.project(), request);
}

/// Builds what the labs need, and says by which version each will be graded.
std::map<std::string, std::string> prepare_labs(Session& session, const Device& device,
                                                const Class& all) {
    const Project& project = session.project();
    std::map<std::string, std::string> versions;
    for (const Attempt& attempt : all.attempts)
        if (attempt.problem.empty()) versions[attempt.lab];
    std::vector<std::string> targets = {"lab"};
    for (const auto& [name, unused] : versions)
        std::ranges::copy(Builder(project, session.lab(name), device).targets(),
                          std::back_inserter(targets));
    ensure_targets(project, targets);
    for (auto& [name, version] : versions) {
        const Lab lab = session.lab(name);
        prepare(project, lab, device);
        version = grader_version(project, lab, device, Builder(project, lab, device));
    }
    return versions;
}

Plan plan_of(const Class& all, const std::map<std::string, std::string>& versions,
             const Store& store) {
    Plan plan;
    plan.version = versions;
    const std::string secret = store.secret();
    const auto failures = store.failures();
    for (const Attempt& attempt : all.attempts) {
        if (!attempt.problem.empty()) {
            ++plan.not_gradable;
            continue;
        }
        const std::string key = job_key(attempt.sha256, versions.at(attempt.lab));
        const Job job{key, attempt.lab, attempt.file, job_seed(secret, key)};
        if (store.has_grading(key)) {
            ++plan.known;
            continue;
        }
        if (const auto failed = failures.find(key);
            failed != failures.end() && failed->second.size() >= kMostTries) {
            ++plan.needs_human;
            continue;
        }
        std::string& who = plan.who[key];
        if (who.empty()) plan.jobs.push_back(job);
        who += (who.empty() ? "" : " and ") + attempt.student;
    }
    for (Job& job : plan.jobs) plan.who[job.key] += ", " + job.lab;
    std::ranges::stable_sort(plan.jobs, {}, &Job::lab);
    return plan;
}

/// Takes over results whose file is there, but that were not recorded: we were stopped in between,
/// or another machine made them.
void record_results(const Plan& plan, Store& store) {
    for (const Job& job : plan.jobs) {
        const auto lines = read_file_if_there(result_file(store.gradings(), job));
        if (!lines) continue;
        try {
            store.add(summary_of(read_grading(*lines), job.key, plan.version.at(job.lab)));
        } catch (const Failure&) {
            fs::remove(result_file(store.gradings(), job));  // not whole: graded again
        }
    }
}

QueueEnd grade_all(Session& session, const BatchOptions& options, const Device& device,
                   const Plan& plan, Store& store) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    QueueOptions queue;
    queue.at_once = options.jobs > 0                 ? options.jobs
                    : device.kind == DeviceKind::gpu ? std::min(cores, kMostOnGpu)
                                                     : cores;
    for (const auto& [key, failed] : store.failures())
        queue.tries[key] = static_cast<int>(failed.size());
    BatchProgress progress(plan.jobs.size(), isatty(STDERR_FILENO) != 0 && !session.json(),
                           session.style().width);
    const QueueEvents events{
        [&](const Job& job) { session.note_painted(progress.begins(plan.who.at(job.key))); },
        [&](const Job& job, const JobResult& result, bool is_last) {
            std::string points;
            if (result.end == JobEnd::graded) {
                const GradingRecord record =
                    summary_of(read_grading(read_file(result_file(store.gradings(), job))), job.key,
                               plan.version.at(job.lab));
                store.add(record);
                points = record.built
                             ? fmt::format("{:g} of {:g}", record.earned, record.max_points)
                             : "does not build";
            } else if (result.end == JobEnd::infra) {
                store.add_failure({job.key, time_now(), result.why});
            }
            session.note_painted(progress.ends(plan.who.at(job.key), result, is_last, points));
        }};
    const QueueEnd end = run_queue(
        plan.jobs, queue,
        [&](const Job& job) {
            return run_job(session.project(), device.kind, job, store.gradings());
        },
        events);
    session.note_painted(progress.finished());
    return end;
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// What the instructor must know now; the rest is the report's.
void say_summary(Session& session, const Plan& plan, const QueueEnd& end, const Store& store,
                 const Class& all) {
    const std::size_t needs_human = plan.needs_human + end.needs_human.size();
    session.say(fmt::format("{} of {}: {} graded now, {} known from before.\n",
                            counted(all.attempts.size(), "submission", "submissions"),
                            counted(all.students.size(), "student", "students"), end.graded,
                            plan.known));
    if (plan.not_gradable > 0)
        session.say(
            fmt::format("{} cannot be graded (not text, empty, no file of the lab): 0 "
                        "points, and the feedback says why.\n",
                        counted(plan.not_gradable, "submission", "submissions")));
    for (const std::string& note : all.notes) session.say("note: " + note + "\n");
    if (needs_human > 0)
        session.say(
            fmt::format("{} failed {} times, by no fault of its author's, and needs a "
                        "human: see the report, or try again with --retry.\n",
                        counted(needs_human, "grading", "gradings"), kMostTries));
    session.say(fmt::format("Results: {}\n", near_path(store.folder()).string()));
    session.line({{"type", "batch"},
                  {"students", all.students.size()},
                  {"attempts", all.attempts.size()},
                  {"graded", end.graded},
                  {"known", plan.known},
                  {"not_gradable", plan.not_gradable},
                  {"needs_human", needs_human},
                  {"notes", all.notes},
                  {"stopped_by", end.stopped_by},
                  {"results", store.folder().string()}});
}

void batch(Session& session, const BatchOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    const Device device = choose_device(session.project(), choice);
    session.say_painted(device_line(device, session.style()));
    Store store(results_folder(options.handed_in, options.results));
    store.remember(take_in_class(session, options, store));
    const Class all = store.remembered();
    if (options.retry) store.forget_failures();

    const auto versions = prepare_labs(session, device, all);
    for (const auto& [lab, version] : versions)
        if (store.version_of(lab) != version) store.use_version(lab, version);
    record_results(plan_of(all, versions, store), store);
    const Plan plan = plan_of(all, versions, store);
    const InterruptionNotice notice(
        session, "everything graded so far is kept; the same command goes on from there");
    const QueueEnd end = grade_all(session, options, device, plan, store);
    say_summary(session, plan, end, store, all);
    if (!end.stopped_by.empty())
        throw own_fault(fmt::format(
            "{}\nThe batch has stopped. Everything graded so far is kept: when the cause is "
            "removed, the same command goes on from there.",
            end.stopped_by));
    if (plan.needs_human + end.needs_human.size() > 0) session.exit = Exit::tests_failed;
}

}  // namespace

void add_batch(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "batch", "Grade a class; the same command again goes on, and grades what is new");
    const auto options = std::make_shared<BatchOptions>();
    command
        ->add_option("DIR", options->handed_in,
                     "What was handed in: one folder or archive a student, or an export of "
                     "Moodle, Canvas, Gradescope or GitHub Classroom")
        ->required();
    command->add_option("--lab", options->labs, "Only these labs; several are possible");
    command->add_option("--results", options->results,
                        "Keep results there instead of in DIR-results");
    command->add_option("--roster", options->roster, "The roster instead of DIR/roster.csv");
    command->add_option("--times", options->times, "Times of submission instead of DIR/times.csv");
    command->add_option("--rules", options->rules, "The course's rules instead of DIR/class.toml");
    command->add_option("--device", options->device, "auto, gpu or vgpu");
    command->add_option("--jobs", options->jobs, "Gradings at once");
    command->add_flag("--retry", options->retry,
                      "Grade again what failed by no fault of its author's");
    session.add_json(*command);
    command->callback([&session, options] { batch(session, *options); });
}

}  // namespace lab::cli
