// The keys of `lab watch`. The table is the only place that knows them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab::cli {

enum class KeyAction {
    grade,        ///< grades now
    show_output,  ///< runs `command`, and shows what it prints below the verdict
    hand_over,    ///< runs `command` on the terminal itself
    show_all,     ///< switches between the screen and the full report
    reset,        ///< asks, then runs `command`
    next_lab,     ///< goes on with the next lab
    quit,
};

struct Key {
    char key = 0;
    std::string_view word;  ///< in the line of keys; empty: not shown there
    KeyAction action = KeyAction::grade;
    std::string_view command{};  ///< of `lab`, which gets the lab's number
    std::string_view option{};   ///< further word of the command line
    bool takes_file = false;     ///< the command has --file and --device
};

/// The keys whose commands are among `commands`. Without `has_reset` (another file than the lab's
/// own is watched), none that replaces the lab's file.
std::vector<Key> keys_for(const std::vector<std::string>& commands, bool has_reset);

/// The key that was typed; null: none. Capital letters count as small ones.
const Key* key_of(std::span<const Key> keys, char typed);

/// "h hint  a all  q quit", as many as fit into `width` columns.
std::string key_line(std::span<const Key> keys, std::size_t width);

/// The typed characters, without the sequences that arrows and function keys send.
std::string typed_characters(std::string_view bytes);

}  // namespace lab::cli
