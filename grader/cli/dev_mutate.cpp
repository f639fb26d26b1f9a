// lab dev mutate: changes a lab's solution mechanically, and counts the changes that its tests
// miss.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>

#include "cli/session.h"
#include "core/mutate.h"
#include "report/text.h"

namespace lab::cli {
namespace {

struct DevMutateOptions {
    std::string lab, device = "auto";
    MutateOptions mutate;
};

constexpr std::array kOutcomes = {MutantOutcome::killed, MutantOutcome::survived,
                                  MutantOutcome::same_program, MutantOutcome::not_compiled,
                                  MutantOutcome::fault};

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

/// Of those that differ from the solution, the share that a test rejects; 1 when there are none.
double share_killed(const Counts& counts) {
    const auto count = [&](MutantOutcome outcome) {
        const auto at = counts.find(outcome);
        return at == counts.end() ? 0 : at->second;
    };
    const int killed = count(MutantOutcome::killed);
    const int different = killed + count(MutantOutcome::survived);
    return different == 0 ? 1 : static_cast<double>(killed) / different;
}

std::string counts_row(std::string_view name, const Counts& counts) {
    std::string row = fmt::format("{:<20} {:>7}", name, all_of(counts));
    for (const MutantOutcome outcome : kOutcomes) {
        const auto at = counts.find(outcome);
        row += fmt::format(" {:>12}", at == counts.end() ? 0 : at->second);
    }
    return row + fmt::format(" {:>7.1f}%\n", 100 * share_killed(counts));
}

void say_result(const Session& session, const Lab& lab, const MutantResult& result) {
    if (result.outcome != MutantOutcome::survived && result.outcome != MutantOutcome::fault) return;
    session.say(fmt::format("{}  {}:{}\n{}", in_words(result.outcome), lab.solution().string(),
                            label_of(result.mutant), result.diff));
    if (result.outcome == MutantOutcome::fault) session.say(result.why + "\n");
    session.say("\n");
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

void mutate_one(Session& session, const Lab& lab, const Device& device,
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
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::string header = fmt::format("{:<20} {:>7}", lab.name, "mutants");
    for (const MutantOutcome outcome : kOutcomes)
        header += fmt::format(" {:>12}", in_words(outcome));
    session.say(header + fmt::format(" {:>8}\n", "share"));
    for (const auto& [kind, counts] : by_kind) session.say(counts_row(kind, counts));
    session.say(counts_row("all", all) + fmt::format("{:.0f} s\n\n", seconds));
    Json line{{"type", "mutation"},     {"schema", kResultsSchema},
              {"lab", lab.name},        {"device", to_string(device.kind)},
              {"mutants", all_of(all)}, {"share_killed", share_killed(all)},
              {"seconds", seconds}};
    for (const MutantOutcome outcome : kOutcomes) line[to_string(outcome)] = all[outcome];
    session.line(line);
    if (all[MutantOutcome::fault] > 0) session.exit = Exit::own_fault;
}

void mutate(Session& session, const DevMutateOptions& options) {
    const DeviceChoice choice = parse_device(options.device);
    std::vector<std::string> labs = {options.lab};
    if (options.lab.empty()) labs = list_labs(session.project());
    const Device device = choose_device(session.project(), choice);
    session.say_painted(device_line(device, session.style()));
    for (const std::string& word : labs)
        mutate_one(session, session.lab(word), device, options.mutate);
}

}  // namespace

void add_dev_mutate(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "mutate", "Change the solution mechanically, and show the changes that no test notices");
    const auto options = std::make_shared<DevMutateOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: all");
    command->add_option("--device", options->device, "auto, gpu or vgpu");
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
