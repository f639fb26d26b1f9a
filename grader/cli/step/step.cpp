// lab step: steps through a call on the virtual GPU, forwards and backwards, in a page.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/files.h"
#include "base/process.h"
#include "cli/run_grading.h"
#include "cli/step/terminal_stepper.h"
#include "cli/terminal/signals.h"
#include "core/grade.h"
#include "report/screen.h"
#include "step/lab_steps.h"

namespace lab::cli {
namespace {

struct StepOptions {
    std::string lab, test, file, out;
    std::optional<std::uint64_t> seed;
    bool on_terminal = false;
};

/// build/steps/NN-topic.html, unless --out says otherwise.
fs::path page_file(const Project& project, const Lab& lab, const StepOptions& options) {
    if (!options.out.empty()) return fs::absolute(options.out);
    return output_folder(project, "steps") / (lab.name + ".html");
}

std::string command_for(const StepOptions& options, const Lab& lab) {
    std::string command = "./lab grade " + lab.number();
    if (!options.file.empty()) command += " --file " + shell_word(options.file);
    return command + " --device vgpu";
}

/// Why there is nothing to step through.
std::string nothing_to_show(const Grading& grading, const std::optional<LabSteps>& steps) {
    if (!steps)
        return "No test called your code, so there is nothing to step through.\nSee why:  "
               "./lab grade " +
               grading.lab.number();
    const std::string what =
        fmt::format("{} launched no kernel, so there is nothing to step through.", steps->call);
    if (grading.untouched)
        return fmt::format("{}\nYou haven't changed {} yet. Start there.", what,
                           grading.submission.shown);
    const std::string& why =
        steps->page.diagnosis.empty() ? steps->page.message : steps->page.diagnosis;
    return why.empty() ? what : what + "\n" + why;
}

bool has_kernels(const LabSteps& steps) {
    return std::ranges::any_of(steps.page.runs,
                               [](const SteppedRun& run) { return !run.is_reference; });
}

/// The same page, with the same data.
std::string again(const StepOptions& options, const Grading& grading) {
    std::string command = "./lab step " + grading.lab.number();
    if (!options.test.empty()) command += " " + shell_word(options.test);
    if (!options.file.empty()) command += " --file " + shell_word(options.file);
    return command + " --seed " + grading.seed;
}

/// Opens the page where that shows it to the user: not over ssh, not from a script.
void open_page(const fs::path& page) {
    const Environment environment = process_environment();
    const bool has_display = environment("DISPLAY") || environment("WAYLAND_DISPLAY");
    if (!has_display || environment("SSH_CONNECTION") || isatty(STDOUT_FILENO) == 0) return;
    Command browser;
    browser.argv = {"xdg-open", page.string()};
    browser.time_limit = std::chrono::seconds(10);
    run(browser);  // without one, the path has been printed
}

void say_page(Session& session, const Lab& lab, const LabSteps& steps, const std::string& slow,
              const fs::path& page) {
    const std::string how = steps.failed ? "failed here" : "passed, for example here";
    session.say(fmt::format("{}\n  {}: {}\n", steps.test, how, steps.call));
    if (!slow.empty())
        session.say(
            fmt::format("  It is right, but too slow. Look for accesses that take many passes "
                        "or\n  sectors. What limits it:  ./lab profile {} {}\n",
                        lab.number(), slow));
    session.say("\n");
    session.say(fmt::format("Step through it in a browser:  {}\n", near_path(page).string()));
    session.say(has_marks(steps.page) ? "There, m jumps to the mistake and the arrow keys step.\n"
                                      : "There, the arrow keys step.\n");
    if (!session.json()) open_page(page);
}

/// The first function that is too slow; empty: none is. Grades once more, with the speed tests.
std::string slow_function(Session& session, const Lab& lab, GradeRequest request) {
    request.steps.clear();
    request.speed_tests.reset();
    const Device device = choose_device(session.project(), DeviceChoice::vgpu);
    const Grading grading =
        run_grading(session, lab, device, request, fmt::format("Timing lab {}", lab.number()),
                    "nothing was recorded");
    const TestResult* const failed = first_failure(grading.checked.tests, grading.tasks);
    return failed != nullptr && failed->speed ? failed->name.substr(0, failed->name.find(':')) : "";
}

/// What a grading on the virtual GPU recorded.
struct Recorded {
    Grading grading;
    std::optional<LabSteps> steps;
};

Recorded record(Session& session, const Lab& lab, const GradeRequest& request) {
    const Device device = choose_device(session.project(), DeviceChoice::vgpu);
    Recorded recorded{
        run_grading(session, lab, device, request, fmt::format("Recording lab {}", lab.number()),
                    "nothing was recorded"),
        std::nullopt};
    const Grading& grading = recorded.grading;
    if (!grading.built) return recorded;
    if (grading.checked.tests.empty() && !request.only_tests.empty())
        throw usage_failure(
            fmt::format("Lab {0} has no test with \"{1}\" in its name. ./lab show {0} lists them.",
                        lab.number(), request.only_tests));
    const auto written = nlohmann::json::parse(read_file(request.steps), nullptr, false);
    fs::remove(request.steps);
    if (!written.is_object()) throw own_fault("The checker wrote no recording.");
    recorded.steps = lab_steps(grading, written);
    return recorded;
}

void step(Session& session, const StepOptions& options) {
    if (options.on_terminal && !can_step_on_terminal())
        throw usage_failure(
            "--terminal needs a terminal, for input and output. Without it, ./lab "
            "step writes a page for a browser.");
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(options.lab);
    GradeRequest request;
    request.file = file_to_grade(project, lab, options.file);
    request.seed = options.seed;
    request.only_tests = options.test;
    request.speed_tests.emplace();
    request.with_baseline = false;
    read_submission(request.file);  // rejects a bad file before anything starts
    const fs::path page = page_file(project, lab, options);
    make_folder(page.parent_path());
    request.steps = page;
    request.steps.replace_extension(".json");

    Recorded recorded = record(session, lab, request);
    // Where nothing is wrong, something may be slow: that is worth a look.
    const bool is_right = recorded.steps && !recorded.steps->failed;
    const std::string slow =
        is_right && options.test.empty() ? slow_function(session, lab, request) : "";
    if (!slow.empty()) {
        request.only_tests = slow + ":";
        recorded = record(session, lab, request);
    }
    const auto& [grading, steps] = recorded;
    if (!grading.built) {
        session.say_painted(grading_screen(grading, command_for(options, lab), session.style()));
        session.exit = grading.exit();
        return;
    }
    if (!steps || !has_kernels(*steps)) throw usage_failure(nothing_to_show(grading, steps));

    if (options.on_terminal) {
        if (const int signal = step_on_terminal(session, steps->page); signal != 0) die_of(signal);
        session.say(fmt::format("The same data in a page:  {}\n", again(options, grading)));
        return;
    }
    write_atomically(page, stepper_html(project, steps->page));
    session.line(Json{{"type", "steps"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"test", steps->test},
                      {"call", steps->call},
                      {"failed", steps->failed},
                      {"too_slow", !slow.empty()},
                      {"seed", grading.seed},
                      {"file", page.string()}});
    say_page(session, lab, *steps, slow, page);
    session.say(fmt::format("The same data again:  {}\n", again(options, grading)));
}

}  // namespace

void add_step(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "step", "Step through a call on the virtual GPU, forwards and backwards");
    const auto options = std::make_shared<StepOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: the one last worked on");
    command->add_option("TEST", options->test,
                        "Part of a test's name; none: the first test that fails, if any does");
    command->add_option("--file", options->file, "Take this file instead of the lab's own");
    command->add_option("--out", options->out, "Write this page; without it into build/steps/");
    command->add_flag("--terminal", options->on_terminal,
                      "On the terminal, without a page: the same keys");
    command->add_option("--seed", options->seed, "Of all random data");
    session.add_json(*command);
    command->callback([&session, options] { step(session, *options); });
}

}  // namespace lab::cli
