#include "batch/intake/roster.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failure.h"

namespace lab {
namespace {

constexpr std::size_t kTwo = static_cast<std::size_t>(-1);

/// In lower case, with single blanks: tables and file names differ in both.
std::string plain(const std::string& name) {
    std::string text;
    for (const char c : name) {
        const bool is_blank = c == ' ' || c == '\t' || c == '\n';
        if (is_blank && (text.empty() || text.back() == ' ')) continue;
        text += is_blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

/// "lovelaceada" for "Lovelace, Ada": as Canvas names files.
std::string without_blanks(const std::string& name) {
    std::string text = plain(name);
    std::erase_if(text, [](char c) { return c == ' ' || c == ',' || c == '-' || c == '\''; });
    return text;
}

using Names = std::vector<std::string>;
const Names kId = {"id",      "student id",           "id number", "sid",
                   "user id", "matriculation number", "identifier"};
const Names kUser = {"username",    "user name",       "login id",        "sis login id",
                     "sis user id", "github_username", "github username", "login"};
const Names kName = {"name", "full name", "student name", "student"};
const Names kFirst = {"first name", "firstname", "given name"};
const Names kLast = {"last name", "lastname", "surname", "family name"};
const Names kEmail = {"email", "email address", "e-mail", "e-mail address", "mail"};

}  // namespace

Roster::Roster(const CsvTable& table, const std::string& place) : is_there_(true) {
    const auto id = table.column(kId), user = table.column(kUser), name = table.column(kName),
               first = table.column(kFirst), last = table.column(kLast),
               email = table.column(kEmail), group = table.column({"group", "team"}),
               section = table.column({"section", "class"});
    if (!id && !user && !email && !name)
        throw usage_failure(fmt::format(
            "{}:1: no column says who the students are. Begin the table with a row of names, for "
            "example: id,name,email,group,section",
            place));
    for (const CsvTable::Row& row : table.rows) {
        const auto cell = [&](std::optional<std::size_t> column) {
            return column ? row.cells[*column] : std::string();
        };
        Student student;
        student.name = name                         ? cell(name)
                       : plain(cell(first)).empty() ? cell(last)
                                                    : cell(first) + " " + cell(last);
        student.email = cell(email);
        student.group = cell(group);
        student.section = cell(section);
        for (const std::string& word : {cell(id), cell(user), student.email, student.name})
            if (student.id.empty()) student.id = word;
        if (student.id.empty()) continue;  // Canvas has rows of totals
        if (std::ranges::find(students_, student.id, &Student::id) != students_.end())
            throw usage_failure(fmt::format(
                "{}:{}: \"{}\" stands there twice. Each student needs an id of their own.", place,
                row.line, student.id));
        students_.push_back(student);
        for (const std::string& word :
             {student.id, cell(user), student.email, student.name,
              cell(table.column({"sis user id"})), cell(last) + " " + cell(first),
              without_blanks(student.name), without_blanks(cell(last) + cell(first))})
            add_name(word, students_.size() - 1);
    }
}

void Roster::add_name(const std::string& name, std::size_t student) {
    const std::string word = plain(name);
    if (word.empty()) return;
    const auto [found, is_new] = by_name_.emplace(word, student);
    if (!is_new && found->second != student) found->second = kTwo;
}

std::optional<std::string> Roster::find(const std::string& word) const {
    const auto found = by_name_.find(plain(word));
    if (found == by_name_.end() || found->second == kTwo) return std::nullopt;
    return students_[found->second].id;
}

std::optional<std::string> Roster::find(const Owner& owner) const {
    for (const std::string& word : {owner.id, owner.email, owner.name}) {
        if (word.empty()) continue;
        if (auto found = find(word)) return found;
    }
    // ada@example.org may be "ada" here.
    if (const auto at = owner.id.find('@'); at != std::string::npos)
        return find(owner.id.substr(0, at));
    return std::nullopt;
}

}  // namespace lab
