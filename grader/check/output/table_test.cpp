#include "check/output/table.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/files.h"
#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/output/test_log.h"

using namespace lab;

namespace {

/// The folder that --tables names, as main() would have set it.
std::filesystem::path tables_folder() {
    static const TemporaryFolder folder;
    static const bool is_set = [] {
        std::string name = folder.path().string(), program = "grader", contract = "--contract",
                    tables = "--tables";
        char* arguments[] = {program.data(), contract.data(), tables.data(), name.data()};
        return parse_options(4, arguments, "00-none") == -1;
    }();
    REQUIRE(is_set);
    return folder.path();
}

std::string content(const std::string& name) {
    std::ifstream in(tables_folder() / (name + ".csv"), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("table: a header row, then the values as gnuplot reads them") {
    enum class Colour : unsigned char { red = 7 };
    tables_folder();
    test_log().clear();
    {
        Table table("all_kinds", {"n", "version", "share", "flag"});
        table.row(3, "student", 0.1f, true);
        table.row(std::size_t{1} << 40, std::string("a, \"b\""), 1e-9, false);
        table.row(-1, std::string_view("x\ny"), std::numeric_limits<double>::quiet_NaN(),
                  Colour::red);
        CHECK_FALSE(std::filesystem::exists(tables_folder() / "all_kinds.csv"));
    }
    CHECK(content("all_kinds") ==
          "n,version,share,flag\n3,student,0.1,1\n1099511627776,\"a, \"\"b\"\"\",1e-09,0\n"
          "-1,\"x y\",nan,7\n");
    REQUIRE(test_log().tables.size() == 1);
    CHECK(test_log().tables[0].name == "all_kinds");
    CHECK(test_log().tables[0].rows == 3);
    CHECK_FALSE(test_log().tables[0].has_calls);
}

TEST_CASE("table: single calls lie next to it, by row") {
    tables_folder();
    test_log().clear();
    {
        Table table("timed", {"n", "time_ms"});
        table.row(1, 0.5);
        test_log().call_times_ms = {0.25, 0.5};
        table.row(2, 0.375);
        table.row(3, 0.5);
    }
    CHECK(content("timed-calls") == "row,time_ms\n1,0.25\n1,0.5\n");
    REQUIRE(test_log().tables.size() == 1);
    CHECK(test_log().tables[0].has_calls);
}

TEST_CASE("table: a case that ends early leaves no file") {
    tables_folder();
    test_log().clear();
    try {
        Table table("half", {"n"});
        table.row(1);
        throw std::runtime_error("the submission crashed");
    } catch (const std::runtime_error&) {
    }
    CHECK_FALSE(std::filesystem::exists(tables_folder() / "half.csv"));
    CHECK(test_log().tables.empty());
}

TEST_CASE("table: the author's mistakes are named") {
    using Catch::Matchers::ContainsSubstring;
    using Catch::Matchers::MessageMatches;
    tables_folder();
    CHECK_THROWS_MATCHES(Table("../up", {"n"}), GraderFault,
                         MessageMatches(ContainsSubstring("\"../up\"")));
    { Table table("once", {"n"}); }
    CHECK_THROWS_MATCHES(Table("once", {"n"}), GraderFault,
                         MessageMatches(ContainsSubstring("two tables")));
    const auto short_row = [] {
        Table table("short_row", {"n", "m"});
        table.row(1);
    };
    CHECK_THROWS_MATCHES(
        short_row(), GraderFault,
        MessageMatches(ContainsSubstring("table short_row: a row of 1 values for 2 columns")));
}
