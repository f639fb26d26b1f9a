// Reads lab.toml. Reports every mistake with its line and column; a misspelt key is an error, too,
// since ignoring it would silently use a default.

#include <fmt/format.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <optional>
#include <utility>
#include <vector>

#include "core/failure.h"
#include "core/files.h"
#include "core/lab.h"
#include "core/nearest.h"

namespace lab {
namespace {

/// One table of the file: hands out values of the wanted type, then complains about what is left.
class Table {
public:
    Table(const toml::table& table, std::string place, std::string name)
        : table_(table), place_(std::move(place)), name_(std::move(name)) {}

    [[noreturn]] void fail(const toml::source_region& at, const std::string& message) const {
        throw own_fault(
            fmt::format("{}:{}:{}: {}", place_, at.begin.line, at.begin.column, message));
    }

    std::string text(const char* key, const char* example) {
        const toml::node& node = required(key, example);
        const auto value = node.value_exact<std::string>();
        if (!value) fail(node.source(), wrong_type(key, "a text", example));
        if (value->empty()) fail(node.source(), fmt::format("{} is empty.", key));
        return *value;
    }

    long long positive(const char* key, const char* example) {
        const toml::node& node = required(key, example);
        const auto value = node.value_exact<std::int64_t>();
        if (!value || *value <= 0)
            fail(node.source(), wrong_type(key, "a whole number above 0", example));
        return *value;
    }

    long long positive_or(const char* key, const char* example, long long otherwise) {
        return table_.contains(key) ? positive(key, example)
                                    : (known_.emplace_back(key), otherwise);
    }

    std::vector<std::string> texts(const char* key, const char* example) {
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

    std::optional<Table> table(const char* key, const char* example) {
        known_.emplace_back(key);
        const toml::node* node = table_.get(key);
        if (node == nullptr) return std::nullopt;
        if (!node->is_table()) fail(node->source(), wrong_type(key, "a table", example));
        return Table(*node->as_table(), place_, fmt::format("[{}]", key));
    }

    std::vector<Table> tables(const char* key, const char* example) {
        known_.emplace_back(key);
        const toml::node* node = table_.get(key);
        std::vector<Table> result;
        if (node == nullptr) return result;
        if (!node->is_array_of_tables())
            fail(node->source(), wrong_type(key, "a table for each", example));
        for (const toml::node& element : *node->as_array())
            result.emplace_back(*element.as_table(), place_, fmt::format("[[{}]]", key));
        return result;
    }

    const toml::source_region& place_of(const char* key) const { return table_.get(key)->source(); }

    /// Call when all keys were asked for.
    void refuse_unknown_keys() const {
        for (const auto& [key, node] : table_) {
            const std::string name(key.str());
            if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
            fail(key.source(), fmt::format("unknown key \"{}\"{}.{}", name, inside(),
                                           did_you_mean(name, known_)));
        }
    }

private:
    const toml::node& required(const char* key, const char* example) {
        known_.emplace_back(key);
        const toml::node* node = table_.get(key);
        if (node == nullptr)
            fail(table_.source(), fmt::format("\"{}\" is missing{}. Write, for example: {}", key,
                                              inside(), example));
        return *node;
    }

    std::string inside() const { return name_.empty() ? "" : " in " + name_; }

    static std::string wrong_type(const char* key, const char* wanted, const char* example) {
        return fmt::format("\"{}\" must be {}, for example: {}", key, wanted, example);
    }

    const toml::table& table_;
    std::string place_, name_;
    std::vector<std::string> known_;
};

Limits read_limits(Table table) {
    Limits limits;
    limits.total_s = static_cast<int>(table.positive_or("total_s", "total_s = 60", limits.total_s));
    limits.call_s = static_cast<int>(table.positive_or("call_s", "call_s = 10", limits.call_s));
    limits.vgpu_warp_instructions =
        table.positive_or("vgpu_warp_instructions", "vgpu_warp_instructions = 200000000",
                          limits.vgpu_warp_instructions);
    table.refuse_unknown_keys();
    return limits;
}

Hint read_hint(Table table) {
    Hint hint;
    hint.task = static_cast<int>(table.positive("task", "task = 1"));
    hint.text = table.text("text", "text = \"Which block is this thread in?\"");
    table.refuse_unknown_keys();
    return hint;
}

}  // namespace

Lab parse_lab(std::string_view toml, const std::string& name, const std::string& place) {
    toml::table parsed;
    try {
        parsed = toml::parse(toml, place);
    } catch (const toml::parse_error& error) {
        const auto at = error.source().begin;
        throw own_fault(
            fmt::format("{}:{}:{}: {}", place, at.line, at.column, error.description()));
    }
    Table table(parsed, place, "");
    Lab lab;
    lab.name = name;
    lab.title = table.text("title", "title = \"Vector add\"");
    lab.topic = table.text("topic", "topic = \"vector_add\"");
    lab.minutes = static_cast<int>(table.positive("minutes", "minutes = 45"));
    lab.needs = table.texts("needs", "needs = [\"01-thread-indexing\"]");
    lab.first_step = table.text("first_step", "first_step = \"Open ... at TODO(1/3): ...\"");
    if (auto limits = table.table("limits", "[limits]")) lab.limits = read_limits(*limits);
    if (auto bench = table.table("bench", "[bench]")) {
        lab.bench_names = bench->texts("others", "others = [\"also-right/blocks-of-128\"]");
        bench->refuse_unknown_keys();
    }
    for (Table& hint : table.tables("hint", "[[hint]]")) lab.hints.push_back(read_hint(hint));
    table.refuse_unknown_keys();

    // Folders say vector-add, files and functions vector_add.
    std::string expected = name.substr(3);
    for (char& c : expected) c = c == '-' ? '_' : c;
    if (lab.topic != expected)
        table.fail(table.place_of("topic"),
                   fmt::format("topic must be \"{}\", as the folder is {}; got \"{}\".", expected,
                               name, lab.topic));
    return lab;
}

Lab read_lab(const Project& project, const std::string& name) {
    const fs::path file = fs::path("labs") / name / "lab.toml";
    const auto content = read_file_if_there(project.root / file);
    if (!content)
        throw own_fault(fmt::format("{} is missing. Every lab has one; compare with another lab's.",
                                    file.string()));
    return parse_lab(*content, name, file.string());
}

}  // namespace lab
