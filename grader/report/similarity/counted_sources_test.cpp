#include "report/similarity/counted_sources.h"

#include <catch2/catch_test_macros.hpp>

#include "base/files.h"
#include "core/course/submission.h"

using namespace lab;

namespace {

constexpr const char* kLab = "02-vector-add";

class SomeGrades {
public:
    LabGrade& add(const std::string& id, const std::vector<std::string>& texts,
                  const std::string& lab = kLab) {
        LabGrade grade;
        grade.student.id = id;
        grade.lab = lab;
        for (const std::string& text : texts) {
            GradedAttempt one;
            one.attempt.student = id;
            one.attempt.number = static_cast<int>(grade.attempts.size()) + 1;
            one.attempt.file = folder_.path() / (id + std::to_string(one.attempt.number));
            write_atomically(one.attempt.file, text);
            grade.attempts.push_back(one);
        }
        if (!texts.empty()) grade.counts = 0;
        grades.grades.push_back(grade);
        return grades.grades.back();
    }
    std::vector<std::string> found() const {
        std::vector<std::string> all;
        for (const CountedSource& one : counted_sources(grades, kLab))
            all.push_back(one.student().id + ": " + one.text);
        return all;
    }

    Grades grades;

private:
    TemporaryFolder folder_;
};

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("counted_sources: the attempt that counts of each student, of this lab alone") {
    SomeGrades some;
    some.add("ada", {"first", "second"}).counts = 1;
    some.add("ada", {"other"}, "03-addressing-2d");
    some.add("bob", {});
    some.add("eva", {"text"});
    CHECK(some.found() == Found{"ada: second", "eva: text"});
}

TEST_CASE("counted_sources: a group has one submission") {
    SomeGrades some;
    const LabGrade first = some.add("ada", {"ours"});
    some.add("eva", {}).attempts = first.attempts;
    some.grades.grades.back().counts = 0;
    CHECK(some.found() == Found{"ada: ours"});
}

TEST_CASE("counted_sources: what is no text, too long, or gone is left out") {
    SomeGrades some;
    some.add("binary", {std::string("\x7f"
                                    "ELF\0",
                                    5)});
    some.add("empty", {" \n"});
    some.add("latin", {"\xE4"});
    some.add("long", {std::string(kSubmissionLimitBytes + 1, 'x')});
    some.add("gone", {"text"}).attempts[0].attempt.file = "/nowhere/vector_add.cu";
    some.add("right", {"text"});
    CHECK(some.found() == Found{"right: text"});
}
