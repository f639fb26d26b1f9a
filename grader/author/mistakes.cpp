#include "author/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/failure.h"
#include "base/files.h"
#include "base/nearest.h"
#include "base/source_text.h"
#include "core/course/skeleton.h"
#include "core/course/toml_table.h"

namespace lab {
namespace {

constexpr const char* kWhyExample = "why = \"No guard: threads without an element store as well.\"";
constexpr const char* kDiffExample = "diff = '''\n-    if (i < n) c[i] = 1;\n+    c[i] = 1;\n'''";
constexpr const char* kSaysExample = "vgpu = {\"NAME OF A TEST\" = \"words of its message\"}";

/// Text over several lines reads like one line.
std::string one_line(std::string_view text) {
    std::string result;
    for (const std::string& line : source_lines(text)) {
        const auto begin = line.find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        if (!result.empty()) result += ' ';
        result += line.substr(begin, line.find_last_not_of(' ') - begin + 1);
    }
    return result;
}

/// The edits of a diff; `line` is where its first line stands.
std::vector<Edit> read_diff(const TomlTable& table, const std::string& diff) {
    const toml::source_region& place = table.place_of("diff");
    const auto fail = [&](int line, const std::string& message) {
        toml::source_region at = place;
        at.begin = {static_cast<toml::source_index>(line), 1};
        table.fail(at, message);
    };
    // The line of the opening quotes holds nothing.
    int number = static_cast<int>(place.begin.line);
    std::vector<Edit> edits(1);
    for (const std::string& line : source_lines(diff)) {
        ++number;
        if (line.starts_with("@@")) {
            edits.emplace_back();
            continue;
        }
        const char sign = line.empty() ? ' ' : line.front();
        if (sign != ' ' && sign != '-' && sign != '+')
            fail(number,
                 "a line of a diff begins with '-', '+' or a space; \"@@\" alone ends an "
                 "edit.");
        if (edits.back().lines.empty()) edits.back().line = number;
        edits.back().lines.push_back({sign, line.empty() ? "" : line.substr(1)});
    }
    for (const Edit& edit : edits) {
        const auto count = [&](char sign) {
            return static_cast<std::size_t>(std::ranges::count(edit.lines, sign, &EditLine::sign));
        };
        const int at = edit.lines.empty() ? number : edit.line;
        if (count('-') + count('+') == 0) fail(at, "this edit changes nothing.");
        if (count('-') + count(' ') == 0)
            fail(at,
                 "this edit only adds lines. Add the line before them, with a space in front, "
                 "to say where they go.");
        if (count('-') > kMostLinesOfEdit || count('+') > kMostLinesOfEdit)
            fail(at,
                 fmt::format("this edit takes {} lines out and puts {} in; {} is the most. Move "
                             "the whole program to wrong/ instead.",
                             count('-'), count('+'), kMostLinesOfEdit));
    }
    if (edits.size() > kMostEdits)
        fail(edits[kMostEdits].line,
             fmt::format("{} edits; {} is the most. Move the whole program to wrong/ instead.",
                         edits.size(), kMostEdits));
    return edits;
}

/// Adds what key says of one device or of both: a table of tests and words, or a text.
void read_device(TomlTable& table, const char* key, const std::vector<DeviceKind>& devices,
                 bool with_sanitizer, std::vector<Expectation>& all) {
    for (const auto& [test, words] : table.named_texts(key, kSaysExample)) {
        for (const DeviceKind device : devices) {
            Expectation expectation;
            expectation.device = device;
            expectation.needs_sanitizer = with_sanitizer;
            expectation.test = test;
            expectation.words = words;
            all.push_back(std::move(expectation));
        }
    }
}

/// "nothing" and "needs sanitizer" stand for a table.
bool read_word(TomlTable& table, const char* key, DeviceKind device,
               std::vector<Expectation>& all) {
    Expectation expectation;
    expectation.device = device;
    const auto word = table.word(key);
    if (!word) return false;
    expectation.shows_nothing = *word == "nothing";
    expectation.needs_sanitizer = *word == "needs sanitizer";
    if (!expectation.shows_nothing && !expectation.needs_sanitizer)
        table.fail(
            table.place_of(key),
            fmt::format("\"{}\" must be \"nothing\", \"needs sanitizer\", or tests with words "
                        "of their messages, for example: {}",
                        key, kSaysExample));
    all.push_back(std::move(expectation));
    return true;
}

std::vector<Expectation> read_says(TomlTable& table) {
    std::vector<Expectation> all;
    const auto both = {DeviceKind::vgpu, DeviceKind::gpu};
    if (table.has("both")) read_device(table, "both", both, false, all);
    for (const DeviceKind device : both) {
        const char* key = device == DeviceKind::gpu ? "gpu" : "vgpu";
        if (table.has(key) && !read_word(table, key, device, all))
            read_device(table, key, {device}, false, all);
    }
    if (table.has("gpu_with_sanitizer"))
        read_device(table, "gpu_with_sanitizer", {DeviceKind::gpu}, true, all);
    for (const DeviceKind device : both) {
        if (std::ranges::any_of(all, [&](const auto& e) { return e.device == device; })) continue;
        table.fail(table.place(), fmt::format("nothing says what must happen on {} in {}. Write "
                                              "\"vgpu\" and \"gpu\", or \"both\", for example: {}",
                                              to_string(device), table.name(), kSaysExample));
    }
    if (table.has("never")) {
        for (const std::string& words : table.texts("never", "never = [\"words of no message\"]")) {
            Expectation expectation;
            expectation.never = true;
            expectation.words = words;
            all.push_back(std::move(expectation));
        }
    }
    return all;
}

std::string range_of(std::size_t from, std::size_t count) {
    return count == 1 ? fmt::format("line {}", from + 1)
                      : fmt::format("lines {} to {}", from + 1, from + count);
}

/// The lines that must stand in the base.
std::vector<std::string> old_lines(const Edit& edit) {
    std::vector<std::string> lines;
    for (const EditLine& line : edit.lines)
        if (line.sign != '+') lines.push_back(line.text);
    return lines;
}

/// How many of the first `wanted` lines stand at `at`.
std::size_t matching(const std::vector<std::string>& base, std::size_t at,
                     const std::vector<std::string>& wanted) {
    std::size_t count = 0;
    while (count < wanted.size() && at + count < base.size() && base[at + count] == wanted[count])
        ++count;
    return count;
}

/// Why an edit has no place: where it comes closest.
std::string nearest_place(const std::vector<std::string>& base,
                          const std::vector<std::string>& wanted) {
    std::size_t best = 0, best_at = 0;
    for (std::size_t at = 0; at < base.size(); ++at) {
        const std::size_t count = matching(base, at, wanted);
        if (count > best) std::tie(best, best_at) = std::pair(count, at);
    }
    const std::string expected = "\n  expected  " + wanted[best] + "\n";
    if (best == 0) return expected + "  got       no such line";
    const std::size_t at = best_at + best;
    return expected + (at < base.size() ? fmt::format("  line {:<4} {}", at + 1, base[at])
                                        : std::string("  got       the file's end"));
}

/// Where an edit's lines begin in the base.
std::size_t place_of(const Edit& edit, const std::vector<std::string>& base,
                     const std::string& base_place, const std::string& entry) {
    const std::vector<std::string> wanted = old_lines(edit);
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at + wanted.size() <= base.size(); ++at)
        if (matching(base, at, wanted) == wanted.size()) places.push_back(at);
    if (places.size() == 1) return places.front();
    if (places.empty())
        throw own_fault(
            fmt::format("{}: these lines do not stand in {}.{}\n  Copy them from there, "
                        "spaces and comments included.",
                        entry, base_place, nearest_place(base, wanted)));
    throw own_fault(
        fmt::format("{}: these lines stand in {} {} times, at {} and at {}. Add lines "
                    "around them, with a space in front, until they stand there once.",
                    entry, base_place, places.size(), range_of(places[0], wanted.size()),
                    range_of(places[1], wanted.size())));
}

}  // namespace

std::vector<Mistake> parse_mistakes(std::string_view toml, const std::string& place) {
    const toml::table parsed = parse_toml(toml, place);
    std::vector<Mistake> mistakes;
    std::string second_base;
    for (const auto& [key, node] : parsed) {
        const std::string name(key.str());
        if (!node.is_table())
            TomlTable(parsed, place, "")
                .fail(key.source(),
                      fmt::format("\"{}\" stands before the first entry. An entry begins "
                                  "with its name: [no-guard]",
                                  name));
        TomlTable table(*node.as_table(), place, "[" + name + "]");
        Mistake mistake;
        mistake.name = name;
        mistake.line = static_cast<int>(key.source().begin.line);
        mistake.why = one_line(table.text("why", kWhyExample));
        mistake.base = table.text_if_there("base", "base = \"also-right/plain\"").value_or("");
        if (table.has("base") && !mistake.base.starts_with("also-right/"))
            table.fail(
                table.place_of("base"),
                "\"base\" must be a file of also-right/, without \".cu\"; with no base it is "
                "the solution.");
        mistake.edits = read_diff(table, table.text("diff", kDiffExample));
        mistake.expectations = read_says(table);
        table.refuse_unknown_keys();
        mistakes.push_back(std::move(mistake));
    }
    std::ranges::sort(mistakes, {}, &Mistake::line);
    std::set<std::string> bases;
    for (const Mistake& mistake : mistakes) {
        if (!mistake.base.empty()) bases.insert(mistake.base);
        if (bases.size() > 1)
            throw own_fault(
                fmt::format("{}:{}: [{}] has the base \"{}\", others have \"{}\". Beside "
                            "the solution a lab has one.",
                            place, mistake.line, mistake.name, mistake.base,
                            *bases.begin() == mistake.base ? *bases.rbegin() : *bases.begin()));
    }
    return mistakes;
}

fs::path mistakes_file(const Lab& lab) {
    return lab.solution().parent_path() / "mistakes.toml";
}

std::vector<Mistake> mistakes_of(const Project& project, const Lab& lab) {
    const fs::path file = mistakes_file(lab);
    const auto text = read_file_if_there(project.root / file);
    if (!text) return {};
    std::vector<Mistake> mistakes = parse_mistakes(*text, file.string());
    for (const Mistake& mistake : mistakes) {
        const fs::path whole = file.parent_path() / "wrong" / (mistake.name + ".cu");
        if (fs::exists(project.root / whole))
            throw own_fault(fmt::format("{}:{}: [{}] is also {}. Rename one of them.",
                                        file.string(), mistake.line, mistake.name, whole.string()));
    }
    return mistakes;
}

MistakeBase read_base(const Project& project, const Lab& lab, const std::string& base) {
    if (base.empty())
        return {lab.solution().string(), without_markers(read_file(project.root / lab.solution()))};
    const fs::path folder = lab.solution().parent_path();
    const fs::path file = folder / (base + ".cu");
    if (const auto text = read_file_if_there(project.root / file)) return {file.string(), *text};
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(project.root / folder / "also-right", none))
        names.push_back("also-right/" + entry.path().stem().string());
    throw own_fault(fmt::format("There is no {}.{}", file.string(), did_you_mean(base, names)));
}

std::string apply_edits(const Mistake& mistake, const MistakeBase& base, const std::string& place) {
    const std::vector<std::string> lines = source_lines(base.text);
    std::vector<std::string> added(lines.size() + 1);  // before each line
    std::vector<const Edit*> added_by(lines.size() + 1);
    std::vector<bool> gone(lines.size());
    for (const Edit& edit : mistake.edits) {
        const std::string entry = fmt::format("{}:{}: [{}]", place, edit.line, mistake.name);
        std::size_t at = place_of(edit, lines, base.place, entry);
        const auto once = [&](bool is_changed) {
            if (is_changed)
                throw own_fault(
                    fmt::format("{}: line {} of {} is changed by two edits. Make one "
                                "of them.",
                                entry, at + 1, base.place));
        };
        for (const EditLine& line : edit.lines) {
            if (line.sign == '+') {
                once(added_by[at] != nullptr && added_by[at] != &edit);
                added_by[at] = &edit;
                added[at] += line.text + "\n";
                continue;
            }
            if (line.sign == '-') {
                once(gone[at]);
                gone[at] = true;
            }
            ++at;
        }
    }
    std::string program;
    for (std::size_t i = 0; i <= lines.size(); ++i) {
        program += added[i];
        if (i < lines.size() && !gone[i]) program += lines[i] + "\n";
    }
    return program;
}

std::string program_of(const Project& project, const Lab& lab, const Mistake& mistake) {
    return apply_edits(mistake, read_base(project, lab, mistake.base), mistakes_file(lab).string());
}

}  // namespace lab
