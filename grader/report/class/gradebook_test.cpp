#include "report/class/gradebook.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "base/csv.h"
#include "report/class/test_class.h"

using namespace lab;

namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& csv) {
    const CsvTable table = read_csv(csv, "gradebook.csv");
    std::vector<Row> rows;
    for (const CsvTable::Row& cells : table.rows) {
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < table.header.size(); ++i) row[table.header[i]] = cells.cells[i];
    }
    return rows;
}

std::vector<Row> rows_of_student(const std::vector<Row>& rows, const std::string& student,
                                 const std::string& lab = "02-vector-add") {
    std::vector<Row> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const Row& row) {
        return row.at("student") == student && row.at("lab") == lab;
    });
    return own;
}

}  // namespace

TEST_CASE("gradebook: a row for each student and test") {
    const TestClass one;
    const auto rows = rows_of(gradebook_csv(one.grades()));
    CHECK(rows.size() == 24 * (6 + 6));

    const auto turing = rows_of_student(rows, "turing");
    REQUIRE(turing.size() == 6);
    CHECK(turing[5].at("test") == "launch_vector_add: at least 0.45x the reference");
    CHECK(turing[5].at("kind") == "speed");
    CHECK(turing[5].at("points") == "0");
    CHECK(turing[5].at("max_points") == "2");
    CHECK(turing[5].at("verdict") == "fail");
    CHECK_THAT(turing[5].at("diagnosis"), Catch::Matchers::StartsWith("More memory is moved"));
    CHECK(turing[5].at("attempt") == "2");
    CHECK(turing[5].at("attempts") == "2");
    CHECK(turing[5].at("submitted") == "2026-11-20 12:00");
    CHECK(turing[5].at("state") == "graded");
    CHECK(turing[5].at("lab_points") == "8");
}

TEST_CASE("gradebook: lateness and what the instructor decided") {
    const TestClass one;
    const auto rows = rows_of(gradebook_csv(one.grades()));
    const auto late = rows_of_student(rows, "floyd");
    CHECK(late[0].at("late_hours") == "26.5");
    CHECK(late[0].at("deducted") == "2");
    CHECK(late[0].at("lab_points") == "8");

    const auto marked = rows_of_student(rows, "wirth");
    CHECK(marked[3].at("test") == "vector_add: there and back");
    CHECK(marked[3].at("points") == "1.5");
    CHECK(marked[3].at("manual_points") == "1.5");
    CHECK(marked[3].at("comment") == "The idea is right; see my note in line 12.");
    CHECK(marked[0].at("manual_points") == "");
    CHECK(marked[0].at("lab_comment") == "Come to my office hour.");
    CHECK(marked[0].at("lab_points") == "1.5");
}

TEST_CASE("gradebook: what is open has no points, what failed has 0") {
    const TestClass one;
    const auto rows = rows_of(gradebook_csv(one.grades()));
    struct Case {
        const char *student, *state, *points;
    };
    for (const Case& expected :
         {Case{"wing", "nothing handed in", ""}, Case{"lamport", "waiting", ""},
          Case{"gray", "needs a human", ""}, Case{"milner", "cannot be graded", "0"},
          Case{"allen", "does not build", "0"}}) {
        CAPTURE(expected.student);
        const auto own = rows_of_student(rows, expected.student);
        REQUIRE(own.size() == 6);
        for (const Row& row : own) {
            CHECK(row.at("state") == expected.state);
            CHECK(row.at("points") == expected.points);
            CHECK(row.at("lab_points") == expected.points);
        }
    }
}

TEST_CASE("gradebook: points by hand close what was open") {
    const TestClass one;
    Grades grades = one.grades();
    for (LabGrade& grade : grades.grades) {
        if (grade.student.id != "gray" || grade.lab != "02-vector-add") continue;
        grade.marks = {{"gray", grade.lab, "", 7, "Read by hand.", ""}};
        grade.points = 7;
    }
    CHECK(rows_of_student(rows_of(gradebook_csv(grades)), "gray")[0].at("lab_points") == "7");
    CHECK_THAT(gradebook_narrow_csv(grades),
               Catch::Matchers::ContainsSubstring("gray,Jim Gray,gray@example.edu,A,7,\r\n"));
}

TEST_CASE("gradebook: no cell is a formula, a line or an escape sequence") {
    const TestClass one;
    for (const std::string& csv :
         {gradebook_csv(one.grades()), gradebook_narrow_csv(one.grades())}) {
        const CsvTable table = read_csv(csv, "gradebook.csv");
        for (const CsvTable::Row& row : table.rows)
            for (const std::string& cell : row.cells) {
                CAPTURE(cell);
                CHECK(cell.find_first_of("\r\n\t\x1b") == std::string::npos);
                CHECK(!cell.starts_with('='));
                CHECK(!cell.starts_with('@'));
            }
    }
}

TEST_CASE("gradebook: the narrow form has a row a student and a column a lab") {
    const TestClass one;
    const std::string csv = gradebook_narrow_csv(one.grades());
    CHECK(csv.starts_with("student,name,email,section,02-vector-add,05-matmul-shared\r\n"));
    CHECK(read_csv(csv, "narrow").rows.size() == 24);
    CHECK_THAT(
        csv, Catch::Matchers::ContainsSubstring("turing,Alan Turing,turing@example.edu,A,8,0\r\n"));
    CHECK_THAT(csv,
               Catch::Matchers::ContainsSubstring("wing,Jeannette Wing,wing@example.edu,A,,\r\n"));
}
