#include "cli/completion/table.h"

namespace lab::cli {
namespace {

using TableJson = nlohmann::ordered_json;

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

CompletionOption option_of(const CLI::Option& option, std::string name) {
    CompletionOption result;
    result.name = std::move(name);
    result.description = first_line(option.get_description());
    result.takes_value = option.get_expected_max() > 0 && option.get_type_size_max() > 0;
    if (result.takes_value) result.value = option.get_type_name();
    return result;
}

/// An option without a type name of its own is named after the word: LAB, FILE.
std::string kind_of_positional(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type.find('|') != std::string::npos ? type : option.get_name(true);
}

void add_commands(const CLI::App& app, const std::string& path,
                  std::vector<CompletionCommand>& commands) {
    CompletionCommand command;
    command.path = path;
    command.description = first_line(app.get_description());
    command.ends_at_words = app.get_prefix_command();
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames())
            command.options.push_back(option_of(*option, "--" + name));
        for (const std::string& name : option->get_snames())
            command.options.push_back(option_of(*option, "-" + name));
        if (option->get_positional() && command.positional.empty())
            command.positional = kind_of_positional(*option);
    }
    commands.push_back(std::move(command));
    for (const CLI::App* one : app.get_subcommands(nullptr))
        add_commands(*one, (path.empty() ? "" : path + " ") + one->get_name(), commands);
}

}  // namespace

std::vector<CompletionCommand> commands_of(const CLI::App& app) {
    std::vector<CompletionCommand> commands;
    add_commands(app, "", commands);
    return commands;
}

std::string to_table(const std::vector<CompletionCommand>& commands) {
    TableJson table = TableJson::array();
    for (const CompletionCommand& command : commands) {
        TableJson options = TableJson::array();
        for (const CompletionOption& option : command.options)
            options.push_back({{"name", option.name},
                               {"description", option.description},
                               {"takes_value", option.takes_value},
                               {"value", option.value}});
        table.push_back({{"path", command.path},
                         {"description", command.description},
                         {"options", options},
                         {"positional", command.positional},
                         {"ends_at_words", command.ends_at_words}});
    }
    return table.dump() + "\n";
}

std::vector<CompletionCommand> read_table(const std::string& text) {
    const TableJson table = TableJson::parse(text, nullptr, false);
    std::vector<CompletionCommand> commands;
    try {
        for (const TableJson& one : table) {
            CompletionCommand command{one.at("path"),
                                      one.at("description"),
                                      {},
                                      one.at("positional"),
                                      one.at("ends_at_words")};
            for (const TableJson& option : one.at("options"))
                command.options.push_back({option.at("name"), option.at("description"),
                                           option.at("takes_value"), option.at("value")});
            commands.push_back(std::move(command));
        }
    } catch (const TableJson::exception&) {
        return {};
    }
    return commands;
}

}  // namespace lab::cli
