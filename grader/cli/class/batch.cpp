// lab batch: grades a class, and goes on where it stopped.

#include <fmt/format.h>

#include <memory>

#include "base/files.h"
#include "batch/chunks.h"
#include "batch/intake/intake.h"
#include "batch/plan.h"
#include "cli/class/class_folder.h"
#include "cli/class/executors.h"
#include "cli/class/others_work.h"
#include "cli/interruption.h"
#include "cli/session.h"
#include "core/progress.h"
#include "report/text.h"

namespace lab::cli {
namespace {

struct BatchOptions {
    std::string handed_in, results, roster, times, rules, device = "auto", executor = "local";
    std::vector<std::string> labs;
    ExecutorOptions executing;
    bool retry = false;
};

/// The nodes of a cluster have GPUs that the machine from which jobs are submitted may lack.
Device device_of(const Project& project, const BatchOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    const bool runs_here = options.executor == "local";
    if (!runs_here && choice == DeviceChoice::gpu && !find_gpu(project).usable) return elsewhere();
    return choose_device(project, choice);
}

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
            fmt::format("{} failed {} times, through no fault of the author's. Look at "
                        "the report, or try again with --retry.\n",
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
    refuse_without_sandbox("batch");
    const Executor execute = executor_named(options.executor);
    const Device device = device_of(session.project(), options);
    session.say_painted(device_line(device, session.style()));
    Store store(results_folder(options.handed_in, options.results));
    store.remember(take_in_class(session, options, store));
    if (options.retry) store.forget_failures();
    const Class all = store.remembered();

    const GraderVersions versions = prepare_labs(session.project(), device, all);
    for (const auto& [lab, version] : versions)
        if (store.version_of(lab) != version) store.use_version(lab, version);
    take_failures(failed_folder(store), store);
    const Plan plan = plan_of(all, versions, store);
    const InterruptionNotice notice(
        session, "everything graded so far is kept; the same command goes on from there");
    const QueueEnd end = execute(session, options.executing, device, plan, store);
    say_summary(session, plan, end, store, all);
    if (!end.stopped_by.empty())
        throw own_fault(fmt::format(
            "{}\nThe batch has stopped. Everything graded so far is kept: once the cause is "
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
    command->add_option("--lab", options->labs, "Only this lab; may be given several times")
        ->type_name("LAB");
    command->add_option("--results", options->results,
                        "Keep results there instead of in DIR-results");
    command->add_option("--roster", options->roster, "The roster instead of DIR/roster.csv")
        ->type_name("FILE");
    command->add_option("--times", options->times, "Times of submission instead of DIR/times.csv")
        ->type_name("FILE");
    command->add_option("--rules", options->rules, "The course's rules instead of DIR/class.toml")
        ->type_name("FILE");
    command->add_option("--device", options->device, "Where to run it")->type_name(kDeviceWords);
    command->add_option("--jobs", options->executing.jobs, "Gradings at once on this machine");
    command->add_option("--executor", options->executor,
                        "local: this machine; slurm: job arrays; chunks: only write the files that "
                        "./lab chunk grades, for any other system");
    command->add_option("--slurm-config", options->executing.slurm_config,
                        "account, partition, gres, ... (docs/instructor-guide.md)");
    command->add_option("--chunk", options->executing.jobs_a_chunk, "Submissions in one chunk");
    command->add_flag("--wait", options->executing.waits,
                      "With --executor slurm: until all is graded");
    command->add_flag("--evidence", options->executing.keeps_evidence,
                      "Keep what ./lab verify needs to replay each result");
    command->add_flag("--retry", options->retry,
                      "Grade again what failed through no fault of the author's");
    session.add_json(*command);
    command->callback([&session, options] { batch(session, *options); });
}

}  // namespace lab::cli
