#include "report/exports/raw_csv.h"

#include <catch2/catch_test_macros.hpp>

#include "base/csv.h"

using namespace lab;

namespace {

constexpr const char* kTable =
    "\xEF\xBB\xBF"
    "Student,\"ID\",a (1)\r\n"
    "\"Love\"\"lace\"\"\",1,\"7.0\"\r\n"
    "\n"
    "\"two\r\nlines, one cell\",2,\n"
    "\"\",\"\"\"\",3\n"
    "short,4";

}  // namespace

TEST_CASE("raw csv: a table without changes keeps every byte") {
    CHECK(RawCsv(kTable).text() == kTable);
    CHECK(RawCsv("").text().empty());
    CHECK(RawCsv("").rows() == 0);
}

TEST_CASE("raw csv: cells are what read_csv() reads") {
    const RawCsv raw(kTable);
    const CsvTable table = read_csv(kTable, "t.csv");
    REQUIRE(raw.rows() == 6);  // with the empty one
    CHECK(raw.cell(0, 1) == "ID");
    const std::size_t of_row[] = {1, 3, 4, 5};
    REQUIRE(table.rows.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(raw.line(of_row[i]) == table.rows[i].line);
        for (std::size_t column = 0; column < 3; ++column)
            CHECK(raw.cell(of_row[i], column) == table.rows[i].cells[column]);
    }
    CHECK(raw.cell(1, 0) == "Love\"lace\"");
    CHECK(raw.cell(4, 1) == "\"");
    CHECK(raw.cell(5, 2).empty());
}

TEST_CASE("raw csv: only the cells that are set change") {
    RawCsv raw("a;b\r\n\"x;y\";1\r\nz;\r\n");
    raw.set(2, 1, "5");
    raw.set(1, 1, "10");
    raw.set(1, 7, "nowhere");
    CHECK(raw.text() == "a;b\r\n\"x;y\";10\r\nz;5\r\n");
}
