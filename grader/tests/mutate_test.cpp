// `lab dev mutate`, end to end: mutants that a test rejects, and one that no test can.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

Grading mutate(const std::string& only) {
    return run_lab({"dev", "mutate", "02", "--only", only, "--device", "vgpu", "--json"});
}

}  // namespace

TEST_CASE("mutate: a mutant without the guard is killed by the test that sees it") {
    const Grading run = mutate("guard: (i < n)");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    const auto line = run.line("mutant");
    REQUIRE(line.is_object());
    CHECK(line.at("outcome") == "killed");
    CHECK(line.at("test") == "launch_vector_add: up to 256 elements");
    CHECK(line.at("diff") == "-    if (i < n) {\n+    if (true) {\n");
    CHECK(run.line("mutation").at("killed") == 1);
    CHECK(run.line("mutation").at("share_killed") == 1.0);
}

TEST_CASE("mutate: a block without elements is no mistake, and survives") {
    const Grading run = mutate("operator: - -> +");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    CHECK(run.line("mutant").at("outcome") == "survived");
    CHECK(run.line("mutation").at("share_killed") == 0.0);
}

TEST_CASE("mutate: a label that no mutant has is refused with an example") {
    const Grading run = mutate("no such thing");
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.line("error").at("message").get<std::string>(),
               ContainsSubstring("A label:  34: literal: 1 -> 0"));
}
