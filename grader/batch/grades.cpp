#include "batch/grades.h"

#include <algorithm>
#include <set>

#include "batch/lateness.h"
#include "batch/queue.h"
#include "batch/store.h"

namespace lab {
namespace {

class Gradebook {
public:
    explicit Gradebook(const Store& store)
        : store_(store),
          class_(store.remembered()),
          failures_(store.failures()),
          marks_(store.marks()) {}

    Grades grades() {
        Grades all;
        std::set<std::string> labs;
        for (const Attempt& attempt : class_.attempts) labs.insert(attempt.lab);
        all.labs.assign(labs.begin(), labs.end());
        all.notes = class_.notes;
        for (const std::string& lab : all.labs) {
            const double most = max_points_of(lab);
            for (const Student& student : class_.students) {
                LabGrade grade = grade_of(student, lab);
                if (grade.max_points == 0) grade.max_points = most;
                all.grades.push_back(std::move(grade));
            }
        }
        std::ranges::stable_sort(all.grades, {}, [](const LabGrade& grade) {
            return std::pair(grade.student.id, grade.lab);
        });
        all.changes = std::move(changes_);
        return all;
    }

private:
    /// What the lab is worth, by any grading of it that built; 0: none did.
    double max_points_of(const std::string& lab) const {
        for (const Attempt& attempt : class_.attempts) {
            if (attempt.lab != lab) continue;
            for (const GradingRecord& record : store_.gradings_of(lab, attempt.sha256))
                if (record.max_points > 0) return record.max_points;
        }
        return 0;
    }

    /// What the student handed in, and the other members of the group.
    std::vector<Attempt> attempts_of(const Student& student, const std::string& lab) const {
        std::vector<Attempt> own;
        for (const Attempt& attempt : class_.attempts)
            if (attempt.lab == lab && shares(student, attempt.student)) own.push_back(attempt);
        return own;
    }

    bool shares(const Student& student, const std::string& other) const {
        if (student.id == other) return true;
        if (student.group.empty()) return false;
        const auto member = std::ranges::find(class_.students, other, &Student::id);
        return member != class_.students.end() && member->group == student.group;
    }

    LabGrade grade_of(const Student& student, const std::string& lab) {
        LabGrade grade;
        grade.student = student;
        grade.lab = lab;
        for (const Attempt& attempt : attempts_of(student, lab))
            grade.attempts.push_back(graded(attempt));
        grade.counts = which_counts(grade.attempts);
        if (grade.counts) {
            const GradedAttempt& counts = grade.attempts[*grade.counts];
            grade.points = counts.points();
            grade.max_points = counts.max_points;
            note_changes(student, counts);
        }
        std::ranges::copy_if(marks_, std::back_inserter(grade.marks), [&](const ManualMark& mark) {
            return mark.student == student.id && mark.lab == lab;
        });
        apply_marks(grade);
        return grade;
    }

    GradedAttempt graded(const Attempt& attempt) const {
        GradedAttempt result;
        result.attempt = attempt;
        const Lateness late = lateness_of(class_.policy, attempt);
        result.late_hours = late.hours;
        if (!attempt.problem.empty()) {
            result.state = AttemptState::not_gradable;
            result.why = attempt.problem;
            return result;
        }
        const auto records = store_.gradings_of(attempt.lab, attempt.sha256);
        if (records.empty()) {
            const auto failed =
                failures_.find(job_key(attempt.sha256, store_.version_of(attempt.lab)));
            if (failed != failures_.end() && failed->second.size() >= kMostTries) {
                result.state = AttemptState::needs_human;
                result.why = failed->second.back().why;
            }
            return result;
        }
        const GradingRecord& record = records.front();
        result.state = AttemptState::graded;
        result.key = record.key;
        result.built = record.built;
        result.earned = record.earned;
        result.max_points = record.max_points;
        result.tests = record.tests;
        result.deducted = record.earned * late.percent / 100;
        return result;
    }

    std::optional<std::size_t> which_counts(const std::vector<GradedAttempt>& attempts) const {
        if (attempts.empty()) return std::nullopt;
        // The last of equal ones: with what the student did last, feedback is of most use.
        std::size_t best = 0;
        for (std::size_t i = 1; i < attempts.size(); ++i)
            if (class_.policy.which == WhichAttempt::last ||
                attempts[i].points() >= attempts[best].points())
                best = i;
        return best;
    }

    static void apply_marks(LabGrade& grade) {
        for (const ManualMark& mark : grade.marks) {
            if (!mark.points) continue;
            if (mark.test.empty()) {
                grade.points = *mark.points;
            } else if (grade.counts) {
                for (const TestSummary& test : grade.attempts[*grade.counts].tests)
                    if (test.name == mark.test) grade.points += *mark.points - test.earned;
            }
        }
    }

    void note_changes(const Student& student, const GradedAttempt& counts) {
        if (counts.state != AttemptState::graded) return;
        const auto records = store_.gradings_of(counts.attempt.lab, counts.attempt.sha256);
        if (records.size() < 2) return;
        const auto& now = records[0].tests;
        const auto& before = records[1].tests;
        for (const TestSummary& test : now) {
            const auto same = std::ranges::find(before, test.name, &TestSummary::name);
            const TestSummary old = same == before.end() ? TestSummary{} : *same;
            if (old.earned != test.earned || old.diagnosis != test.diagnosis)
                changes_.push_back({student.id, counts.attempt.lab, test.name, old.earned,
                                    test.earned, old.diagnosis, test.diagnosis});
        }
        for (const TestSummary& test : before)
            if (std::ranges::find(now, test.name, &TestSummary::name) == now.end())
                changes_.push_back({student.id, counts.attempt.lab, test.name, test.earned, 0,
                                    test.diagnosis, ""});
    }

    const Store& store_;
    Class class_;
    std::map<std::string, std::vector<Failed>> failures_;
    std::vector<ManualMark> marks_;
    std::vector<GradeChange> changes_;
};

}  // namespace

Grades grades_of(const Store& store) {
    Grades grades = Gradebook(store).grades();
    grades.grading = [&store](const std::string& lab, const std::string& key) {
        return store.grading(lab, key);
    };
    return grades;
}

}  // namespace lab
