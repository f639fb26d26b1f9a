#include "verify/compare.h"

#include <catch2/catch_test_macros.hpp>

#include "base/failure.h"

using namespace lab;

TEST_CASE("compare: times and the machine's isolation may differ, nothing else") {
    const std::string recorded =
        "{\"type\":\"grading\",\"lab\":\"02\",\"time\":\"2026\"}\n"
        "{\"type\":\"start\",\"isolation\":\"namespaces\",\"isolation_note\":\"\",\"seed\":\"1\"}\n"
        "{\"type\":\"test\",\"name\":\"a: b\",\"earned\":4.0,\"seconds\":0.25}\n"
        "{\"type\":\"total\",\"points\":4.0,\"seconds\":{\"nvcc\":1}}\n"
        "{\"type\":\"best\",\"points\":9.0}\n";
    std::vector<std::string> replayed = {
        R"({"lab":"02","type":"grading","time":"2027"})",
        R"({"type":"start","isolation":"accidents only","isolation_note":"none","seed":"1"})",
        R"({"type":"test","name":"a: b","earned":4.0,"seconds":0.5})",
        R"({"type":"total","points":4.0,"seconds":{"nvcc":0}})"};
    CHECK(result_differences(recorded, replayed).empty());

    replayed[2] = R"({"type":"test","name":"a: b","earned":3.0,"seconds":0.5})";
    const auto differences = result_differences(recorded, replayed);
    REQUIRE(differences.size() == 1);
    CHECK(differences[0].line == "test a: b");
    CHECK(differences[0].field == "earned");
    CHECK(differences[0].recorded == "4.0");
    CHECK(differences[0].replayed == "3.0");
}

TEST_CASE("compare: the path to a field, fields and lines that only one has") {
    const std::string recorded =
        R"({"type":"test","name":"t","race":{"ratio":0.5,"counts":[{"us":1},{"us":2}]},"old":1})"
        "\n"
        R"({"type":"end","points":1})";
    const auto differences = result_differences(
        recorded,
        {R"({"type":"test","name":"t","race":{"ratio":0.5,"counts":[{"us":1},{"us":3}]}})"});
    REQUIRE(differences.size() == 3);
    CHECK(differences[0].field == "old");
    CHECK(differences[0].replayed.empty());
    CHECK(differences[1].field == "race/counts/1/us");
    CHECK(differences[2].line == "end");
    CHECK(differences[2].field.empty());
    CHECK(differences[2].replayed.empty());
}

TEST_CASE("compare: a line that is no JSON object is a fault") {
    CHECK_THROWS_AS(result_differences("nonsense\n", {}), Failure);
    CHECK_THROWS_AS(result_differences("{}\n", {"[1]"}), Failure);
}
