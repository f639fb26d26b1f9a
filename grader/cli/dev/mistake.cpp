// lab dev mistake: prints a lab's wrong submissions that are written as edits, and writes new ones.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "author/mistake_from.h"
#include "author/mistakes.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/nearest.h"
#include "cli/session.h"
#include "core/course/submission.h"

namespace lab::cli {
namespace {

struct MistakeOptions {
    std::string lab, name, from, base;
};

void list(Session& session, const Lab& lab, const std::vector<Mistake>& mistakes) {
    std::size_t width = 0;
    for (const Mistake& mistake : mistakes) width = std::max(width, mistake.name.size());
    for (const Mistake& mistake : mistakes) {
        session.say(fmt::format("{:<{}}  {}\n", mistake.name, width, mistake.why));
        session.line(Json{{"type", "mistake"},
                          {"schema", kResultsSchema},
                          {"lab", lab.name},
                          {"name", mistake.name},
                          {"why", mistake.why},
                          {"base", mistake.base},
                          {"line", mistake.line}});
    }
    session.say(fmt::format("\n{} mistakes in {}. A whole program:  ./lab dev mistake {} NAME\n",
                            mistakes.size(), mistakes_file(lab).string(), lab.number()));
}

void print_program(Session& session, const Lab& lab, const std::vector<Mistake>& mistakes,
                   const std::string& name) {
    const auto found = std::ranges::find(mistakes, name, &Mistake::name);
    if (found == mistakes.end()) {
        std::vector<std::string> names;
        for (const Mistake& mistake : mistakes) names.push_back(mistake.name);
        throw usage_failure(fmt::format(
            "{} has no mistake \"{}\".{}\nAll of them:  ./lab dev mistake {}",
            mistakes_file(lab).string(), name, did_you_mean(name, names), lab.number()));
    }
    const std::string program = program_of(session.project(), lab, *found);
    session.say(program);
    session.line(Json{{"type", "mistake"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"name", name},
                      {"program", program}});
}

/// What a file says of itself; where it says nothing, what an author has to fill in.
std::vector<Expectation> expectations_of(const Submission& submission) {
    if (submission.text.find("// expect ") != std::string::npos)
        return read_expectations(submission.text, submission.shown);
    return read_expectations(
        "// expect vgpu: \"NAME OF A TEST\": \"words of its message\"\n"
        "// expect gpu: \"NAME OF A TEST\": \"words of its message\"\n",
        submission.shown);
}

void print_entry(Session& session, const Lab& lab, const std::vector<Mistake>& mistakes,
                 const MistakeOptions& options) {
    const Submission submission = read_submission(options.from);
    std::vector<std::string> bases = {options.base};
    if (options.base.empty())
        for (const Mistake& mistake : mistakes)
            if (!mistake.base.empty() && bases.size() == 1) bases.push_back(mistake.base);
    std::optional<Mistake> best;
    for (const std::string& base : bases) {
        Mistake mistake;
        mistake.base = base;
        mistake.edits =
            edits_between(read_base(session.project(), lab, base).text, submission.text);
        const bool is_better = best &&
                               too_large(mistake.edits).empty() >= too_large(best->edits).empty() &&
                               changed_lines(mistake.edits) < changed_lines(best->edits);
        if (!best || is_better) best = std::move(mistake);
    }
    const std::string place = read_base(session.project(), lab, best->base).place;
    if (best->edits.empty())
        throw usage_failure(fmt::format("{} is the same as {}.", submission.shown, place));
    if (const std::string why = too_large(best->edits); !why.empty())
        throw usage_failure(
            fmt::format("{} is no edit of {}: it takes {}.\nMove the whole program "
                        "to {}/wrong/, or try another base:  --base also-right/NAME",
                        submission.shown, place, why, lab.solution().parent_path().string()));
    best->name = fs::path(options.from).stem().string();
    best->why = why_of(submission.text);
    if (best->why.empty()) best->why = "What is wrong, in one sentence.";
    best->expectations = expectations_of(submission);
    const std::string entry = entry_text(*best);
    session.say(entry);
    session.line(Json{{"type", "mistake"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"name", best->name},
                      {"entry", entry}});
}

void mistake(Session& session, const MistakeOptions& options) {
    const Lab lab = session.lab(options.lab);
    const std::vector<Mistake> mistakes = mistakes_of(session.project(), lab);
    if (!options.from.empty()) return print_entry(session, lab, mistakes, options);
    if (!options.name.empty()) return print_program(session, lab, mistakes, options.name);
    list(session, lab, mistakes);
}

}  // namespace

void add_dev_mistake(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "mistake", "Print a wrong submission of mistakes.toml, or make an entry of a wrong file");
    const auto options = std::make_shared<MistakeOptions>();
    command->add_option("LAB", options->lab, "Which lab")->required();
    CLI::Option* name =
        command->add_option("NAME", options->name, "Which mistake; none: a list of all");
    CLI::Option* from =
        command->add_option("--from", options->from, "A wrong program: print its entry")
            ->excludes(name);
    command
        ->add_option("--base", options->base,
                     "The right program to edit, for example also-right/plain; if not said the "
                     "solution or the base of other entries, whichever takes less")
        ->needs(from);
    session.add_json(*command);
    command->callback([&session, options] { mistake(session, *options); });
}

}  // namespace lab::cli
