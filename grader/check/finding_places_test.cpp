#include "check/finding_places.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;
using nlohmann::json;

namespace {

json finding(const char* check) {
    return {{"check", check},
            {"file", "a.cu"},
            {"line", 17},
            {"block", {3, 0, 0}},
            {"thread", {232, 0, 0}},
            {"space", "global"},
            {"write", false},
            {"bytes", 4},
            {"nearest", {{"name", "a"}, {"distance_bytes", 0}}},
            {"other", nullptr}};
}

/// The label of the only place.
std::string label(const json& finding) {
    const json places = finding_places(finding);
    REQUIRE(places.size() == 1);
    CHECK(places[0].at("file") == "a.cu");
    CHECK(places[0].at("line") == 17);
    return places[0].at("label");
}

}  // namespace

TEST_CASE("finding places: an access outside of an array") {
    json outside = finding("out_of_bounds");
    CHECK(label(outside) == "thread 232 of block 3 reads just past the end of a");
    CHECK(finding_places(outside)[0].at("name") == "a");
    outside["nearest"]["distance_bytes"] = 40;
    outside["write"] = true;
    CHECK(label(outside) == "thread 232 of block 3 writes 40 bytes past the end of a");
    outside["nearest"]["distance_bytes"] = -8;
    outside["thread"] = {1, 2, 0};
    outside["block"] = {0, 0, 5};
    CHECK(label(outside) == "thread (1,2) of block (0,0,5) writes 8 bytes before the start of a");
    outside["nearest"] = nullptr;
    CHECK(label(outside) == "thread (1,2) of block (0,0,5) writes outside every allocation");
    CHECK(finding_places(outside)[0].at("name") == "");
}

TEST_CASE("finding places: other mistakes of one thread") {
    json one = finding("use_after_free");
    CHECK(label(one) == "thread 232 of block 3 reads a, which was freed");
    one["check"] = "host_pointer";
    CHECK(label(one) ==
          "thread 232 of block 3 reads through a pointer that is not to device memory");
    one["check"] = "misaligned";
    CHECK(label(one) ==
          "thread 232 of block 3 reads 4 bytes at an address that is no multiple of 4");
    one["check"] = "uninitialized_read";
    CHECK(label(one) == "thread 232 of block 3 reads what nothing has written to a");
    one["space"] = "shared";
    CHECK(label(one) == "thread 232 of block 3 reads what nothing has written to shared memory");
    one["check"] = "barrier_divergence";
    CHECK(label(one) == "thread 232 of block 3 waits here, and others of its block never come");
    one["check"] = "deadlock";
    CHECK(label(one) == "thread 232 of block 3 waits here for ever");
    one["check"] = "instruction_limit";
    CHECK(label(one) == "thread 232 of block 3 was still running here");
    one["check"] = "trap";
    CHECK(label(one) == "thread 232 of block 3 stopped here");
    one["check"] = "invalid_mask";
    CHECK(label(one).empty());
}

TEST_CASE("finding places: both lines of a race, and blocks only where they differ") {
    json race = finding("race");
    race["write"] = true;
    race["thread"] = {0, 16, 0};
    race["nearest"]["name"] = "cudaMalloc #3";  // no name that the student gave
    race["other"] = {{"file", "b.cu"},
                     {"line", 19},
                     {"block", {3, 0, 0}},
                     {"thread", {0, 0, 0}},
                     {"write", false}};
    json places = finding_places(race);
    REQUIRE(places.size() == 2);
    CHECK(places[0].at("label") == "thread (0,16) writes");
    CHECK(places[0].at("name") == "");
    CHECK(places[1].at("file") == "b.cu");
    CHECK(places[1].at("line") == 19);
    CHECK(places[1].at("label") == "thread (0,0) reads the same place, maybe before");
    race["other"]["block"] = {4, 0, 0};
    places = finding_places(race);
    CHECK(places[0].at("label") == "thread (0,16) of block 3 writes");
    CHECK(places[1].at("label") == "thread (0,0) of block 4 reads the same place, maybe before");
    race["other"]["line"] = 5;
    places = finding_places(race);
    CHECK(places[0].at("label") == "thread (0,16) of block 3 writes the same place, maybe before");
    CHECK(places[1].at("label") == "thread (0,0) of block 4 reads");
    race["other"]["line"] = 0;
    CHECK(finding_places(race).size() == 1);
}

TEST_CASE("finding places: none without a line, and records may lack anything") {
    json nowhere = finding("leak");
    nowhere["line"] = 0;
    CHECK(finding_places(nowhere).empty());
    CHECK(finding_places(json::object()).empty());
    CHECK(finding_places({{"line", 5}}).size() == 1);
    CHECK(place_to_show({"a.cu", 7}) ==
          json{{"file", "a.cu"}, {"line", 7}, {"label", ""}, {"name", ""}});
}
