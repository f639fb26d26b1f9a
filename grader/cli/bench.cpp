// lab bench: shows the speed of the student's kernels and of the course's versions, as tables and
// plots.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "cli/figures.h"
#include "cli/run_grading.h"
#include "report/measurements.h"
#include "report/plots/table_text.h"
#include "report/screen.h"
#include "report/timings_text.h"

namespace lab::cli {
namespace {

struct BenchOptions : FigureOptions {
    bool record = false;
};

/// "nvidia-h200", "virtual-gpu": the folder of a device's measurements.
std::string folder_name(const Grading& grading) {
    if (grading.device.kind == DeviceKind::vgpu) return "virtual-gpu";
    std::string name;
    for (const char c : grading.checked.device_name) {
        const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (kept) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!kept && !name.ends_with('-')) name += '-';
    }
    return name;
}

/// The measured commit, with "-dirty" if files differ from it; "unknown" without git.
std::string commit_of(const Project& project) {
    Command git;
    git.argv = {"git", "-C", project.root.string(), "describe", "--always", "--dirty"};
    const Finished finished = run(git);
    return finished.ok() ? finished.out.substr(0, finished.out.find('\n')) : "unknown";
}

/// A table of the benchmark, and the times of each row's single calls, if they were kept.
struct Benchmark {
    std::string name;
    CsvTable table;
    std::vector<std::vector<double>> calls_ms;
};

std::vector<Benchmark> benchmarks_of(const Grading& grading) {
    std::vector<Benchmark> all;
    for (const TestResult& test : grading.checked.tests) {
        for (const WrittenTable& written : test.tables) {
            const fs::path file = grading.tables / written.name;
            Benchmark one{written.name, read_csv(read_file(file.string() + ".csv")), {}};
            one.calls_ms.resize(one.table.rows.size());
            if (written.has_calls) {
                const CsvTable calls = read_csv(read_file(file.string() + "-calls.csv"));
                for (const auto& row : calls.rows)
                    one.calls_ms.at(std::stoul(row[0])).push_back(std::stod(row[1]));
            }
            all.push_back(std::move(one));
        }
    }
    return all;
}

/// The student's last row, which is the largest of a sweep; null: no call of it was timed.
const std::vector<double>* students_calls(const Benchmark& one, std::string& what) {
    const auto version = std::ranges::find(one.table.columns, "version");
    if (version == one.table.columns.end()) return nullptr;
    const auto at = static_cast<std::size_t>(version - one.table.columns.begin());
    for (std::size_t i = one.table.rows.size(); i-- > 0;) {
        if (one.table.rows[i][at] != "student") continue;
        what = "student";
        for (std::size_t k = 0; k < one.table.columns.size(); ++k) {
            const std::string& column = one.table.columns[k];
            if (column.starts_with("time_")) break;
            if (k != at) what += fmt::format(", {} = {}", column, one.table.rows[i][k]);
        }
        return one.calls_ms[i].empty() ? nullptr : &one.calls_ms[i];
    }
    return nullptr;
}

/// data/measurements/DEVICE/NN-topic.csv: all benchmarks of this run, in place of an earlier one's.
void record(Session& session, const Grading& grading, const std::vector<Benchmark>& benchmarks) {
    const Project& project = session.project();
    const Recording recording{grading.lab.name, grading.checked.peaks, commit_of(project),
                              grading.time.substr(0, 10)};
    CsvTable all{{kMeasurementColumns.begin(), kMeasurementColumns.end()}, {}};
    for (const Benchmark& one : benchmarks) {
        Measured measured{one.name, one.table, {}};
        for (const auto& calls : one.calls_ms) measured.rounds.push_back(calls.size());
        const auto rows = measurement_rows(recording, measured);
        all.rows.insert(all.rows.end(), rows.begin(), rows.end());
    }
    const fs::path file =
        project.root / "data/measurements" / folder_name(grading) / (grading.lab.name + ".csv");
    write_atomically(file, "# " + device_label(grading.device.kind, grading.checked.device_name) +
                               "\n" + to_csv(all));
    session.say(fmt::format("recorded in {}\n", near_path(file).string()));
}

/// A wrong kernel's speed means nothing: shows its verdict, and sets the exit code.
bool is_wrong(Session& session, const BenchOptions& options, const FigureRun& run) {
    GradeRequest request = run.request;
    request.cases = Cases::tests;
    request.speed_tests.emplace();
    const Grading grading =
        run_grading(session, run.lab, run.device, request, "Checking that the kernels are right",
                    "nothing was measured");
    const bool has_failed = std::ranges::any_of(grading.checked.tests, [&](const TestResult& test) {
        return test.kind == "correctness" && test.verdict == Verdict::fail &&
               is_begun(grading.tasks, test);
    });
    if (grading.built && grading.checked.reason.empty() && !has_failed) return false;
    for (const std::string& line : to_lines(grading)) session.raw_line(line);
    session.say_painted(grading_screen(grading, options.again("grade", run.lab), session.style()) +
                        "Nothing was measured: the kernels must be right first.\n");
    session.exit = grading.exit();
    return true;
}

void bench(Session& session, const BenchOptions& options) {
    const FigureRun run = prepare(session, options, Cases::benches);
    if (is_wrong(session, options, run)) return;
    const Grading grading = run_cases(session, options, run, "bench");
    const std::string device = device_label(grading.device.kind, grading.checked.device_name);
    const std::vector<Benchmark> benchmarks = benchmarks_of(grading);
    const std::vector<double>* latest = nullptr;
    for (const Benchmark& one : benchmarks) {
        const bool is_counted = std::ranges::none_of(
            one.table.columns, [](const std::string& name) { return name.starts_with("time_"); });
        session.say(fmt::format("{}: {}, {}\n{}\n", one.name, one.table.columns.back(),
                                is_counted ? "counted, as modelled times do not show it" : device,
                                table_text(one.table)));
        std::string what;
        if (const auto* calls = students_calls(one, what)) {
            session.say(timings_text(what, *calls) + "\n");
            latest = calls;
        }
    }
    // Before drawing: a fault in a plot must not lose the measurements.
    if (options.record && session.exit == Exit::full_marks) record(session, grading, benchmarks);
    std::vector<Drawn> figures = draw_tables(session, grading, options);
    if (latest != nullptr && has_gnuplot()) {  // as text it was shown above
        write_atomically(grading.tables / "timings.csv", to_csv(timing_bins(*latest)));
        figures.push_back(draw_table(session, grading, options, "timings",
                                     session.project().root / "grader/report/plots/timings.gp"));
    }
    say_drawn(session, figures);
    if (options.record && session.exit != Exit::full_marks)
        throw usage_failure("Nothing is recorded: a benchmark failed, see above.");
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("bench", "How fast your kernels are, beside the course's versions");
    const auto options = std::make_shared<BenchOptions>();
    add_figure_options(*command, session, *options);
    command->add_flag("--record", options->record, "Keep the numbers in data/measurements/");
    command->callback([&session, options] { bench(session, *options); });
}

}  // namespace lab::cli
