// lab dev check: checks every lab as CI does.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <sstream>

#include "author/promises.h"
#include "base/failure.h"
#include "cli/session.h"
#include "core/progress.h"
#include "report/text.h"

namespace lab::cli {
namespace {

struct DevCheckOptions {
    std::string lab, device = "auto";
    CheckOptions check;
};

std::string indented(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result += "        " + line + "\n";
    return result;
}

void check(Session& session, const DevCheckOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    const Project& project = session.project();
    std::vector<std::string> labs = {options.lab};
    if (options.lab.empty()) labs = list_labs(project);
    const Device device = choose_device(project, choice);
    session.say_painted(device_line(device, session.style()));

    const auto begin = std::chrono::steady_clock::now();
    int good = 0, bad = 0, unchanged = 0;
    std::string broken;  // a line each, said again where the eye ends
    for (const std::string& word : labs) {
        const Lab lab = session.lab(word);
        // A student's or an author's own work is not a fault of the lab. CI compares the two in a
        // clean clone: lab dev skeleton --check.
        if (!is_untouched(project, lab))
            session.say(
                fmt::format("note  {}: your {} differs from the skeleton; checked: the skeleton "
                            "that {} cuts to\n",
                            lab.name, lab.file().string(), lab.solution().string()));
        int same = 0;
        check_lab(project, lab, device, options.check, [&](const Checkup& checkup) {
            if (checkup.good) {
                ++good;
            } else {
                ++bad;
                broken += fmt::format("  {}: {}\n", checkup.lab, checkup.what);
            }
            same += checkup.unchanged ? 1 : 0;
            const std::string count =
                options.check.times > 1
                    ? fmt::format(" {} of {} times", checkup.times_good, checkup.times)
                    : "";
            if (!checkup.unchanged)
                session.say(fmt::format("{:<4}  {}: {}{} ({:.1f} s)\n{}",
                                        checkup.good ? "ok" : "BAD", checkup.lab, checkup.what,
                                        count, checkup.seconds, indented(checkup.why)));
            Json speed_tests = Json::array();
            for (const SpeedOutcome& speed : checkup.speed_tests) {
                speed_tests.push_back({{"test", speed.test},
                                       {"seed", speed.seed},
                                       {"verdict", to_string(speed.verdict)},
                                       {"ratio", speed.ratio},
                                       {"threshold", speed.threshold}});
            }
            session.line(Json{{"type", "checkup"},
                              {"schema", kResultsSchema},
                              {"lab", checkup.lab},
                              {"device", to_string(device.kind)},
                              {"what", checkup.what},
                              {"good", checkup.good},
                              {"why", checkup.why},
                              {"unchanged", checkup.unchanged},
                              {"times", checkup.times},
                              {"times_good", checkup.times_good},
                              {"races", speed_tests},
                              {"seconds", checkup.seconds}});
        });
        unchanged += same;
        if (same > 0)
            session.say(fmt::format(
                "same  {}: {} promises were kept before, and nothing that they depend on changed\n",
                lab.name, same));
    }
    if (good + bad == 0)
        throw usage_failure(fmt::format("No promise has \"{}\" in its words.", options.check.only));
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    session.say(fmt::format("\n{} promises kept, {} broken, on {} in {:.0f} s\n", good, bad,
                            device.name, seconds));
    session.say(broken);
    if (unchanged > 0)
        session.say(fmt::format("{} were not looked at again; --all does.\n", unchanged));
    if (bad > 0) session.exit = Exit::tests_failed;
}

}  // namespace

void add_dev_check(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "check", "Prove what a lab promises: right answers pass, wrong ones fail as they say");
    const auto options = std::make_shared<DevCheckOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: all");
    command->add_option("--device", options->device, "Where to run it")->type_name(kDeviceWords);
    command->add_flag("--all", options->check.all,
                      "Also check everything that has not changed since it last passed");
    command
        ->add_option("--times", options->check.times,
                     "Grade each this many times, with seeds from 1 (1)")
        ->check(CLI::PositiveNumber);
    command->add_option("--only", options->check.only,
                        "Only promises with this in their words: \"full marks\"");
    command->add_flag(
        "--all-races", options->check.all_speed_tests,
        "Wrong submissions run all tests, not only the one that they promise to fail");
    command->add_option(
        "--jobs", options->check.jobs,
        "Gradings at once (default: two per core, one on a GPU, where each takes 1 to 4 GB)");
    session.add_json(*command);
    command->callback([&session, options] { check(session, *options); });
}

}  // namespace lab::cli
