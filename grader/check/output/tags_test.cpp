#include "check/output/tags.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include "check/output/grader_fault.h"

using namespace lab;

TEST_CASE("tags: all that a test may say of itself") {
    const TestTags tags =
        read_tags("f: works", {"speed", "task:2", "points:2.5", "id:a", "needs:b"});
    CHECK(tags.kind == "speed");
    CHECK(tags.task == 2);
    CHECK(tags.points == 2.5);
    CHECK(tags.id == "a");
    CHECK(tags.needs == std::vector<std::string>{"b"});
}

TEST_CASE("tags: pictures and benchmarks are hidden, tests are not") {
    CHECK(draws(read_tags("picture: f", {".", "picture"})));
    CHECK(draws(read_tags("bench: f", {".", "bench"})));
    CHECK_FALSE(draws(read_tags("f: works", {"correctness"})));
    CHECK_THROWS_AS(read_tags("picture: f", {"picture"}), GraderFault);
    CHECK_THROWS_AS(read_tags("f: works", {".", "correctness"}), GraderFault);
}

TEST_CASE("tags: a mistyped tag is the author's error, with the test's name") {
    CHECK_THROWS_WITH(read_tags("f: works", {"point:2"}),
                      "test \"f: works\": unknown tag [point:2]");
    CHECK_THROWS_WITH(read_tags("f: works", {"points:x"}),
                      "test \"f: works\": tag [points:x] needs a number");
}

TEST_CASE("tags: --test runs what the chosen tests need, too") {
    std::vector<TestTags> tests(3);
    tests[0].name = "a: right";
    tests[0].id = "right";
    tests[1].name = "a: fast";
    tests[1].needs = {"right"};
    tests[2].name = "b: right";
    CHECK(with_needed(tests, "fast") == std::set<std::string>{"a: fast", "a: right"});
    CHECK(with_needed(tests, "b:") == std::set<std::string>{"b: right"});
    CHECK(with_needed(tests, "").size() == 3);
    CHECK(with_needed(tests, "nothing like it").empty());
    tests[1].needs = {"elsewhere"};
    CHECK_THROWS_WITH(with_needed(tests, "fast"),
                      "test \"a: fast\" needs \"elsewhere\", and no test has [id:elsewhere]");
}
