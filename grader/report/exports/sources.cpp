#include "report/exports/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/csv.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/source_text.h"
#include "base/visible.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"
#include "report/markup/file_name.h"
#include "report/similarity/counted_sources.h"

namespace lab {
namespace {

constexpr const char* kPseudonyms = "pseudonyms.csv";

/// A group has one pseudonym.
std::string author_key(const Student& student) {
    return student.group.empty() ? "student\n" + student.id : "group\n" + student.group;
}

class Pseudonyms {
public:
    Pseudonyms(const std::vector<Student>& authors, const std::string& secret) {
        std::set<std::pair<std::string, std::string>> by_hash;
        for (const Student& student : authors) {
            const std::string key = author_key(student);
            by_hash.emplace(sha256(secret + "\n" + key), key);
        }
        for (const auto& [hash, key] : by_hash) {
            const std::size_t number = names_.size() + 1;
            names_[key] = fmt::format("s{:03}", number);
        }
    }
    const std::string& of(const Student& student) const { return names_.at(author_key(student)); }
    bool has(const Student& student) const { return names_.contains(author_key(student)); }

private:
    std::map<std::string, std::string> names_;
};

std::string pseudonyms_csv(const Pseudonyms& pseudonyms, const Grades& grades) {
    const auto cell = [](std::string_view text) { return csv_text_cell(visible_word(text)); };
    std::set<std::vector<std::string>> rows;
    for (const LabGrade& grade : grades.grades) {
        const Student& student = grade.student;
        if (pseudonyms.has(student))
            rows.insert({pseudonyms.of(student), cell(student.id), cell(student.name),
                         cell(student.email), cell(student.group)});
    }
    std::string csv = "\xEF\xBB\xBF" + csv_row({"pseudonym", "student", "name", "email", "group"});
    for (const auto& row : rows) csv += csv_row(row);
    return csv;
}

/// An earlier export's folder: what is gone from the class, or has another number now, must not
/// stay in it.
void remove_earlier(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return;
    if (!fs::exists(folder / kPseudonyms, error) && !fs::is_empty(folder, error))
        throw own_fault(
            fmt::format("{} is there, and is no earlier export. Move it away.", folder.string()));
    fs::remove_all(folder, error);
    if (error)
        throw own_fault(
            fmt::format("{} could not be removed: {}.", folder.string(), error.message()));
}

}  // namespace

std::string anonymous_cpp(std::string_view source) {
    std::string text;
    for (const char c : source) text += c == '\n' ? '\n' : ' ';
    for (const SourceToken& token : source_tokens(source)) {
        std::string shown(token.text);
        if (shown.size() > 1 && (shown.front() == '"' || shown.front() == '\'')) {
            for (std::size_t i = 1; i + 1 < shown.size(); ++i)
                if (shown[i] != '\n') shown[i] = ' ';
            if (shown.back() != shown.front() && shown.back() != '\n') shown.back() = ' ';
        } else if (shown == "<<<") {
            shown = "<< ";
        } else if (shown == ">>>") {
            shown = " >>";
        }
        std::ranges::copy(shown, text.begin() + static_cast<std::ptrdiff_t>(token.begin));
    }
    return text;
}

std::vector<std::string> write_sources(const Project& project, const Grades& grades,
                                       const std::string& secret,
                                       const std::filesystem::path& folder) {
    remove_earlier(folder);
    std::vector<Student> authors;
    for (const std::string& lab : grades.labs)
        for (const CountedSource& source : counted_sources(grades, lab))
            authors.push_back(source.student());
    const Pseudonyms pseudonyms(authors, secret);
    // First, so that a folder with names in order is known as ours whatever comes.
    write_atomically(folder / kPseudonyms, pseudonyms_csv(pseudonyms, grades));
    for (const std::string& name : grades.labs) {
        const Lab lab = read_lab(project, name);
        const fs::path place = folder / file_name_of(name);
        const std::string file = lab.topic + ".cpp";
        write_atomically(place / "base" / file, anonymous_cpp(skeleton_of(project, lab)));
        for (const CountedSource& source : counted_sources(grades, name))
            write_atomically(place / pseudonyms.of(source.student()) / file,
                             anonymous_cpp(source.text));
    }
    return {
        "pseudonyms.csv says who is who: keep it to yourself. Comments are left out, but names "
        "within the code are not."};
}

}  // namespace lab
