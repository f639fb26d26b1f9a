#include "cli/app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/visible.h"
#include "cli/completion/table.h"

namespace lab::cli {
namespace {

/// Rejects a command that `app` does not have. CLI11 would only say that it was not expected.
void require_command(const CLI::App& app, const std::string& prefix, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands(nullptr))
        known.push_back(command->get_name());
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    const std::string name = prefix + word;
    throw usage_failure(fmt::format("Unknown command \"{}\".{}\nThe commands: {}. Each has --help.",
                                    name, did_you_mean(word, known), fmt::join(known, ", ")));
}

void require_commands(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    const std::string first = argv[1];
    require_command(app, "", first);
    const CLI::App* group = app.get_subcommand(first);
    if (group->get_subcommands(nullptr).empty() || argc < 3 || argv[2][0] == '-') return;
    require_command(*group, first + " ", argv[2]);
}

/// The first word that the command does not take; CLI11 only reports it as "not expected".
std::string unexpected(const CLI::App& app) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& word : app.remaining(true)) {
        if (!word.starts_with("-")) continue;
        const std::string option = word.substr(0, word.find('='));
        return fmt::format("There is no option {}.{}", option, did_you_mean(option, known));
    }
    return fmt::format("Too many arguments: {}.", fmt::join(app.remaining(true), " "));
}

/// The command on the command line, as typed: "dev check ", or nothing.
std::string named_command(const CLI::App& app, int argc, char** argv) {
    std::string name;
    const CLI::App* command = &app;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const auto known = command->get_subcommands(nullptr);
        const auto next = std::find_if(known.begin(), known.end(), [&](const CLI::App* one) {
            return one->get_name() == argv[i];
        });
        if (next == known.end()) break;
        command = *next;
        name += command->get_name() + " ";
    }
    return name;
}

int fail(const Session& session, Exit exit, const std::string& message,
         const std::string& reason = "") {
    session.line(Json{{"type", "error"},
                      {"schema", kResultsSchema},
                      {"exit_code", static_cast<int>(exit)},
                      {"reason", reason},
                      {"message", message}});
    // It may quote a compiler that quotes a submission.
    session.note(visible(message) + (message.ends_with('\n') ? "" : "\n"));
    return static_cast<int>(exit);
}

}  // namespace

int run_app(int argc, char** argv, const std::function<void(CLI::App&, Session&)>& add_commands,
            const std::function<void(Session&)>& without_command) {
    Session session;
    CLI::App app("CUDA Labs: write kernels, get a verdict within seconds.", "./lab");
    app.require_subcommand(0, 1);
    app.footer(
        "LAB is a number (2), a name (02-vector-add), a topic, or a part of one.\n"
        "Exit codes: 0 full marks, 1 tests failed, 2 wrong usage, 3 does not build,\n"
        "4 no such device, 5 the grader's own fault.");
    add_commands(app, session);
    if (argc == 2 && std::string_view(argv[1]) == kTableOption) {
        fmt::print("{}", to_table(commands_of(app)));
        return 0;
    }

    try {
        require_commands(app, argc, argv);
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            if (without_command)
                without_command(session);
            else
                fmt::print("{}", app.help());
        }
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::CallForAllHelp& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
        return fail(session, Exit::usage,
                    fmt::format("{}\nSee ./lab {}--help.",
                                extras ? unexpected(app) : std::string(error.what()) + ".",
                                named_command(app, argc, argv)));
    } catch (const Interrupted& failure) {
        return fail(session, failure.exit(), failure.what(), kInfra);
    } catch (const Failure& failure) {
        return fail(session, failure.exit(), failure.what());
    } catch (const std::exception& error) {
        return fail(session, Exit::own_fault,
                    fmt::format("{}\nThis is a fault of the grader or of this machine, not of your "
                                "file. ./lab doctor may say more.",
                                error.what()));
    }
    return static_cast<int>(session.exit);
}

}  // namespace lab::cli
