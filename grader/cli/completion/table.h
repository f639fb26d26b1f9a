// The commands and options of a program, read from its CLI11 app: what shells complete.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab::cli {

struct CompletionOption {
    std::string name;         ///< "--device"; a flag of one letter as "-h"
    std::string description;  ///< its first line
    bool takes_value = false;
    std::string value;  ///< as --help shows it: "FILE", "DIR", "TEST", "auto|gpu|vgpu", "TEXT"
};

/// A command, or a command of a command.
struct CompletionCommand {
    std::string path;         ///< "grade", "vgpu run"; empty: the program itself
    std::string description;  ///< its first line
    std::vector<CompletionOption> options;
    std::string
        positional;  ///< of its first word: "LAB", "FILE", "bash|zsh|fish"; empty: it has none
    bool ends_at_words = false;  ///< all that follows its first word belongs to another program
};

/// The program itself first, then all commands, each before its own.
std::vector<CompletionCommand> commands_of(const CLI::App& app);

/// For the programs that `lab` hands commands over to: they print this when started with
/// kTableOption, and `lab` reads it.
inline constexpr const char* kTableOption = "--completion-table";
std::string to_table(const std::vector<CompletionCommand>& commands);
/// Nothing if it is no table.
std::vector<CompletionCommand> read_table(const std::string& text);

}  // namespace lab::cli
