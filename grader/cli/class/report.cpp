// lab report: the gradebook, each student's feedback, and the instructor's page.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>

#include "base/files.h"
#include "batch/store.h"
#include "cli/class/class_folder.h"
#include "cli/class/others_work.h"
#include "cli/session.h"
#include "report/class/write_reports.h"
#include "report/exports/exports.h"
#include "report/similarity/sim.h"

namespace lab::cli {
namespace {

struct ReportOptions {
    std::string handed_in, results, out, canvas_template;
    std::vector<std::string> formats;
    bool similarity = false;
};

std::vector<LabSimilarity> similarity_if_asked(Session& session, const ReportOptions& options,
                                               const Grades& grades) {
    if (!options.similarity) return {};
    refuse_without_sandbox("report --similarity");
    const char* path = std::getenv("PATH");
    const fs::path sim = find_sim(path != nullptr ? path : "/usr/bin:/bin");
    auto labs = similarity_of(session.project(), grades, sim);
    std::size_t notable = 0;
    for (const LabSimilarity& lab : labs) notable += lab.notable();
    session.say(fmt::format(
        "Similar pairs: {}. instructor.html shows them, similarity.csv has more. Similar is no "
        "proof.\n",
        notable));
    return labs;
}

void report(Session& session, const ReportOptions& options) {
    const Store store(existing_results(options.handed_in, options.results));
    const fs::path out =
        options.out.empty() ? store.folder() / "report" : fs::absolute(options.out);
    const Grades grades = grades_of(store);
    write_reports(session.project(), grades, out,
                  {.similarity = similarity_if_asked(session, options, grades)});
    session.say(fmt::format("Open {}; the gradebook is gradebook.csv next to it.\n",
                            near_path(out / "instructor.html").string()));
    for (const std::string& format : options.formats) {
        for (const std::string& note :
             write_exports(grades, format, out / "exports",
                           {options.canvas_template, &session.project(), store.secret()}))
            session.say(fmt::format("note: {}: {}\n", format, note));
        session.say(fmt::format("For {}: {}\n", format, near_path(out / "exports").string()));
    }
    session.line({{"type", "report"}, {"grades", grades.grades.size()}, {"folder", out.string()}});
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "report", "The gradebook, feedback for each student, and a page for the instructor");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("DIR", options->handed_in, "As for ./lab batch, or its results")
        ->required();
    command->add_option("--results", options->results, "Where ./lab batch keeps its results");
    command->add_option("--out", options->out, "Write there instead of in the results' report/");
    command->add_option("--export", options->formats,
                        fmt::format("Also for import by: {}", fmt::join(export_formats(), ", ")));
    command->add_option("--canvas-template", options->canvas_template,
                        "The gradebook that Canvas exported, to be filled");
    command->add_flag("--similarity", options->similarity,
                      "Also compare the submissions with each other, by sim_c++");
    session.add_json(*command);
    command->callback([&session, options] { report(session, *options); });
}

}  // namespace lab::cli
