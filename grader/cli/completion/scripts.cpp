// bash and zsh share functions that print what is possible, one word a line with its description
// after a tab. Each has a driver of its own that walks along the words typed so far. fish has lines
// of its own.

#include "cli/completion/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/completion/shell_files.h"

namespace lab::cli {
namespace {

/// A word for sh, in single quotes.
std::string quoted_for_sh(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// In fish, a backslash counts inside single quotes.
std::string quoted_for_fish(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + "'";
}

std::string with_blanks(std::string choices) {
    std::ranges::replace(choices, '|', ' ');
    return choices;
}

bool is_choice(const std::string& value) {
    return value.find('|') != std::string::npos;
}

/// What the scripts complete for a value: "file", "folder", "test", "lab", words, or nothing.
std::string kind_of(const std::string& value) {
    if (is_choice(value)) return "words " + with_blanks(value);
    if (value == "FILE") return "file";
    if (value == "DIR") return "folder";
    if (value == "TEST") return "test";
    if (value == "LAB") return "lab";
    return "";
}

std::string parent_of(const std::string& path) {
    const std::size_t blank = path.rfind(' ');
    return blank == std::string::npos ? "" : path.substr(0, blank);
}

std::string last_word(const std::string& path) {
    return path.substr(path.rfind(' ') + 1);
}

std::vector<const CompletionCommand*> children_of(const std::vector<CompletionCommand>& commands,
                                                  const std::string& path) {
    std::vector<const CompletionCommand*> children;
    for (const CompletionCommand& command : commands)
        if (!command.path.empty() && parent_of(command.path) == path) children.push_back(&command);
    return children;
}

/// A function that prints, for each path, lines of "WORD<tab>DESCRIPTION".
std::string lines_function(const std::string& name,
                           const std::vector<std::pair<std::string, std::string>>& cases) {
    std::string text = name + "() {\n    case $1 in\n";
    for (const auto& [path, words] : cases)
        if (!words.empty())
            text += fmt::format("    {}) printf '%s\\n'{} ;;\n", quoted_for_sh(path), words);
    return text + "    esac\n}\n";
}

std::string described(const std::string& word, const std::string& description) {
    return " " + quoted_for_sh(word + "\t" + description);
}

/// The functions that bash and zsh share.
std::string shared_functions(const std::vector<CompletionCommand>& commands) {
    std::vector<std::pair<std::string, std::string>> subcommands, options, positionals, values;
    std::string ends;
    for (const CompletionCommand& command : commands) {
        std::string words;
        for (const CompletionCommand* child : children_of(commands, command.path))
            words += described(last_word(child->path), child->description);
        subcommands.emplace_back(command.path, words);
        words.clear();
        for (const CompletionOption& option : command.options) {
            words += described(option.name, option.description);
            if (!option.takes_value) continue;
            const std::string kind = kind_of(option.value);
            values.emplace_back(command.path + " " + option.name,
                                " " + quoted_for_sh(kind.empty() ? "other" : kind));
        }
        options.emplace_back(command.path, words);
        const std::string kind = kind_of(command.positional);
        positionals.emplace_back(command.path, kind.empty() ? "" : " " + quoted_for_sh(kind));
        if (command.ends_at_words)
            ends += (ends.empty() ? "" : " | ") + quoted_for_sh(command.path);
    }
    return lines_function("_cuda_labs_commands", subcommands) +
           lines_function("_cuda_labs_options", options) +
           lines_function("_cuda_labs_positional", positionals) +
           lines_function("_cuda_labs_value", values) +
           fmt::format(
               "_cuda_labs_hands_over() {{\n    case $1 in\n    {}) return 0 ;;\n    esac\n"
               "    return 1\n}}\n",
               ends.empty() ? "none" : ends) +
           shell_files::kFunctions;
}

std::string bash_script(const std::vector<CompletionCommand>& commands) {
    return "# Completion of CUDA Labs' commands in bash: for ./lab, and for lab in the PATH.\n"
           "# Install it for new shells, or try it in this one:\n"
           "#     mkdir -p ~/.local/share/bash-completion/completions\n"
           "#     ./lab completion bash > ~/.local/share/bash-completion/completions/lab\n"
           "#     . <(./lab completion bash)\n"
           "# Without the package bash-completion, add the last line to ~/.bashrc.\n\n" +
           shared_functions(commands) + shell_files::kBash;
}

std::string zsh_script(const std::vector<CompletionCommand>& commands) {
    return "#compdef lab\n"
           "# Completion of CUDA Labs' commands in zsh: for ./lab, and for lab in the PATH.\n"
           "# Install it for new shells, or try it in this one (after compinit):\n"
           "#     mkdir -p ~/.zfunc && ./lab completion zsh > ~/.zfunc/_lab\n"
           "#     and in ~/.zshrc:  fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit\n"
           "#     . <(./lab completion zsh)\n\n" +
           shared_functions(commands) + shell_files::kZsh;
}

/// What `complete` takes for a value of that kind, after -r or as the words of a command.
std::string words_for_fish(const std::string& kind) {
    if (kind == "file" || kind == "folder") return " -F";
    if (kind == "lab") return " -a '(__cuda_labs_labs)'";
    if (kind == "test") return " -a '(__cuda_labs_tests)'";
    if (kind.starts_with("words ")) return " -a " + quoted_for_fish(kind.substr(6));
    return "";
}

std::string lines_for_fish(const std::vector<CompletionCommand>& commands,
                           const CompletionCommand& command) {
    const std::string here = "__cuda_labs_at " + quoted_for_fish(command.path);
    const std::string at = "complete -c lab -n " + quoted_for_fish(here);
    std::string text;
    for (const CompletionCommand* child : children_of(commands, command.path))
        text += fmt::format("{} -a {} -d {}\n", at, quoted_for_fish(last_word(child->path)),
                            quoted_for_fish(child->description));
    if (const std::string words = words_for_fish(kind_of(command.positional)); !words.empty())
        text += fmt::format("complete -c lab -n {}{}\n",
                            quoted_for_fish(here + "; and not __cuda_labs_has_word"), words);
    if (command.ends_at_words) text += at + " -F\n";
    for (const CompletionOption& option : command.options) {
        const bool is_long = option.name.starts_with("--");
        text +=
            fmt::format("{} {} {} -d {}", at, is_long ? "-l" : "-s",
                        option.name.substr(is_long ? 2 : 1), quoted_for_fish(option.description));
        const std::string kind = kind_of(option.value);
        // -x: a value, and no files.
        if (option.takes_value)
            text += (kind == "file" || kind == "folder" ? " -r" : " -x") + words_for_fish(kind);
        text += "\n";
    }
    return text;
}

std::string fish_script(const std::vector<CompletionCommand>& commands) {
    std::string text =
        "# Completion of CUDA Labs' commands in fish: for ./lab, and for lab in the PATH.\n"
        "# Install it for new shells, or try it in this one:\n"
        "#     ./lab completion fish > ~/.config/fish/completions/lab.fish\n"
        "#     ./lab completion fish | source\n\n"
        "set -g __cuda_labs_paths";
    for (const CompletionCommand& command : commands)
        if (!command.path.empty()) text += " " + quoted_for_fish(command.path);
    text += "\nset -g __cuda_labs_valued";
    for (const CompletionCommand& command : commands)
        for (const CompletionOption& option : command.options)
            if (option.takes_value) text += " " + quoted_for_fish(command.path + " " + option.name);
    text += "\n" + std::string(shell_files::kFish) + "complete -c lab -f\n";
    for (const CompletionCommand& command : commands) text += lines_for_fish(commands, command);
    return text;
}

}  // namespace

std::string completion_script(Shell shell, const std::vector<CompletionCommand>& commands) {
    switch (shell) {
        case Shell::bash:
            return bash_script(commands);
        case Shell::zsh:
            return zsh_script(commands);
        case Shell::fish:
            break;
    }
    return fish_script(commands);
}

}  // namespace lab::cli
