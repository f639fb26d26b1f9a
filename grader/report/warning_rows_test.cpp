#include "report/warning_rows.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("warning rows: one row each, with our sentence, unused variables last") {
    const std::string messages =
        "labs/a.cu(40): warning #177-D: variable \"g\" was declared but never referenced\n"
        "      const int g = 0;\n"
        "                ^\n"
        "labs/a.cu(47): warning #187-D: use of \"=\" where \"==\" may have been intended\n"
        "      if (n = 0) return;\n"
        "          ^\n"
        "    = assigns, == compares.\n";
    CHECK(warning_rows(messages) ==
          Lines{"  line 47: use of \"=\" where \"==\" may have been intended. = assigns, == "
                "compares.",
                "  line 40: variable \"g\" was declared but never referenced"});
    CHECK(warning_rows("").empty());
    CHECK(warning_rows("ptxas: something went wrong\n").empty());
}
