#include "base/nearest.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace lab;

TEST_CASE("nearest: one edit is one letter put in, left out, exchanged or swapped") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("grade", "grade") == 0);
    CHECK(edit_distance("grad", "grade") == 1);
    CHECK(edit_distance("gradee", "grade") == 1);
    CHECK(edit_distance("grode", "grade") == 1);
    CHECK(edit_distance("garde", "grade") == 1);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("nearest: suggests only what is near") {
    const std::vector<std::string> words = {"list", "show", "grade", "hint"};
    CHECK(nearest("grad", words) == "grade");
    CHECK(nearest("hnit", words) == "hint");
    CHECK(nearest("lst", words) == "list");
    CHECK_FALSE(nearest("photograph", words));
    CHECK_FALSE(nearest("x", words));
    CHECK(did_you_mean("grad", words) == " Did you mean \"grade\"?");
    CHECK(did_you_mean("photograph", words).empty());
}
