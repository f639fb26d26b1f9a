#include "core/course/skeleton.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::Message;

TEST_CASE("skeleton: solution lines go, TODO and SKELETON lines stay with their indent") {
    CHECK(cut_skeleton("void f() {\n"
                       "    // TODO(1/1): Do it.\n"
                       "    // BEGIN SOLUTION\n"
                       "    // SKELETON const int blocks = 1;\n"
                       "    const int blocks = 2;\n"
                       "\n"
                       "    // END SOLUTION\n"
                       "\n"
                       "    use(blocks);\n"
                       "}\n",
                       "s.cu") ==
          "void f() {\n"
          "    // TODO(1/1): Do it.\n"
          "    const int blocks = 1;\n"
          "\n"
          "    use(blocks);\n"
          "}\n");
}

TEST_CASE("skeleton: several parts, and a last line without an end") {
    CHECK(cut_skeleton("a\n// BEGIN SOLUTION\nb\n// END SOLUTION\nc\n// BEGIN SOLUTION\nd\n"
                       "// END SOLUTION\ne",
                       "s.cu") == "a\nc\ne");
}

TEST_CASE("skeleton: markers that do not match are named with their line") {
    const auto check = [](const char* text, const char* message) {
        CHECK_THROWS_MATCHES(cut_skeleton(text, "s.cu"), Failure, Message(message));
    };
    check("a\n// BEGIN SOLUTION\nb\n",
          "s.cu:2: \"// BEGIN SOLUTION\" without an \"// END SOLUTION\" after it.");
    check("a\n// END SOLUTION\n",
          "s.cu:2: \"// END SOLUTION\" without a \"// BEGIN SOLUTION\" before it.");
    check("// BEGIN SOLUTION\n// BEGIN SOLUTION\n",
          "s.cu:2: \"// BEGIN SOLUTION\" inside the one of line 1. Write \"// END SOLUTION\" "
          "before it.");
    check("// SKELETON x\n",
          "s.cu:1: \"// SKELETON\" stands outside of \"// BEGIN SOLUTION\" ... \"// END "
          "SOLUTION\".");
    check("a\n",
          "s.cu:1: no \"// BEGIN SOLUTION\" in the whole file, so the skeleton would be the "
          "solution.");
}

TEST_CASE("skeleton: the first difference says line, expected and got") {
    CHECK_FALSE(first_difference("a\nb\n", "a\nb\n"));
    const auto changed = first_difference("a\nb\n", "a\nc\n");
    REQUIRE(changed);
    CHECK(changed->line == 2);
    CHECK(changed->expected == "b");
    CHECK(changed->got == "c");
    const auto shorter = first_difference("a\nb\n", "a\n");
    REQUIRE(shorter);
    CHECK(shorter->line == 2);
    CHECK(shorter->expected == "b\n");
    CHECK_FALSE(shorter->got);
    const auto newline = first_difference("a\n", "a");
    REQUIRE(newline);
    CHECK(newline->expected == "a\n");
    CHECK(newline->got == "a");
}

TEST_CASE("skeleton: the lines of the SOLUTION parts") {
    const auto parts = solution_parts(
        "a\n    // BEGIN SOLUTION\n    b\n    // SKELETON c\n    // END SOLUTION\nd\n"
        "// BEGIN SOLUTION\n// END SOLUTION\n");
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].first == 3);
    CHECK(parts[0].last == 4);
    CHECK(parts[1].first > parts[1].last);
}
