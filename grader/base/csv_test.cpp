#include "base/csv.h"

#include <catch2/catch_all.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Cells = std::vector<std::string>;

TEST_CASE("csv: quotes, line ends, separators and a byte order mark") {
    const CsvTable table = read_csv(
        "\xEF\xBB\xBF id ,Name\r\n1,\"Lovelace, Ada\"\r\n\r\n2,\"a \"\"b\"\"\nc\"\r\n3", "r.csv");
    CHECK(table.column({"ID"}) == 0u);
    CHECK(table.column({"email", "name"}) == 1u);
    CHECK_FALSE(table.column({"group"}).has_value());
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0].cells == Cells{"1", "Lovelace, Ada"});
    CHECK(table.rows[1].cells == Cells{"2", "a \"b\"\nc"});
    CHECK(table.rows[2].cells == Cells{"3", ""});
    CHECK(table.rows[1].line == 4);
    CHECK(table.rows[2].line == 6);
    CHECK(read_csv("id;name\n1;a,b\n", "r.csv").rows[0].cells == Cells{"1", "a,b"});
    CHECK(read_csv("id\tname\n1\ta\n", "r.csv").rows[0].cells == Cells{"1", "a"});
    CHECK(read_csv("", "r.csv").rows.empty());
}

TEST_CASE("csv: what cannot be read says where, and what to do") {
    const auto fails = [](std::string_view text, const std::string& with) {
        CHECK_THROWS_MATCHES(read_csv(text, "r.csv"), Failure,
                             MessageMatches(ContainsSubstring(with)));
    };
    fails("id,name\n1,\"open\n2,b\n", "r.csv:2: a quote begins");
    fails("id,name\n1,M\xFCller\n", "r.csv:2: this is not UTF-8");
    fails(std::string_view("\xFF\xFEi\0d\0", 6), "UTF-16");
    fails("id,name\n1,Lovelace, Ada\n", "r.csv:2: this row has 3 cells");
}

TEST_CASE("csv: what is written reads back, and foreign text is no formula") {
    const Cells cells = {"1", "a,b", "say \"x\"\nand y", "", "semi;colon"};
    const CsvTable table = read_csv("a,b,c,d,e\r\n" + csv_row(cells), "w.csv");
    REQUIRE(table.rows.size() == 1);
    CHECK(table.rows[0].cells == cells);
    CHECK(csv_text_cell("=1+1") == "'=1+1");
    CHECK(csv_text_cell("@SUM(A1)") == "'@SUM(A1)");
    CHECK(csv_text_cell("-cmd|' /C calc'!A0") == "'-cmd|' /C calc'!A0");
    CHECK(csv_text_cell("-3.5") == "-3.5");
    CHECK(csv_text_cell("-") == "'-");
    CHECK(csv_text_cell("Ada") == "Ada");
}
