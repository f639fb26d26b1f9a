#include "report/markup/file_name.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace lab;

TEST_CASE("file names: plain names stay") {
    CHECK(file_name_of("lovelace_1815") == "lovelace_1815");
    CHECK(file_name_of("02-vector-add") == "02-vector-add");
    CHECK(file_name_of("a.b") == "a.b");
}

TEST_CASE("file names: others get a hash and lose what is no letter") {
    CHECK(file_name_of("../../etc/passwd").starts_with("etc_passwd-"));
    CHECK(file_name_of("<script>\"x\"").starts_with("script_x_-"));
    CHECK(file_name_of("").starts_with("student-"));
    CHECK(file_name_of("\xE5\xA7\x9A").starts_with("student-"));
    CHECK(file_name_of("-rf").starts_with("rf-"));
    CHECK(file_name_of(".hidden").starts_with("hidden-"));
    CHECK(file_name_of("con").starts_with("con-"));
    CHECK(file_name_of("com1").starts_with("com1-"));
    CHECK(file_name_of(std::string(5000, 'a')).size() <= 60);
}

TEST_CASE("file names: different names stay different, in any case of letters") {
    std::set<std::string> names;
    for (const char* name : {"ada", "Ada", "ADA", "a/a", "a\\a", "a a", "a_a", "a:a", "ada "}) {
        std::string lower = file_name_of(name);
        for (char& c : lower)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
        CAPTURE(name);
        CHECK(names.insert(lower).second);
    }
}
