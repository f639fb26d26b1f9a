#include "batch/intake/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/csv.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/nearest.h"
#include "batch/intake/encoding.h"
#include "batch/intake/handed_in.h"
#include "batch/intake/layout.h"
#include "batch/intake/roster.h"
#include "batch/intake/rules.h"
#include "batch/intake/source_tree.h"
#include "batch/intake/times.h"
#include "core/course/lab.h"
#include "core/course/submission.h"

namespace lab {
namespace {

/// A name for a folder that is the student's alone, whatever the id holds.
std::string folder_name(const std::string& id) {
    std::string name;
    for (const char c : id)
        name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
    return name == id && name.size() < 60 ? name
                                          : name.substr(0, 40) + "-" + sha256(id).substr(0, 8);
}

class Intake {
public:
    Intake(const Project& project, const IntakeRequest& request)
        : request_(request), tree_(read_tree(request.folder_or_archive)) {
        strip_common_folder(tree_);
        class_.notes = tree_.notes;
        all_labs_ = list_labs(project);
        for (const std::string& name : request.labs.empty() ? all_labs_ : request.labs)
            labs_.push_back(read_lab(project, name));
    }

    Class take() {
        read_roster();
        read_rules();
        read_files();
        read_times();
        for (auto& [id, student] : students_) class_.students.push_back(std::move(student));
        return std::move(class_);
    }

private:
    /// Where a table comes from, and its text; nothing: there is none.
    struct Text {
        std::string place, content;
    };

    std::optional<Text> text_of(const fs::path& given, const std::vector<std::string>& names) {
        if (!given.empty()) {
            const auto content = read_file_if_there(given);
            if (!content) throw usage_failure(fmt::format("Cannot read {}.", given.string()));
            return Text{given.string(), *content};
        }
        for (const std::string& name : names) {
            const auto found = std::ranges::find(tree_.files, name, &SourceFile::path);
            if (found != tree_.files.end() && found->is_read)
                return Text{(request_.folder_or_archive / name).string(), found->content};
        }
        return std::nullopt;
    }

    void read_roster() {
        if (const auto text = text_of(request_.roster, {"roster.csv", "classroom_roster.csv"}))
            roster_ = Roster(read_csv(text->content, text->place), text->place);
        for (const Student& student : roster_.students()) students_[student.id] = student;
    }

    void read_rules() {
        const auto text = text_of(request_.rules, {"class.toml"});
        if (!text) return;
        try {
            rules_ = parse_rules(text->content, text->place, [&](const std::string& word) {
                return find_lab(all_labs_, word);
            });
        } catch (const Failure& failure) {
            throw usage_failure(failure.what());  // the instructor's file, not the course's
        }
        class_.policy = rules_.policy;
        class_.policy.extensions.clear();
        for (const auto& [word, due] : rules_.policy.extensions)
            class_.policy.extensions[student_named(word, text->place)] = due;
        for (const auto& [word, group] : rules_.groups)
            if (const auto id = roster_.find(word)) students_[*id].group = group;
    }

    std::string student_named(const std::string& word, const std::string& place) {
        if (!roster_.is_there()) return word;
        if (const auto id = roster_.find(word)) return *id;
        std::vector<std::string> ids;
        for (const Student& student : roster_.students()) ids.push_back(student.id);
        throw usage_failure(fmt::format("{}: the roster has no student \"{}\".{}", place, word,
                                        did_you_mean(word, ids)));
    }

    std::string student_of(const Owner& owner) {
        if (const auto known = roster_.find(owner)) return *known;
        Student& student = students_[owner.id];
        if (student.id.empty()) {
            student = {owner.id, owner.name, owner.email, "", ""};
            if (const auto group = rules_.groups.find(owner.id); group != rules_.groups.end())
                student.group = group->second;
            if (roster_.is_there())
                class_.notes.push_back(
                    fmt::format("The roster has no \"{}\"{}, who handed in {}.", owner.id,
                                owner.name.empty() ? "" : " (" + owner.name + ")", owner.rest));
        }
        return student.id;
    }

    void read_files() {
        const Layout layout = layout_of(tree_);
        std::map<std::pair<std::string, std::string>, HandedIn> all;  ///< by student and attempt
        for (const SourceFile& file : tree_.files)
            for (const Owner& owner : layout.owners(file)) {
                const std::string student = student_of(owner);
                if (!owner.group.empty()) students_[student].group = owner.group;
                HandedIn& handed_in = all[{student, owner.attempt}];
                if (handed_in.files.empty()) handed_in.owner = owner;
                handed_in.files.push_back(&file);
                handed_in.rests.push_back(owner.rest);
            }
        if (all.empty())
            throw usage_failure(fmt::format(
                "Nothing in {} is a student's: it should hold one folder or archive a student, or "
                "an export of Moodle, Canvas, Gradescope or GitHub Classroom.",
                request_.folder_or_archive.string()));
        for (const auto& [key, handed_in] : all) add_attempts(key.first, handed_in);
    }

    void add_attempts(const std::string& student, const HandedIn& handed_in) {
        const std::vector<FoundFile> found = files_of_labs(handed_in, labs_);
        const std::vector<std::string> extras = extras_of(handed_in, found);
        if (found.empty()) {
            std::string names;
            for (const std::string& name : extras) names += (names.empty() ? "" : ", ") + name;
            class_.notes.push_back(
                fmt::format("{} handed in no file of a lab, but: {}", student, names));
        }
        for (const FoundFile& one : found) {
            Attempt attempt;
            attempt.student = student;
            attempt.lab = one.lab;
            attempt.extras = extras;
            attempt.submitted = handed_in.owner.time;
            if (one.file != nullptr) {
                attempt.from = one.file->path;
                if (!attempt.submitted && rules_.takes_file_times)
                    attempt.submitted = one.file->time;
                keep_file(*one.file, attempt);
            } else {
                attempt.problem = one.problem;
            }
            if (!one.note.empty()) class_.notes.push_back(one.note);
            class_.attempts.push_back(std::move(attempt));
        }
    }

    /// By content: a later intake overwrites nothing of an earlier one.
    void keep_file(const SourceFile& file, Attempt& attempt) {
        const auto lab = std::ranges::find(labs_, attempt.lab, &Lab::name);
        const std::string name = lab->topic + ".cu";
        if (!file.problem.empty()) {
            attempt.problem = fmt::format("{} cannot be read: {}.", file.path, file.problem);
            return;
        }
        const auto from_other = decoded(file.content);
        const std::string& content = from_other ? from_other->text : file.content;
        if (from_other)
            class_.notes.push_back(
                fmt::format("{}'s {} is in {}; graded after conversion to UTF-8.", attempt.student,
                            name, from_other->encoding));
        attempt.sha256 = sha256(content);
        attempt.file = request_.store / folder_name(attempt.student) / attempt.lab /
                       attempt.sha256.substr(0, 12) / name;
        write_atomically(attempt.file, content);
        try {
            if (content.size() > kSubmissionLimitBytes)
                throw usage_failure(name +
                                    " is larger than 1 MiB. A submission is one source file.");
            check_text(content, name);
        } catch (const Failure& failure) {
            attempt.problem = failure.what();
        }
    }

    void read_times() {
        const auto text = text_of(request_.times, {"times.csv"});
        if (!text) return;
        const CsvTable table = read_csv(text->content, text->place);
        const auto student = table.column({"student", "id", "email", "username"}),
                   time = table.column({"time", "submitted", "date"}),
                   lab = table.column({"lab", "assignment"}), attempt = table.column({"attempt"});
        if (!student || !time)
            throw usage_failure(fmt::format(
                "{}:1: the table needs the columns student and time; lab and attempt if there are "
                "several.",
                text->place));
        for (const CsvTable::Row& row : table.rows) {
            const auto when = parse_date(row.cells[*time]);
            if (!when)
                throw usage_failure(fmt::format(
                    "{}:{}: \"{}\" is no time with its offset from UTC. Write, for example: "
                    "2026-11-20T23:59:00+01:00",
                    text->place, row.line, row.cells[*time]));
            set_time(
                student_named(row.cells[*student], fmt::format("{}:{}", text->place, row.line)),
                lab ? find_lab(all_labs_, row.cells[*lab]) : "", attempt ? row.cells[*attempt] : "",
                *when);
        }
    }

    /// Attempts stand in their order already; "" means all.
    void set_time(const std::string& student, const std::string& lab, const std::string& number,
                  Time when) {
        int count = 0;
        std::string before;
        for (Attempt& attempt : class_.attempts) {
            if (attempt.student != student || (!lab.empty() && attempt.lab != lab)) continue;
            count = attempt.lab == before ? count + 1 : 1;
            before = attempt.lab;
            if (number.empty() || number == std::to_string(count)) attempt.submitted = when;
        }
    }

    const IntakeRequest& request_;
    SourceTree tree_;
    std::vector<std::string> all_labs_;
    std::vector<Lab> labs_;
    Roster roster_;
    Rules rules_;
    std::map<std::string, Student> students_;
    Class class_;
};

}  // namespace

Class take_in(const Project& project, const IntakeRequest& request) {
    return Intake(project, request).take();
}

}  // namespace lab
