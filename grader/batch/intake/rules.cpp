#include "batch/intake/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failure.h"
#include "core/course/toml_table.h"

namespace lab {
namespace {

constexpr const char* kDue = "02-vector-add = 2026-11-20T23:59:00+01:00";

/// The file's word for a lab; what find_lab says of a wrong one, with the place in front.
std::string lab_of(const TomlTable& table, const toml::source_region& at, const std::string& word,
                   const std::function<std::string(const std::string&)>& lab_named) {
    try {
        return lab_named(word);
    } catch (const Failure& failure) {
        table.fail(at, failure.what());
    }
}

void read_due(TomlTable table, const std::function<std::string(const std::string&)>& lab_named,
              Policy& policy) {
    for (const std::string& key : table.keys())
        policy.due[lab_of(table, table.place_of(key.c_str()), key, lab_named)] =
            table.time(key.c_str(), kDue);
}

LateRule read_late(TomlTable table) {
    LateRule rule{table.number("hours", "hours = 24"), table.number("percent", "percent = 10")};
    if (rule.percent > 100)
        table.fail(table.place_of("percent"), "percent is at most 100: all points are lost then.");
    table.refuse_unknown_keys();
    return rule;
}

}  // namespace

Rules parse_rules(std::string_view toml, const std::string& place,
                  const std::function<std::string(const std::string&)>& lab_named) {
    const toml::table parsed = parse_toml(toml, place);
    TomlTable table(parsed, place, "");
    Rules rules;
    if (const auto which = table.text_if_there("attempts", "attempts = \"best\"")) {
        if (*which != "best" && *which != "last")
            table.fail(table.place_of("attempts"),
                       fmt::format("attempts is \"best\" or \"last\", not \"{}\".", *which));
        rules.policy.which = *which == "last" ? WhichAttempt::last : WhichAttempt::best;
    }
    if (const auto times = table.text_if_there("times", "times = \"file\"")) {
        if (*times != "file")
            table.fail(table.place_of("times"),
                       fmt::format("times is \"file\" (each file's last change) or is left out, "
                                   "not \"{}\".",
                                   *times));
        rules.takes_file_times = true;
    }
    if (table.has("grace_minutes"))
        rules.policy.grace_minutes = table.number("grace_minutes", "grace_minutes = 10");
    if (auto due = table.table("due", "[due]")) read_due(*due, lab_named, rules.policy);
    for (TomlTable& late : table.tables("late", "[[late]]"))
        rules.policy.late.push_back(read_late(late));
    std::ranges::sort(rules.policy.late, {}, &LateRule::hours);
    for (TomlTable& extension : table.tables("extension", "[[extension]]")) {
        const std::string student = extension.text("student", "student = \"ada\"");
        const std::string word = extension.text("lab", "lab = \"02\"");
        rules.policy
            .extensions[student][lab_of(extension, extension.place_of("lab"), word, lab_named)] =
            extension.time("due", "due = 2026-11-27T23:59:00+01:00");
        extension.refuse_unknown_keys();
    }
    for (TomlTable& group : table.tables("group", "[[group]]")) {
        const std::string name = group.text("name", "name = \"team 1\"");
        for (const std::string& student : group.texts("students", "students = [\"ada\", \"eva\"]"))
            rules.groups[student] = name;
        group.refuse_unknown_keys();
    }
    table.refuse_unknown_keys();
    return rules;
}

}  // namespace lab
