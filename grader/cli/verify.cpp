// lab verify: replays results of the virtual GPU from their evidence.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/files.h"
#include "cli/session.h"
#include "verify/replay.h"

namespace lab::cli {
namespace {

struct VerifyOptions {
    std::vector<std::string> results;
    std::string evidence;
};

/// The files to verify: of a folder all results in it.
std::vector<fs::path> files_of(const std::vector<std::string>& words) {
    std::vector<fs::path> files;
    for (const std::string& word : words) {
        if (!fs::is_directory(word)) {
            if (!fs::exists(word)) throw usage_failure(fmt::format("There is no file {}.", word));
            files.emplace_back(word);
            continue;
        }
        std::vector<fs::path> inside;
        for (const auto& entry : fs::directory_iterator(word))
            if (entry.path().extension() == ".jsonl") inside.push_back(entry.path());
        if (inside.empty())
            throw usage_failure(fmt::format("There is no result (*.jsonl) in {}.", word));
        std::ranges::sort(inside);
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

std::string value_text(const std::string& value) {
    return value.empty() ? "nothing" : value;
}

void say(Session& session, const fs::path& file, const Replay& replay) {
    // Of a result that another grader made, much may differ.
    constexpr std::size_t kShown = 10;
    if (replay.differences.empty()) {
        session.say(fmt::format(
            "{}: the replay is the same{}.\n", file.string(),
            replay.same_grader ? "" : ", though another version of the grader made it"));
        return;
    }
    session.say(fmt::format("{}: the replay differs.\n", file.string()));
    if (!replay.same_grader)
        session.say(
            "  Another version of the grader made this result. Verify it in a checkout of that "
            "version.\n");
    for (std::size_t i = 0; i < std::min(kShown, replay.differences.size()); ++i) {
        const ResultDifference& one = replay.differences[i];
        session.say(fmt::format("  {}{}{}\n    recorded  {}\n    replayed  {}\n", one.line,
                                one.field.empty() ? "" : ", ", one.field, value_text(one.recorded),
                                value_text(one.replayed)));
    }
    if (replay.differences.size() > kShown)
        session.say(fmt::format("  and {} more\n", replay.differences.size() - kShown));
}

void verify(Session& session, const VerifyOptions& options) {
    const Project& project = session.project();
    for (const fs::path& file : files_of(options.results)) {
        const fs::path evidence =
            options.evidence.empty() ? find_evidence(file) : fs::path(options.evidence);
        const Replay replayed = [&] {
            const WaitLine wait(session, fmt::format("Replaying {} ...", file.string()));
            return replay(project, file, evidence);
        }();
        say(session, file, replayed);
        Json differences = Json::array();
        for (const ResultDifference& one : replayed.differences)
            differences.push_back({{"line", one.line},
                                   {"field", one.field},
                                   {"recorded", one.recorded},
                                   {"replayed", one.replayed}});
        session.line({{"type", "verified"},
                      {"schema", kResultsSchema},
                      {"file", file.string()},
                      {"lab", replayed.lab},
                      {"same", replayed.differences.empty()},
                      {"same_grader", replayed.same_grader},
                      {"differences", differences}});
        if (!replayed.differences.empty()) session.exit = Exit::tests_failed;
    }
}

}  // namespace

void add_verify(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "verify", "Replay results of the virtual GPU, without nvcc; exit code 1: one differs");
    const auto options = std::make_shared<VerifyOptions>();
    command
        ->add_option("RESULT", options->results,
                     "Results that ./lab grade --evidence DIR has left in DIR, or DIR")
        ->required();
    command->add_option("--evidence", options->evidence,
                        "Where their compiled files are, if not next to them");
    session.add_json(*command);
    command->callback([&session, options] { verify(session, *options); });
}

}  // namespace lab::cli
