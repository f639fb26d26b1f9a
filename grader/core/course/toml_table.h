// Reads TOML files that people write: every mistake is reported with file, line and column. A
// misspelt key is an error too, since ignoring it would silently use a default.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace lab {

/// Throws Failure (our fault) at `place`:line:column where `text` is not TOML.
toml::table parse_toml(std::string_view text, const std::string& place);

/// One table of a file: hands out values of the wanted type, then complains about what is left.
/// Each `example` is a line that a message shows as right. All throw Failure (our fault).
class TomlTable {
public:
    /// `name`: what messages call it, for example "[limits]"; empty for the whole file.
    TomlTable(const toml::table& table, std::string place, std::string name)
        : table_(table), place_(std::move(place)), name_(std::move(name)) {}

    [[noreturn]] void fail(const toml::source_region& at, const std::string& message) const;

    const std::string& name() const { return name_; }
    bool has(const char* key) const { return table_.contains(key); }

    std::string text(const char* key, const char* example);
    std::optional<std::string> text_if_there(const char* key, const char* example);
    /// The value of a key that is there, when it is a text.
    std::optional<std::string> word(const char* key);
    long long positive(const char* key, const char* example);
    long long positive_or(const char* key, const char* example, long long otherwise);
    bool flag_or(const char* key, const char* example, bool otherwise);
    /// Not negative.
    double number(const char* key, const char* example);
    /// A date and time with its offset from UTC, as seconds since 1970 in UTC.
    std::chrono::sys_seconds time(const char* key, const char* example);
    /// All keys, which count as known from now on.
    std::vector<std::string> keys();
    std::vector<std::string> texts(const char* key, const char* example);
    /// Keys and texts of a table, in the order in which the file has them.
    std::vector<std::pair<std::string, std::string>> named_texts(const char* key,
                                                                 const char* example);
    std::optional<TomlTable> table(const char* key, const char* example);
    std::vector<TomlTable> tables(const char* key, const char* example);

    const toml::source_region& place() const { return table_.source(); }
    /// Where the value of a key that is there begins.
    const toml::source_region& place_of(const char* key) const { return table_.get(key)->source(); }

    /// Call when all keys were asked for.
    void refuse_unknown_keys() const;

private:
    const toml::node& required(const char* key, const char* example);
    std::string inside() const { return name_.empty() ? "" : " in " + name_; }

    const toml::table& table_;
    std::string place_, name_;
    std::vector<std::string> known_;
};

}  // namespace lab
