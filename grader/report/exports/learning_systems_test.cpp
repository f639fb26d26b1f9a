#include "report/exports/learning_systems.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/csv.h"
#include "base/failure.h"
#include "report/class/test_class.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

constexpr const char* kExported =
    "\xEF\xBB\xBF"
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2: Vector add (4711),Essay (4712)\r\n"
    "    Points Possible,,,,,10.0,20.0\r\n"
    "\"Lovelace, \"\"Ada\"\"\",91,lovelace,,A, 3.5 ,17\r\n"
    "\"Floyd, Robert\",92,,floyd@example.edu,A,,\r\n"
    "\"Wing, Jeannette\",93,wing,,A,4,\r\n"
    "\"Gray, Jim\",94,gray,,A,\"6\",\r\n"
    "\"Student, Test\",95,,,A,,\r\n";

void replace_once(std::string& text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
}

bool has_formula(const CsvTable& table) {
    for (const CsvTable::Row& row : table.rows)
        for (const std::string& cell : row.cells)
            if (!cell.empty() && std::string("=+-@\t\r").find(cell[0]) != std::string::npos)
                return true;
    return false;
}

const CsvTable::Row& row_with(const CsvTable& table, std::size_t column, const std::string& word) {
    const auto row = std::ranges::find_if(
        table.rows, [&](const CsvTable::Row& one) { return one.cells[column] == word; });
    REQUIRE(row != table.rows.end());
    return *row;
}

}  // namespace

TEST_CASE("canvas: a new gradebook has the columns that Canvas asks for, and a row a student") {
    const TestClass all;
    const GradeTables tables = canvas_csv(all.grades());
    REQUIRE(tables.files.size() == 1);
    CHECK(tables.files[0].first == "canvas.csv");
    const CsvTable table = read_csv(tables.files[0].second, "canvas.csv");
    CHECK(table.header == std::vector<std::string>{"Student", "ID", "SIS User ID", "SIS Login ID",
                                                   "Section", "02-vector-add", "05-matmul-shared"});
    CHECK(table.rows.size() == 24);
    CHECK_FALSE(has_formula(table));
    // Names that are no names in a table: =cmd..., a line feed, and kHostile with its controls.
    CHECK(tables.notes.size() == 3);
    CHECK(std::ranges::count(tables.notes,
                             "Canvas will not find \"line^Jfeed\": such an id cannot stand in a "
                             "table.") == 1);
    CHECK(row_with(table, 2, "lovelace").cells[5] == "10");
    CHECK(row_with(table, 2, "floyd").cells[5] == "8");
    CHECK(row_with(table, 2, "milner").cells[5] == "0");
    for (const char* open : {"wing", "lamport", "gray"})
        CHECK(row_with(table, 2, open).cells[5].empty());
}

TEST_CASE("canvas: its own gradebook is filled, and all else stays byte for byte") {
    const TestClass all;
    const GradeTables tables = canvas_csv(all.grades(), kExported, "grades.csv");
    std::string expected = kExported;
    replace_once(expected, "A, 3.5 ,17", "A,10,17");
    replace_once(expected, "floyd@example.edu,A,,", "floyd@example.edu,A,8,");
    REQUIRE(tables.files.size() == 1);
    CHECK(tables.files[0].second == expected);
    // Their grades would be lost without a word.
    CHECK(std::ranges::count(tables.notes,
                             "grades.csv has no row for turing, whose grades are not in the "
                             "export.") == 1);
    CHECK(std::ranges::count(tables.notes,
                             "grades.csv:1: no column is called like 05-matmul-shared, so its "
                             "grades are not in the export.") == 1);
    // Nothing is open that would need a row.
    CHECK(std::ranges::none_of(tables.notes, [](const std::string& note) {
        return note.find("lamport") != std::string::npos;
    }));
}

TEST_CASE("canvas: a row that fits two students is left as it is, and noted") {
    const TestClass all;
    const std::string exported =
        "Student,ID,SIS User ID,SIS Login ID,02-vector-add (1)\n"
        "Two,lovelace,floyd,,1\n"
        "Ada,1,lovelace,,2\n"
        "Ada again,2,lovelace,,3\n";
    const GradeTables tables = canvas_csv(all.grades(), exported, "grades.csv");
    std::string expected = exported;
    replace_once(expected, "Ada,1,lovelace,,2", "Ada,1,lovelace,,10");
    CHECK(tables.files[0].second == expected);
    CHECK(std::ranges::count(tables.notes,
                             "grades.csv:2: this row fits 2 students of the class, so its grades "
                             "are left as they are.") == 1);
    CHECK(std::ranges::count(tables.notes,
                             "grades.csv:4: lovelace has an earlier row; only that one is "
                             "filled.") == 1);
}

TEST_CASE("canvas: points possible that are not the lab's are noted") {
    const TestClass all;
    const auto notes_with = [&](const std::string& possible) {
        const std::string exported =
            "Student,SIS User ID,Lab 2 (1)\n    Points Possible,," + possible + "\nAda,lovelace,\n";
        return std::ranges::count(
            canvas_csv(all.grades(), exported, "g.csv").notes,
            "g.csv:2: Canvas counts 02-vector-add out of \"" + possible +
                "\", and the lab has 10 points. Change the assignment's points in Canvas.");
    };
    CHECK(notes_with("10.0") == 0);
    CHECK(notes_with("10") == 0);
    CHECK(notes_with("100.0") == 1);
    CHECK(notes_with("(read only)") == 1);
}

TEST_CASE("canvas: columns are found by the lab's name, number, topic and title") {
    const TestClass all;
    for (const char* name : {"02-vector-add", "02-vector-add (12)", "Lab 2", "lab 02", "Vector add",
                             "2. Vector Add (7)", "Lab 02: Vector add", "vector_add"}) {
        INFO(name);
        const std::string exported = std::string("SIS User ID,") + name + "\nlovelace,\n";
        CHECK(canvas_csv(all.grades(), exported, "g.csv").files[0].second ==
              std::string("SIS User ID,") + name + "\nlovelace,10\n");
    }
}

TEST_CASE("canvas: what is no gradebook of it is refused, with the remedy") {
    const TestClass all;
    CHECK_THROWS_MATCHES(
        canvas_csv(all.grades(), "Name,02-vector-add\nAda,\n", "g.csv"), Failure,
        Message("g.csv:1: no column \"SIS User ID\", \"ID\" or \"SIS Login ID\". Export the "
                "gradebook in Canvas (Grades, Export), and give that file unchanged."));
    CHECK_THROWS_MATCHES(
        canvas_csv(all.grades(), "", "g.csv"), Failure,
        Message("g.csv:1: no column \"SIS User ID\", \"ID\" or \"SIS Login ID\". Export the "
                "gradebook in Canvas (Grades, Export), and give that file unchanged."));
    CHECK_THROWS_MATCHES(
        canvas_csv(all.grades(), "SIS User ID,Essay (3)\nlovelace,\n", "g.csv"), Failure,
        Message("g.csv:1: no column is called like a lab. Name the assignment in Canvas "
                "\"02-vector-add\", and export the gradebook again."));
}

TEST_CASE("moodle: one file a lab, with grade and feedback, and no open grade") {
    const TestClass all;
    const GradeTables tables = moodle_csv(all.grades());
    REQUIRE(tables.files.size() == 2);
    CHECK(tables.files[0].first == "moodle-02-vector-add.csv");
    const CsvTable table = read_csv(tables.files[0].second, "moodle.csv");
    CHECK(table.header ==
          std::vector<std::string>{"Email address", "02-vector-add", "02-vector-add feedback"});
    CHECK(table.rows.size() == 21);  // of 24: three are open
    CHECK_FALSE(has_formula(table));
    for (const CsvTable::Row& row : table.rows) {
        CHECK_FALSE(row.cells[1].empty());
        // Moodle shows feedback as HTML.
        CHECK(row.cells[2].find("<script") == std::string::npos);
        CHECK(row.cells[2].find("<img") == std::string::npos);
    }
    CHECK(row_with(table, 0, "floyd@example.edu").cells[1] == "8");
    CHECK(row_with(table, 0, "floyd@example.edu").cells[2] ==
          "Handed in 26.5 hours late: 2 of 10 points are deducted.");
    CHECK(row_with(table, 0, "lovelace@example.edu").cells[2] == "All tests passed.");
    CHECK(read_csv(tables.files[1].second, "moodle.csv").rows.size() == 2);
}

TEST_CASE("moodle: without an address for everyone, students are named by id") {
    const TestClass all;
    Grades grades = all.grades();
    grades.grades[0].student.email.clear();
    const CsvTable table = read_csv(moodle_csv(grades).files[0].second, "moodle.csv");
    CHECK(table.header[0] == "ID number");
    CHECK(row_with(table, 0, "lovelace").cells[1] == "10");
    CHECK_FALSE(has_formula(table));

    Grades shared = all.grades();
    for (LabGrade& grade : shared.grades) grade.student.email = "all@example.edu";
    CHECK(read_csv(moodle_csv(shared).files[0].second, "moodle.csv").header[0] == "ID number");
}
