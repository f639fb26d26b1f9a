// lab grade: the main job.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/files.h"
#include "cli/run_grading.h"
#include "cli/session.h"
#include "core/grade.h"
#include "core/progress.h"
#include "report/problems.h"
#include "report/screen.h"
#include "report/text.h"
#include "report/time_spent_text.h"

namespace lab::cli {
namespace {

struct GradeOptions {
    std::string lab, file, device = "auto", test, evidence;
    std::optional<std::uint64_t> seed;
    bool all = false;
    bool problems = false;
    bool timings = false;
};

/// The command that repeats this grading.
std::string command_for(const GradeOptions& options, const Lab& lab) {
    std::string command = "./lab grade " + lab.number();
    if (!options.file.empty()) command += " --file " + shell_word(options.file);
    if (options.device != "auto") command += " --device " + options.device;
    return command;
}

void grade(Session& session, const GradeOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(options.lab);
    GradeRequest request;
    request.file = file_to_grade(project, lab, options.file);
    request.seed = options.seed;
    request.only_tests = options.test;
    request.evidence = options.evidence;
    read_submission(request.file);  // rejects a bad file before anything starts

    const Device device = choose_device(project, choice);
    if (options.all) session.say_painted(device_line(device, session.style()));
    const Grading grading =
        run_grading(session, lab, device, request, fmt::format("Grading lab {}", lab.number()),
                    "nothing was graded");
    if (grading.built && grading.checked.tests.empty() && !request.only_tests.empty())
        throw usage_failure(
            fmt::format("Lab {} has no test with \"{}\" in its name. ./lab grade {} "
                        "runs and lists them all.",
                        lab.number(), request.only_tests, lab.number()));

    for (const std::string& line : to_lines(grading)) session.raw_line(line);
    const auto text = options.all ? grading_text : grading_screen;
    session.say_painted(text(grading, command_for(options, lab), session.style()));
    if (options.problems) session.say("\n" + problem_lines(grading));
    if (options.timings) session.say(time_spent_text(grading));
    session.exit = grading.exit();
    // Only a full grading of the student's own file counts as progress.
    if (!options.file.empty() || !options.test.empty() || !grading.built) return;
    try {
        keep(project, grading);
    } catch (const Failure& failure) {
        session.note(fmt::format("This result is not remembered. {}\n", failure.what()));
    }
}

}  // namespace

void add_grade(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("grade", "Compile and test a lab; no LAB: the one last worked on");
    const auto options = std::make_shared<GradeOptions>();
    command->add_option("LAB", options->lab, "Which lab");
    command->add_option("--file", options->file, "Grade this file instead of the lab's own")
        ->type_name("FILE");
    command
        ->add_option("--device", options->device,
                     "Where to run it; auto takes the GPU if a test kernel runs there")
        ->type_name(kDeviceWords);
    command->add_option("--seed", options->seed, "Of all random data; printed with each failure");
    command->add_flag("--all", options->all, "Every failure in full, not the first on one screen");
    command
        ->add_option("--test", options->test,
                     "Only the tests with this in their name, and those they need")
        ->type_name("TEST");
    command->add_flag(
        "--problems", options->problems,
        "Repeat errors and failed tests at the end, as FILE:LINE:COLUMN: error: TEXT");
    command->add_flag("--timings", options->timings, "Where the time went");
    command
        ->add_option("--evidence", options->evidence,
                     "Folder that gets the result with the compiled files that ./lab verify "
                     "needs to replay it")
        ->type_name("DIR");
    session.add_json(*command);
    command->callback([&session, options] { grade(session, *options); });
}

}  // namespace lab::cli
