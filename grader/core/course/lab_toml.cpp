// Reads lab.toml. Reports every mistake with its line and column; a misspelt key is an error, too,
// since ignoring it would silently use a default.

#include <fmt/format.h>

#include "base/failure.h"
#include "base/files.h"
#include "core/course/lab.h"
#include "core/course/toml_table.h"

namespace lab {
namespace {

Limits read_limits(TomlTable table) {
    Limits limits;
    limits.total_s = static_cast<int>(table.positive_or("total_s", "total_s = 60", limits.total_s));
    limits.call_s = static_cast<int>(table.positive_or("call_s", "call_s = 10", limits.call_s));
    limits.vgpu_warp_instructions =
        table.positive_or("vgpu_warp_instructions", "vgpu_warp_instructions = 200000000",
                          limits.vgpu_warp_instructions);
    table.refuse_unknown_keys();
    return limits;
}

Hint read_hint(TomlTable table) {
    Hint hint;
    hint.task = static_cast<int>(table.positive("task", "task = 1"));
    hint.text = table.text("text", "text = \"Which block is this thread in?\"");
    table.refuse_unknown_keys();
    return hint;
}

}  // namespace

Lab parse_lab(std::string_view toml, const std::string& name, const std::string& place) {
    const toml::table parsed = parse_toml(toml, place);
    TomlTable table(parsed, place, "");
    Lab lab;
    lab.name = name;
    lab.title = table.text("title", "title = \"Vector add\"");
    lab.topic = table.text("topic", "topic = \"vector_add\"");
    lab.minutes = static_cast<int>(table.positive("minutes", "minutes = 45"));
    lab.needs = table.texts("needs", "needs = [\"01-thread-indexing\"]");
    lab.first_step = table.text("first_step", "first_step = \"Open ... at TODO(1/3): ...\"");
    lab.warm_up = table.flag_or("warm_up", "warm_up = true", false);
    lab.whole = table.flag_or("whole", "whole = true", lab.warm_up);
    lab.needs_assembler = table.flag_or("needs_assembler", "needs_assembler = true", false);
    if (auto limits = table.table("limits", "[limits]")) lab.limits = read_limits(*limits);
    if (auto bench = table.table("bench", "[bench]")) {
        lab.bench_names = bench->texts("others", "others = [\"also-right/blocks-of-128\"]");
        bench->refuse_unknown_keys();
    }
    for (TomlTable& hint : table.tables("hint", "[[hint]]")) lab.hints.push_back(read_hint(hint));
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
