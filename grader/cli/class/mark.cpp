// lab mark: points and comments that the instructor gives by hand. No regrading changes them.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/nearest.h"
#include "batch/class_json.h"
#include "batch/store.h"
#include "cli/class/class_folder.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

struct MarkOptions {
    std::string handed_in, results, student, lab, test, comment;
    std::optional<double> points;
    bool remove = false;
};

/// The lab's test that `word` names: by its whole name, or a part that only one has.
std::string test_named(const Store& store, const Class& all, const std::string& lab,
                       const std::string& word) {
    std::vector<std::string> names;
    for (const Attempt& attempt : all.attempts) {
        if (attempt.lab != lab) continue;
        for (const GradingRecord& record : store.gradings_of(lab, attempt.sha256))
            for (const TestSummary& test : record.tests)
                if (std::ranges::find(names, test.name) == names.end()) names.push_back(test.name);
    }
    std::vector<std::string> found;
    for (const std::string& name : names) {
        if (name == word) return name;
        if (name.find(word) != std::string::npos) found.push_back(name);
    }
    if (found.size() == 1) return found.front();
    std::string known;
    for (const std::string& name : names) known += "\n    " + name;
    throw usage_failure(fmt::format("{} of {} has \"{}\" in its name. Its tests:{}",
                                    found.empty() ? "No test" : "More than one test", lab, word,
                                    known));
}

void mark(Session& session, const MarkOptions& options) {
    Store store(existing_results(options.handed_in, options.results));
    const Class all = store.remembered();
    const auto student = std::ranges::find(all.students, options.student, &Student::id);
    if (student == all.students.end()) {
        std::vector<std::string> ids;
        for (const Student& one : all.students) ids.push_back(one.id);
        throw usage_failure(fmt::format("The class has no student \"{}\".{}", options.student,
                                        did_you_mean(options.student, ids)));
    }
    ManualMark mark{
        options.student, session.lab(options.lab).name, "", options.points, options.comment,
        time_now()};
    if (!options.test.empty()) mark.test = test_named(store, all, mark.lab, options.test);
    if (!options.remove && !mark.points && mark.comment.empty())
        throw usage_failure(
            "Say what to record: --points P, --comment TEXT, or both; or --remove.");
    store.remove_marks(mark.student, mark.lab, mark.test);
    if (!options.remove) store.add_mark(mark);
    session.say(fmt::format("{} for {}, {}{}.\n", options.remove ? "Removed" : "Recorded",
                            mark.student, mark.lab, mark.test.empty() ? "" : ": " + mark.test));
}

}  // namespace

void add_mark(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "mark", "Give points or a comment by hand, in place of the grader's; kept for ever");
    const auto options = std::make_shared<MarkOptions>();
    command->add_option("DIR", options->handed_in, "As for ./lab batch, or its results")
        ->required();
    command->add_option("STUDENT", options->student, "Which student, as the gradebook has it")
        ->required();
    command->add_option("LAB", options->lab, "Which lab")->required();
    command->add_option("--test", options->test, "Only this test's points; part of its name");
    command->add_option("--points", options->points, "In place of the grader's");
    command->add_option("--comment", options->comment, "For the student");
    command->add_flag("--remove", options->remove, "Back to the grader's points, without comment");
    command->add_option("--results", options->results, "Where ./lab batch keeps its results");
    command->callback([&session, options] { mark(session, *options); });
}

}  // namespace lab::cli
