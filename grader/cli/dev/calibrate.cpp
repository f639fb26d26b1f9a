// lab dev calibrate: measures how far a lab's speed tests can be trusted on this machine.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "author/calibrate.h"
#include "cli/session.h"
#include "report/text.h"

namespace lab::cli {
namespace {

struct CalibrateOptions {
    std::string lab, device = "auto", file;
    CalibrateRequest request;
};

/// The first of the counted thresholds, as many as fit a line.
constexpr std::array kShown = {0.9, 0.95, 0.98, 1.0};

double share_at(const Calibrated& summary, double threshold) {
    const auto at = std::find(kThresholds.begin(), kThresholds.end(), threshold);
    return summary.false_fails_at[static_cast<std::size_t>(at - kThresholds.begin())];
}

/// With --file there is no true ratio to compare with, so this counts the verdicts.
std::string file_header() {
    return fmt::format("{:>5} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>10}   {}\n", "races", "ratio",
                       "lowest", "highest", "PASS", "FAIL", "INCON.", "threshold", "test");
}

std::string file_row(const SpeedCalibration& calibration) {
    const Calibrated summary = summarise(calibration);
    return fmt::format("{:>5} {:>8.4f} {:>8.4f} {:>8.4f} {:>6} {:>6} {:>6} {:>10.2f}   {}\n",
                       calibration.runs.size(), summary.median, summary.lowest, summary.highest,
                       verdicts(calibration, Verdict::pass), verdicts(calibration, Verdict::fail),
                       verdicts(calibration, Verdict::inconclusive), calibration.threshold,
                       calibration.test);
}

std::string header() {
    std::string text = fmt::format("{:>5} {:>8} {:>8} {:>8} {:>7}   {:<12}", "races", "ratio",
                                   "lowest", "highest", "needed", "false FAIL");
    for (const double threshold : kShown)
        text += fmt::format(" {:>5}", fmt::format("{:.2f}", threshold));
    return text + fmt::format(" {:>8}   {}\n", "passes", "test");
}

std::string row(const SpeedCalibration& calibration, bool is_file) {
    std::string text;
    if (!calibration.runs.empty() && is_file) {
        text = file_row(calibration);
    } else if (!calibration.runs.empty()) {
        const Calibrated summary = summarise(calibration);
        text = fmt::format("{:>5} {:>8.4f} {:>8.4f} {:>8.4f} {:>6.2f}%   {:>4.0f}% at {:.2f}",
                           calibration.runs.size(), summary.median, summary.lowest, summary.highest,
                           100 * summary.needed_spread, 100 * summary.false_fails,
                           calibration.threshold);
        for (const double threshold : kShown)
            text += fmt::format(" {:>4.0f}%", 100 * share_at(summary, threshold));
        text += fmt::format(" {:>8}   {}\n", fmt::format("{:.2f}", summary.highest_threshold),
                            calibration.test);
    } else {
        text = fmt::format("{:>5}   {}\n", "none", calibration.test);
    }
    if (!calibration.disturbed.empty())
        text += fmt::format(
            "        {} more are {}: they were disturbed. {}.\n", calibration.disturbed.size(),
            is_file ? "not in these ratios" : "left out", calibration.disturbed.front().by.front());
    if (calibration.not_timed > 0)
        text += fmt::format("        {} times there was no race: {}\n", calibration.not_timed,
                            calibration.why_not_timed);
    return text;
}

Json json_of(const SpeedCalibration& calibration, const Device& device, const std::string& file) {
    Json runs = Json::array();
    for (const SpeedRun& run : calibration.runs)
        runs.push_back({{"ratio", run.ratio}, {"low", run.low}, {"high", run.high}});
    Json disturbed = Json::array();
    for (const DisturbedRun& run : calibration.disturbed) disturbed.push_back(run.by);
    Json line{{"type", "calibration"},
              {"schema", kResultsSchema},
              {"lab", calibration.lab},
              {"test", calibration.test},
              {"device", to_string(device.kind)},
              {"device_name", device.name},
              {"judged_on", calibration.judged_on},
              {"threshold", calibration.threshold},
              {"spread", calibration.spread},
              {"disturbed_by", disturbed},
              {"not_raced", calibration.not_timed},
              {"verdicts",
               {{"pass", verdicts(calibration, Verdict::pass)},
                {"fail", verdicts(calibration, Verdict::fail)},
                {"inconclusive", verdicts(calibration, Verdict::inconclusive)}}},
              {"races", runs}};
    if (!file.empty()) line["file"] = file;
    if (calibration.runs.empty()) return line;
    const Calibrated summary = summarise(calibration);
    line.update({{"median", summary.median},
                 {"lowest", summary.lowest},
                 {"highest", summary.highest},
                 {"between_processes", summary.between_processes}});
    if (!file.empty()) return line;
    Json shares = Json::array();
    for (std::size_t i = 0; i < kThresholds.size(); ++i)
        shares.push_back({{"threshold", kThresholds[i]}, {"share", summary.false_fails_at[i]}});
    line.update({{"needed_spread", summary.needed_spread},
                 {"highest_threshold", summary.highest_threshold},
                 {"false_fails", summary.false_fails},
                 {"false_fails_at", shares}});
    return line;
}

/// The reference must pass its own speed test every time.
bool is_sound(const SpeedCalibration& calibration) {
    const bool passes =
        std::none_of(calibration.runs.begin(), calibration.runs.end(),
                     [](const SpeedRun& run) { return run.verdict == Verdict::fail; });
    return passes && calibration.not_timed == 0 && !calibration.runs.empty();
}

void calibrate(Session& session, const CalibrateOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    const Project& project = session.project();
    std::vector<std::string> labs = {options.lab};
    const bool is_file = !options.file.empty();
    if (is_file && options.lab.empty()) throw usage_failure("--file needs the LAB that it is for.");
    if (options.lab.empty()) labs = list_labs(project);
    const Device device = choose_device(project, choice);
    session.say_painted(device_line(device, session.style()));

    double needed = 0, used = 0;
    std::size_t runs = 0;
    for (const std::string& word : labs) {
        const Lab lab = session.lab(word);
        const auto all = calibrate_lab(project, lab, device, options.request, [&](int done) {
            session.note(
                fmt::format("{}: grading {} of {}\n", lab.name, done, options.request.times));
        });
        session.say(fmt::format("\nLab {}: {}, {}\n{}", lab.number(), lab.title,
                                is_file ? options.file + " raced against its reference"
                                        : "its reference raced against itself",
                                is_file ? file_header() : header()));
        if (all.empty()) session.say("No test of these is a race.\n");
        for (const SpeedCalibration& calibration : all) {
            session.say(row(calibration, is_file));
            session.line(json_of(calibration, device, options.file));
            runs += calibration.runs.size();
            used = calibration.spread;
            if (!calibration.runs.empty())
                needed = std::max(needed, summarise(calibration).needed_spread);
            if (!is_file && !is_sound(calibration)) session.exit = Exit::tests_failed;
        }
    }
    if (is_file) return;
    session.say(
        fmt::format("\n{} races. needed: by how much their intervals must be widened so that all "
                    "hold 1: {:.2f} %\n"
                    "at most; {:.2f} % is in use (grader/check/speed/speed_decision.h). "
                    "passes: the\n"
                    "highest threshold at which none would have been anything but a pass.\n",
                    runs, 100 * needed, 100 * used));
}

}  // namespace

void add_dev_calibrate(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "calibrate", "Race each reference against itself: how far can its races be trusted?");
    const auto options = std::make_shared<CalibrateOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: all");
    command->add_option("--file", options->file,
                        "Race this submission instead: do its verdicts agree?");
    command->add_option("--times", options->request.times, "How often each is graded (20)")
        ->check(CLI::PositiveNumber);
    command->add_option("--test", options->request.only_tests,
                        "Only tests with this in their name, and those they need");
    command->add_option("--device", options->device, "Where to run it")->type_name(kDeviceWords);
    session.add_json(*command);
    command->callback([&session, options] {
        options->request.file = options->file;
        calibrate(session, *options);
    });
}

}  // namespace lab::cli
