#include "core/course/toml_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failure.h"
#include "base/nearest.h"

namespace lab {
namespace {

std::string wrong_type(const char* key, const char* wanted, const char* example) {
    return fmt::format("\"{}\" must be {}, for example: {}", key, wanted, example);
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& place) {
    try {
        return toml::parse(text, place);
    } catch (const toml::parse_error& error) {
        const auto at = error.source().begin;
        throw own_fault(
            fmt::format("{}:{}:{}: {}", place, at.line, at.column, error.description()));
    }
}

void TomlTable::fail(const toml::source_region& at, const std::string& message) const {
    throw own_fault(fmt::format("{}:{}:{}: {}", place_, at.begin.line, at.begin.column, message));
}

std::string TomlTable::text(const char* key, const char* example) {
    const toml::node& node = required(key, example);
    const auto value = node.value_exact<std::string>();
    if (!value) fail(node.source(), wrong_type(key, "a text", example));
    if (value->empty()) fail(node.source(), fmt::format("{} is empty.", key));
    return *value;
}

std::optional<std::string> TomlTable::text_if_there(const char* key, const char* example) {
    if (has(key)) return text(key, example);
    known_.emplace_back(key);
    return std::nullopt;
}

std::optional<std::string> TomlTable::word(const char* key) {
    known_.emplace_back(key);
    return table_.get(key)->value_exact<std::string>();
}

long long TomlTable::positive(const char* key, const char* example) {
    const toml::node& node = required(key, example);
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value <= 0)
        fail(node.source(), wrong_type(key, "a whole number above 0", example));
    return *value;
}

long long TomlTable::positive_or(const char* key, const char* example, long long otherwise) {
    if (has(key)) return positive(key, example);
    known_.emplace_back(key);
    return otherwise;
}

double TomlTable::number(const char* key, const char* example) {
    const toml::node& node = required(key, example);
    const auto value = node.value<double>();
    if (!value || !(*value >= 0))
        fail(node.source(), wrong_type(key, "a number of 0 or more", example));
    return *value;
}

std::chrono::sys_seconds TomlTable::time(const char* key, const char* example) {
    const toml::node& node = required(key, example);
    const auto value = node.value_exact<toml::date_time>();
    if (!value || !value->offset)
        fail(node.source(), wrong_type(key, "a date and time with its offset from UTC", example));
    const std::chrono::year_month_day day{std::chrono::year(value->date.year),
                                          std::chrono::month(value->date.month),
                                          std::chrono::day(value->date.day)};
    return std::chrono::sys_days(day) + std::chrono::hours(value->time.hour) +
           std::chrono::minutes(value->time.minute - value->offset->minutes) +
           std::chrono::seconds(value->time.second);
}

std::vector<std::string> TomlTable::keys() {
    for (const auto& [key, node] : table_) known_.emplace_back(key.str());
    return known_;
}

bool TomlTable::flag_or(const char* key, const char* example, bool otherwise) {
    if (!has(key)) {
        known_.emplace_back(key);
        return otherwise;
    }
    const toml::node& node = required(key, example);
    const auto value = node.value_exact<bool>();
    if (!value) fail(node.source(), wrong_type(key, "true or false", example));
    return *value;
}

std::vector<std::string> TomlTable::texts(const char* key, const char* example) {
    const toml::node& node = required(key, example);
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node.source(), wrong_type(key, "a list of texts", example));
    std::vector<std::string> result;
    for (const toml::node& element : *array) {
        const auto value = element.value_exact<std::string>();
        if (!value) fail(element.source(), wrong_type(key, "a list of texts", example));
        result.push_back(*value);
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> TomlTable::named_texts(const char* key,
                                                                        const char* example) {
    const toml::node& node = required(key, example);
    const toml::table* table = node.as_table();
    const auto type = wrong_type(key, "a table of texts", example);
    if (table == nullptr || table->empty()) fail(node.source(), type);
    std::vector<std::pair<toml::source_position, std::pair<std::string, std::string>>> sorted;
    for (const auto& [name, element] : *table) {
        const auto value = element.value_exact<std::string>();
        if (!value) fail(element.source(), type);
        sorted.push_back({name.source().begin, {std::string(name.str()), *value}});
    }
    std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<std::string, std::string>> result;
    for (auto& [position, entry] : sorted) result.push_back(std::move(entry));
    return result;
}

std::optional<TomlTable> TomlTable::table(const char* key, const char* example) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) fail(node->source(), wrong_type(key, "a table", example));
    return TomlTable(*node->as_table(), place_, fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(const char* key, const char* example) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    std::vector<TomlTable> result;
    if (node == nullptr) return result;
    if (!node->is_array_of_tables())
        fail(node->source(), wrong_type(key, "a table for each", example));
    for (const toml::node& element : *node->as_array())
        result.emplace_back(*element.as_table(), place_, fmt::format("[[{}]]", key));
    return result;
}

void TomlTable::refuse_unknown_keys() const {
    for (const auto& [key, node] : table_) {
        const std::string name(key.str());
        if (std::ranges::find(known_, name) != known_.end()) continue;
        fail(key.source(),
             fmt::format("unknown key \"{}\"{}.{}", name, inside(), did_you_mean(name, known_)));
    }
}

const toml::node& TomlTable::required(const char* key, const char* example) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr)
        fail(table_.source(),
             fmt::format("\"{}\" is missing{}. Write, for example: {}", key, inside(), example));
    return *node;
}

}  // namespace lab
