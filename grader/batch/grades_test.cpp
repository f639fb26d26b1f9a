#include "batch/grades.h"

#include <catch2/catch_all.hpp>

#include "base/files.h"
#include "batch/class_json.h"
#include "batch/job.h"
#include "batch/queue.h"
#include "batch/store.h"
#include "batch/test_support.h"

using namespace lab;

namespace {

constexpr const char* kLab = "02-vector-add";

Attempt handed_in_at(const std::string& student, const std::string& sha, const char* time) {
    Attempt attempt = handed_in(student, sha);
    attempt.submitted = parse_time(time);
    return attempt;
}

void graded(Store& store, const std::string& sha, double first, double second,
            const std::string& version = "v1") {
    store.add({job_key(sha, version),
               kLab,
               sha,
               version,
               "2026-11-20T12:00:00Z",
               true,
               first + second,
               10,
               {{"adds", "correctness", 6, first, first == 6 ? Verdict::pass : Verdict::fail, ""},
                {"is fast", "speed", 4, second, Verdict::pass, ""}}});
}

struct Filled {
    TemporaryFolder folder;
    Store store{folder.path()};
    Class all;
    Filled() {
        all.students = {{"ada", "Ada", "", "", ""},
                        {"eva", "Eva", "", "team", ""},
                        {"ida", "Ida", "", "team", ""},
                        {"kay", "Kay", "", "", ""}};
        store.use_version(kLab, "v1");
    }
    const LabGrade grade(const std::string& student) {
        store.remember(all);
        for (const LabGrade& one : grades_of(store).grades)
            if (one.student.id == student) return one;
        FAIL("no grade of " << student);
        return {};
    }
};

}  // namespace

TEST_CASE("grades: the best attempt counts, or the last, after lateness") {
    Filled filled;
    filled.all.policy.due[kLab] = parse_time("2026-11-20T12:00:00Z");
    filled.all.policy.late = {{0, 50}};
    filled.all.attempts = {handed_in_at("ada", "a", "2026-11-20T10:00:00Z"),
                           handed_in_at("ada", "b", "2026-11-20T13:00:00Z")};
    graded(filled.store, "a", 6, 0);
    graded(filled.store, "b", 6, 4);
    const LabGrade best = filled.grade("ada");
    REQUIRE(best.counts == 0u);
    CHECK(best.points == 6);
    CHECK(best.max_points == 10);
    CHECK(best.attempts[1].deducted == 5);
    CHECK(best.attempts[1].late_hours == 1);
    filled.all.policy.which = WhichAttempt::last;
    const LabGrade last = filled.grade("ada");
    CHECK(last.counts == 1u);
    CHECK(last.points == 5);
}

TEST_CASE("grades: one that handed in nothing has no attempt, and the lab's points to lose") {
    Filled filled;
    filled.all.attempts = {handed_in("ada", "a")};
    graded(filled.store, "a", 6, 4);
    const LabGrade none = filled.grade("kay");
    CHECK_FALSE(none.counts.has_value());
    CHECK(none.points == 0);
    CHECK(none.max_points == 10);
}

TEST_CASE("grades: members of a group share what one of them handed in") {
    Filled filled;
    filled.all.attempts = {handed_in("eva", "a")};
    graded(filled.store, "a", 6, 4);
    CHECK(filled.grade("ida").points == 10);
    CHECK(filled.grade("kay").points == 0);
}

TEST_CASE("grades: what is not graded says why") {
    Filled filled;
    Attempt bad = handed_in("ada", "a");
    bad.problem = "vector_add.cu is empty.";
    filled.all.attempts = {bad, handed_in("eva", "b"), handed_in("kay", "c")};
    for (int i = 0; i < kMostTries; ++i)
        filled.store.add_failure({job_key("b", "v1"), "2026-11-20T12:00:00Z", "killed"});
    const LabGrade not_gradable = filled.grade("ada");
    CHECK(not_gradable.attempts[0].state == AttemptState::not_gradable);
    CHECK(not_gradable.attempts[0].why == "vector_add.cu is empty.");
    CHECK(filled.grade("eva").attempts[0].state == AttemptState::needs_human);
    CHECK(filled.grade("eva").attempts[0].why == "killed");
    CHECK(filled.grade("kay").attempts[0].state == AttemptState::waiting);
}

TEST_CASE("grades: manual points replace a test's, or the lab's, and outlive a regrading") {
    Filled filled;
    filled.all.attempts = {handed_in("ada", "a")};
    graded(filled.store, "a", 0, 4);
    filled.store.add_mark({"ada", kLab, "adds", 5, "a typing error", ""});
    CHECK(filled.grade("ada").points == 9);
    filled.store.use_version(kLab, "v2");
    graded(filled.store, "a", 0, 2, "v2");
    CHECK(filled.grade("ada").points == 7);
    filled.store.add_mark({"ada", kLab, "", 3, "talked about", ""});
    CHECK(filled.grade("ada").points == 3);
    CHECK(filled.grade("ada").marks.size() == 2);
}

TEST_CASE("grades: the difference that a new grader makes, test by test") {
    Filled filled;
    filled.all.attempts = {handed_in("ada", "a"), handed_in("eva", "b")};
    graded(filled.store, "a", 0, 4);
    graded(filled.store, "b", 6, 4);
    filled.store.use_version(kLab, "v2");
    filled.store.remember(filled.all);
    CHECK(grades_of(filled.store).changes.empty());
    CHECK(filled.grade("ada").points == 4);  // until it is graded again
    graded(filled.store, "a", 6, 4, "v2");
    graded(filled.store, "b", 6, 4, "v2");
    const Grades grades = grades_of(filled.store);
    REQUIRE(grades.changes.size() == 1);
    CHECK(grades.changes[0].student == "ada");
    CHECK(grades.changes[0].test == "adds");
    CHECK(grades.changes[0].before == 0);
    CHECK(grades.changes[0].after == 6);
}
