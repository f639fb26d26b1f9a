#include "cli/watch/keys.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lab::cli {
namespace {

constexpr char kEnter = '\n', kReturn = '\r', kSpace = ' ', kCtrlD = '\x04';

/// In the order of the line of keys. A command that `lab` does not have leaves its key out.
constexpr std::array kAllKeys{
    Key{'h', "hint", KeyAction::show_output, "hint"},
    Key{'s', "step", KeyAction::hand_over, "step", "", true},
    Key{'p', "picture", KeyAction::show_output, "picture", "--format=text", true},
    Key{'a', "all", KeyAction::show_all},
    Key{'v', "review", KeyAction::show_output, "review", "", true},
    Key{'r', "reset", KeyAction::reset, "reset"},
    Key{'u', "", KeyAction::show_output, "reset", "--undo"},
    Key{'n', "next", KeyAction::next_lab},
    Key{'q', "quit", KeyAction::quit},
    Key{kEnter, "", KeyAction::grade},
    Key{kReturn, "", KeyAction::grade},
    Key{kSpace, "", KeyAction::grade},
    Key{kCtrlD, "", KeyAction::quit},
};

}  // namespace

std::vector<Key> keys_for(const std::vector<std::string>& commands, bool has_reset) {
    std::vector<Key> keys;
    for (const Key& key : kAllKeys) {
        if (key.command == "reset" && !has_reset) continue;
        if (key.command.empty() || std::ranges::find(commands, key.command) != commands.end())
            keys.push_back(key);
    }
    return keys;
}

const Key* key_of(std::span<const Key> keys, char typed) {
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(typed)));
    const auto found = std::ranges::find(keys, small, &Key::key);
    return found == keys.end() ? nullptr : &*found;
}

std::string key_line(std::span<const Key> keys, std::size_t width) {
    std::string line;
    for (const Key& key : keys) {
        if (key.word.empty()) continue;
        std::string part = std::string(line.empty() ? "" : "  ") + key.key + " ";
        part += key.word;
        if (line.size() + part.size() > width) break;
        line += part;
    }
    return line;
}

std::string typed_characters(std::string_view bytes) {
    constexpr char kEscape = '\x1b';
    std::string typed;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != kEscape) {
            typed += bytes[i];
            continue;
        }
        // ESC [ parameters FINAL, ESC O FINAL, or ESC with a character (Alt).
        if (++i < bytes.size() && (bytes[i] == '[' || bytes[i] == 'O')) {
            const bool has_parameters = bytes[i] == '[';
            ++i;
            while (has_parameters && i < bytes.size() && (bytes[i] < '@' || bytes[i] > '~')) ++i;
        }
    }
    return typed;
}

}  // namespace lab::cli
