// lab bench: how fast the student's kernels are beside the course's versions, as tables and plots.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cctype>
#include <memory>

#include "cli/figures.h"
#include "core/failure.h"
#include "core/files.h"
#include "core/process.h"
#include "report/table_text.h"

namespace lab::cli {
namespace {

struct Options : FigureOptions {
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

/// What was measured: a commit, with "-dirty" when files differ from it; "unknown" without git.
std::string commit_of(const Project& project) {
    Command git;
    git.argv = {"git", "-C", project.root.string(), "describe", "--always", "--dirty"};
    const Finished finished = run(git);
    return finished.ok() ? finished.out.substr(0, finished.out.find('\n')) : "unknown";
}

void record(Session& session, const Grading& grading) {
    const Project& project = session.project();
    const fs::path folder = project.root / "data/measurements" / folder_name(grading);
    const std::string device = device_label(grading.device.kind, grading.checked.device_name);
    const std::string commit = commit_of(project);
    for (const TestResult& test : grading.checked.tests) {
        for (const WrittenTable& written : test.tables) {
            CsvTable table = read_csv(read_file(grading.tables / (written.name + ".csv")));
            table.columns.insert(table.columns.end(), {"device", "commit", "date"});
            for (auto& row : table.rows)
                row.insert(row.end(), {device, commit, grading.time.substr(0, 10)});
            const fs::path file = folder / fmt::format("{}-{}.csv", grading.lab.name, written.name);
            write_atomically(file, to_csv(table));
            session.say(fmt::format("recorded in {}\n", shown_path(file).string()));
        }
    }
}

void bench(Session& session, const Options& options) {
    const Grading grading = run_cases(session, options, Cases::benches, "bench");
    const std::string device = device_label(grading.device.kind, grading.checked.device_name);
    for (const TestResult& test : grading.checked.tests) {
        for (const WrittenTable& written : test.tables) {
            const CsvTable table = read_csv(read_file(grading.tables / (written.name + ".csv")));
            session.say(fmt::format("{}: {}, {}\n{}\n", written.name, table.columns.back(), device,
                                    table_text(table)));
        }
    }
    // Before anything is drawn: what was measured must not be lost for want of gnuplot.
    if (options.record && session.exit == Exit::full_marks) record(session, grading);
    for (const Drawn& one : draw_tables(session, grading, options)) {
        session.say(one.letters);
        for (const fs::path& file : one.files) session.say(shown_path(file).string() + "\n");
    }
    if (options.record && session.exit != Exit::full_marks)
        throw usage_failure("Nothing is recorded: a benchmark failed, see above.");
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "bench", "How fast your kernels are, beside the course's versions: tables and plots");
    const auto options = std::make_shared<Options>();
    add_figure_options(*command, session, *options);
    command->add_flag("--record", options->record, "Keep the numbers in data/measurements/");
    command->callback([&session, options] { bench(session, *options); });
}

}  // namespace lab::cli
