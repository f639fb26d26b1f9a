// lab dev mutate: changes a lab's solution mechanically, and counts the changes that its tests
// miss.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "author/mutate.h"
#include "base/failure.h"
#include "cli/session.h"
#include "report/text.h"

namespace lab::cli {
namespace {

struct DevMutateOptions {
    std::string lab, device = "vgpu";
    MutateOptions mutate;
};

/// Mutants by outcome.
using Counts = std::map<MutantOutcome, int>;

/// "not compiled"
std::string in_words(MutantOutcome outcome) {
    std::string words = to_string(outcome);
    std::ranges::replace(words, '_', ' ');
    return words;
}

int all_of(const Counts& counts) {
    int all = 0;
    for (const auto& [outcome, count] : counts) all += count;
    return all;
}

int count_of(const Counts& counts, MutantOutcome outcome) {
    const auto at = counts.find(outcome);
    return at == counts.end() ? 0 : at->second;
}

/// Of those that differ from the solution, the share that the tests reject, by a limit too; nothing
/// when there are none.
std::optional<double> share_rejected(const Counts& counts) {
    const int rejected =
        count_of(counts, MutantOutcome::killed) + count_of(counts, MutantOutcome::stopped);
    const int different = rejected + count_of(counts, MutantOutcome::survived) +
                          count_of(counts, MutantOutcome::inconclusive);
    if (different == 0) return std::nullopt;
    return static_cast<double>(rejected) / different;
}

/// A row for each kind and one for all; columns for the outcomes that there are.
std::string table(const std::string& lab, const std::map<std::string, Counts>& by_kind,
                  const Counts& all) {
    std::vector<MutantOutcome> columns = all_outcomes();
    std::erase_if(columns, [&](MutantOutcome outcome) { return count_of(all, outcome) == 0; });
    std::string text = fmt::format("{:<20} {:>8}", lab, "mutants");
    for (const MutantOutcome outcome : columns) text += fmt::format("  {}", in_words(outcome));
    text += "     share\n";
    const auto add_row = [&](std::string_view name, const Counts& counts) {
        text += fmt::format("{:<20} {:>8}", name, all_of(counts));
        for (const MutantOutcome outcome : columns)
            text += fmt::format("  {:>{}}", count_of(counts, outcome), in_words(outcome).size());
        const auto share = share_rejected(counts);
        text += fmt::format("  {:>8}\n", share ? fmt::format("{:.1f}%", 100 * *share) : "-");
    };
    for (const auto& [kind, counts] : by_kind) add_row(kind, counts);
    add_row("all", all);
    return text;
}

bool is_news(MutantOutcome outcome) {
    return outcome == MutantOutcome::survived || outcome == MutantOutcome::inconclusive ||
           outcome == MutantOutcome::fault;
}

void say_result(const Session& session, const Lab& lab, const MutantResult& result) {
    if (!is_news(result.outcome)) return;
    const std::string why = result.why.empty() ? "" : result.why + "\n";
    session.say(fmt::format("{}  {}:{}\n{}{}\n", in_words(result.outcome), lab.solution().string(),
                            label_of(result.mutant), result.diff, why));
}

void write_result(const Session& session, const Lab& lab, const Device& device,
                  const MutantResult& result) {
    session.line(Json{{"type", "mutant"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"device", to_string(device.kind)},
                      {"kind", result.mutant.kind},
                      {"line", result.mutant.line},
                      {"from", result.mutant.from},
                      {"to", result.mutant.to},
                      {"outcome", to_string(result.outcome)},
                      {"test", result.test},
                      {"why", result.why},
                      {"diff", result.diff},
                      {"seconds", result.seconds}});
}

/// How many mutants there were.
int mutate_one(Session& session, const Lab& lab, const Device& device,
               const MutateOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    std::map<std::string, Counts> by_kind;
    Counts all;
    mutate_lab(session.project(), lab, device, options, [&](const MutantResult& result) {
        ++by_kind[result.mutant.kind][result.outcome];
        ++all[result.outcome];
        say_result(session, lab, result);
        write_result(session, lab, device, result);
    });
    if (all.empty()) return 0;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    session.say(table(lab.name, by_kind, all) + fmt::format("{:.0f} s\n\n", seconds));
    const auto share = share_rejected(all);
    Json line{{"type", "mutation"},     {"schema", kResultsSchema},
              {"lab", lab.name},        {"device", to_string(device.kind)},
              {"mutants", all_of(all)}, {"share_rejected", share ? Json(*share) : Json()},
              {"seconds", seconds}};
    for (const MutantOutcome outcome : all_outcomes())
        line[to_string(outcome)] = count_of(all, outcome);
    session.line(line);
    if (count_of(all, MutantOutcome::fault) > 0) session.exit = Exit::own_fault;
    return all_of(all);
}

void mutate(Session& session, const DevMutateOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    std::vector<std::string> labs = {options.lab};
    if (options.lab.empty()) labs = list_labs(session.project());
    const Device device = choose_device(session.project(), choice);
    session.say_painted(device_line(device, session.style()));
    int mutants = 0;
    for (const std::string& word : labs)
        mutants += mutate_one(session, session.lab(word), device, options.mutate);
    if (mutants == 0)
        throw usage_failure(
            fmt::format("No mutant has \"{}\" in its label. A label:  34: literal: 1 -> 0",
                        options.mutate.only));
}

}  // namespace

void add_dev_mutate(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "mutate", "Change the solution mechanically, and show the changes that no test notices");
    const auto options = std::make_shared<DevMutateOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: all");
    command->add_option("--device", options->device, "Where to run it (vgpu)")
        ->type_name(kDeviceWords);
    command
        ->add_option("--limit", options->mutate.limit,
                     "Grade at most N mutants, from all over the solution")
        ->check(CLI::PositiveNumber);
    command->add_option("--only", options->mutate.only,
                        "Only mutants with this in their label: \"34: literal\"");
    command->add_option("--seed", options->mutate.seed, "Of all random data (1)");
    command->add_option("--jobs", options->mutate.jobs,
                        "Gradings at once; if not said two a core, and one on a GPU");
    session.add_json(*command);
    command->callback([&session, options] { mutate(session, *options); });
}

}  // namespace lab::cli
