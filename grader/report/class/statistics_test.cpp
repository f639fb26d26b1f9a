#include "report/class/statistics.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "report/class/test_class.h"

using namespace lab;

TEST_CASE("statistics: points, full marks and open grades") {
    const TestClass one;
    const ClassStatistics all = statistics_of(one.grades());
    CHECK(all.students == 24);
    REQUIRE(all.labs.size() == 2);
    const LabStatistics& lab = all.labs[0];
    CHECK(lab.handed_in == 23);
    CHECK(lab.points.size() == 21);  // without nothing handed in, waiting and needs a human
    CHECK(std::ranges::is_sorted(lab.points));
    CHECK(lab.full_marks == 5);
    CHECK(all.labs[1].handed_in == 2);
}

TEST_CASE("statistics: outcomes of a test add up to those who have it") {
    const TestClass one;
    const ClassStatistics all = statistics_of(one.grades());
    const TestCounts& speed = all.labs[0].tests[5];
    CHECK(speed.name == "launch_vector_add: at least 0.45x the reference");
    CHECK(speed.inconclusive == 1);
    CHECK(speed.fail == 4);    // two of one kind, one that prints, one by time
    CHECK(speed.all() == 18);  // who built; the hostile one's tests have other names
}

TEST_CASE("statistics: one mistake is one, whatever its numbers, the commonest first") {
    const TestClass one;
    const ClassStatistics all = statistics_of(one.grades());
    const auto slow = std::ranges::find_if(all.mistakes, [](const CommonMistake& mistake) {
        return mistake.sentence.starts_with("More memory is moved than needed");
    });
    REQUIRE(slow != all.mistakes.end());
    CHECK(slow->students == std::vector<std::string>{"line\nfeed", "turing"});
    CHECK(std::ranges::is_sorted(
        all.mistakes, std::ranges::greater(),
        [](const CommonMistake& mistake) { return mistake.students.size(); }));
    CHECK(std::ranges::count(all.mistakes, "Does not build: expected a \";\"",
                             &CommonMistake::sentence) == 1);
}

TEST_CASE("statistics: what waits for somebody") {
    const TestClass one;
    const ClassStatistics all = statistics_of(one.grades());
    REQUIRE(all.needs_human.size() == 1);
    CHECK(all.needs_human[0].student == "gray");
    CHECK(all.needs_human[0].why ==
          "The checker was killed three times (out of memory on this machine).");
    REQUIRE(all.waiting.size() == 1);
    CHECK(all.waiting[0].student == "lamport");
    REQUIRE(all.not_gradable.size() == 1);
    CHECK(all.not_gradable[0].student == "milner");
    REQUIRE(all.inconclusive.size() == 1);
    CHECK(all.inconclusive[0].student == "karp");
}

TEST_CASE("statistics: what a group handed in waits once") {
    const TestClass one;
    Grades grades = one.grades();
    LabGrade of_member = one.of("gray");
    of_member.student.id = "grays-partner";
    grades.grades.push_back(of_member);
    CHECK(statistics_of(grades).needs_human.size() == 1);
}

TEST_CASE("statistics: ratios by time and by counts are kept apart") {
    const TestClass one;
    const ClassStatistics all = statistics_of(one.grades());
    const auto& speeds = all.labs[0].speeds;
    const auto by = [&](const std::string& judged_on) {
        return std::ranges::find_if(speeds, [&](const SpeedRatios& one_test) {
            return one_test.test == all.labs[0].tests[5].name && one_test.judged_on == judged_on;
        });
    };
    const auto by_time = by("time");
    REQUIRE(by_time != speeds.end());
    REQUIRE(by("counts") != speeds.end());
    CHECK(std::ranges::count(by("counts")->ratios, 0.31) == 0);
    CHECK(by_time->threshold == 0.45);
    CHECK(std::ranges::count(by_time->ratios, 0.31) == 1);
}

TEST_CASE("statistics: the middle of values") {
    CHECK(middle_of({3}) == 3);
    CHECK(middle_of({1, 2, 9}) == 2);
    CHECK(middle_of({1, 2, 4, 9}) == 3);
}
