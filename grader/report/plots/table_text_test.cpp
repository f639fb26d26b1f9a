#include "report/plots/table_text.h"

#include <catch2/catch_test_macros.hpp>

#include "base/failure.h"

using namespace lab;

TEST_CASE("table text: one row a size, one column a version") {
    const CsvTable table = read_csv(
        "n,version,time_ms,gb_per_s\n1024,student,0.005,2.4576\n1024,reference,0.004,3.07199\n"
        "4194304,student,nan,nan\n4194304,reference,0.0123,4091.5\n");
    CHECK(table_text(table) ==
          "        n   student   reference\n"
          "     1024     2.458       3.072\n"
          "  4194304         -        4092\n");
}

TEST_CASE("table text: a table without sizes stays as it is") {
    const CsvTable table =
        read_csv("# a remark\nversion,n,gb_per_s\nstudent,64,0.5\n\"a, \"\"b\"\"\",64,12.25\n");
    CHECK(table_text(table) ==
          "  version    n   gb_per_s\n"
          "  student   64        0.5\n"
          "   a, \"b\"   64      12.25\n");
    CHECK(to_csv(table) == "version,n,gb_per_s\nstudent,64,0.5\n\"a, \"\"b\"\"\",64,12.25\n");
}

TEST_CASE("table text: a version that lacks a size leaves a gap") {
    const CsvTable table = read_csv("n,version,ms\n1,a,5\n1,b,6\n2,b,7\n");
    CHECK(table_text(table) == "  n   a   b\n  1   5   6\n  2       7\n");
}

TEST_CASE("table text: a row of another length is our fault") {
    CHECK_THROWS_AS(read_csv("a,b\n1\n"), Failure);
}
